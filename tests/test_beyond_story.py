"""Stories: three forms that agree, ids shown as text, marks beside colours, and the stepper for stories."""

from __future__ import annotations

import re
from html import escape

import pytest
from suite import NASTY_PAYLOADS, html_tags, html_text
from test_imports import in_python

from rq import Queue, StoryStepper
from rq.beyond import Attempts, Driven, Forgetful, Generations, Machine, Policy, Reuse, Story, Table, histories
from rq.beyond.page import moment_page, story_page, table_page
from rq.html import page

OURS = {"style", "div", "b", "br", "table", "caption", "thead", "tbody", "tr", "th", "td"}
LOST = ("effect 1", "loss 1", "retry", "effect 2", "report 2", "reconcile")
NASTY = [text for text in NASTY_PAYLOADS if text] + ["● ", "https://x\" onclick='y"]


def stories(id="a") -> list[Story]:
    """One of each kind; those that take ids take `id`."""
    return [
        Attempts(LOST),
        Attempts(LOST, key="job"),
        Attempts(("retry", "retry", "effect 3", "report 1", "report 3", "retry")),
        Machine([f"start {id}", f"cancel {id}", "start other", f"stopped {id}"]),
        Machine([f"start {id}", f"cancel {id}", "start other", f"force {id}", "start more"], wait=True),
        Driven(Policy(), {id: ["timeout", "ok"], "other": [id]}),
        Driven(Policy(jitter=0.5, seed=3), {id: ["busy"], "other": ["timeout"]}, give_up="cancel"),
        Reuse(ids=(id, id)),
        Reuse(Generations, ids=(id, id)),
        Reuse(Queue, ids=(id, id)),
    ]


each_story = pytest.mark.parametrize("number", range(len(stories())))
each_nasty_id = pytest.mark.parametrize("id", [text.strip() for text in NASTY])


def one_line(text) -> str:
    return " ".join(text.split())


# The three forms agree


def assert_the_forms_agree(story):
    text, static = one_line(str(story)), one_line(html_text(story_page(story)))
    stepper = StoryStepper(story)
    for number, moment in enumerate(story.moments):
        lines = [f"{table.caption}: {table.line}" for table in moment.tables]
        assert one_line(f"{number} {moment.event} {moment.sentence} {' '.join(lines)}") in text
        assert one_line(f"{number} {moment.event} {' '.join(table.line for table in moment.tables)}") in static
        assert one_line(moment.sentence) in static
        stepper.index = number
        view = html_text(stepper.view.value)
        assert f"step {number} of {len(story)}" in view
        assert f"{moment.event}{moment.sentence}" in view
        for table in moment.tables:
            assert table.caption in view
            for cell in (cell for row in table.rows for cell in row):
                assert (str(cell) or '""') in view


@each_story
def test_the_three_forms_agree(number):
    assert_the_forms_agree(stories()[number])


@each_nasty_id
def test_the_three_forms_agree_for_an_id_that_looks_like_markup(id):
    for story in stories(id):
        assert_the_forms_agree(story)


@each_nasty_id
def test_no_id_becomes_markup(id):
    for story in stories(id):
        views = [moment_page(story, number) for number in range(len(story) + 1)]
        for view in [*views, story_page(story), story._repr_html_(), StoryStepper(story).static_html()]:
            assert html_tags(view) <= OURS
        for table in story.moments[-1].tables:
            assert html_tags(table_page(table)) <= OURS


@each_story
def test_a_story_is_the_same_each_time(number):
    one, two = stories()[number], stories()[number]
    assert one.moments == two.moments
    assert str(one) == str(two)
    assert story_page(one) == story_page(two)


def test_a_story_drives_the_course_s_own_queue():
    for story in stories()[:7]:
        assert type(story.queue) is Queue


# Marks


def marked(story, index) -> list[str]:
    """The cells that carry a mark."""
    return re.findall(r'<td class="hit">([^<]*)</td>', moment_page(story, index))


def test_a_new_row_a_changed_cell_and_a_row_that_is_gone_are_marked_with_a_glyph():
    story = Reuse(Forgetful)
    assert marked(story, 0) == []
    assert marked(story, 1) == ["● a (new)"]
    assert marked(story, 2) == ["● in flight (was waiting)", "● 1 (was 0)", "● worker 1: a#1 (was none)"]
    assert marked(story, 3) == ["● a (gone)", "● not wanted (was not yet)"]


@each_story
def test_each_colour_has_a_glyph_beside_it(number):
    story = stories()[number]
    for index, moment in enumerate(story.moments):
        html = moment_page(story, index)
        assert html.count('class="hit"') == html_text(html).count("●")
        assert ('class="why wrong' in html) == moment.wrong == ("✗" in html_text(html))


def test_a_wrong_moment_is_marked_in_every_form():
    story = Attempts(LOST)
    assert [moment.wrong for moment in story.moments] == [False, False, False, False, True, True, False]
    assert str(story).count("✗") == 2
    assert story_page(story).count('<td class="hit">✗') == 2


# Tables


def test_a_table_prints_in_columns_and_as_one_line():
    table = Table("a caption", ("who", "state"), (("worker 1", "lost"), ("w", 2)))
    assert str(table) == "a caption\nwho       state\nworker 1  lost\nw         2"
    assert table.line == "worker 1: lost; w: 2"


def test_an_empty_table_has_every_form():
    table = Table("a caption", ("who", "state"))
    assert str(table) == "a caption\nwho  state"
    assert table.line == "-"
    assert "who" in html_text(table._repr_html_())


@pytest.mark.parametrize(
    ("rest", "name"),
    [
        ("", "docs.example.org"),
        ("/", "docs.example.org"),
        ("/a?b=1&c=2", "a"),
        ("/doc/protocol.txt", "protocol.txt"),
        ("/docs/jobs/", "jobs"),
        ("/docs/workers.html#stop", "workers"),
        ("/x&lt;y", "x&lt;y"),
    ],
)
def test_an_address_in_a_table_is_a_link_named_after_its_page(rest, name):
    address = f"https://docs.example.org{rest}"
    html = table_page(Table("links", ("what", "where"), (("x", address),)))
    assert f'<a href="{escape(address)}">{escape(name)}</a>' in html


@pytest.mark.parametrize(
    "cell", ['https://x" onmouseover="y', "https://x y", "http://x", "javascript:x", "see https://x"]
)
def test_what_is_no_plain_https_address_is_text(cell):
    html = table_page(Table("links", ("where",), ((cell,),)))
    assert "<a" not in html
    assert cell in html_text(html)


def test_an_address_that_looks_like_markup_stays_one_link():
    html = table_page(Table("links", ("where",), (("https://x/<b>",),)))
    assert html_tags(html) == (OURS | {"a"}) - {"b", "br", "style"}
    assert '<a href="https://x/&lt;b&gt;">' in html


# The stepper for stories


def test_the_buttons_the_slider_and_the_list_move_one_index():
    stepper = StoryStepper(Attempts(LOST))
    for button, index in [
        (stepper.next, 1),
        (stepper.last, 6),
        (stepper.next, 6),
        (stepper.back, 5),
        (stepper.first, 0),
        (stepper.back, 0),
    ]:
        button.click()
        assert stepper.index == stepper.slider.value == stepper.calls.index == index
    stepper.slider.value = 4
    assert "step 4 of 6" in html_text(stepper.view.value)
    stepper.calls.index = 2
    assert stepper.index == 2


@pytest.mark.parametrize(("at", "index"), [(0, 0), (4, 4), (99, 6), (-3, 0)])
def test_it_opens_at_a_step_or_the_nearest_end(at, index):
    assert StoryStepper(Attempts(LOST), at=at).index == index


def test_it_lists_every_event():
    stepper = StoryStepper(Attempts(LOST))
    assert len(stepper.calls.options) == 7
    assert stepper.calls.options[3].replace("\u00a0", " ") == '   3  timeout: retry("a", 1)'


def test_it_marks_the_event_that_is_shown():
    stepper = StoryStepper(Attempts(LOST))
    for index in (0, 3, 6):
        stepper.index = index
        assert [option.startswith("▸") for option in stepper.calls.options] == [number == index for number in range(7)]


def test_its_other_forms_are_the_story_s():
    story = Attempts(LOST)
    stepper = StoryStepper(story, at=2)
    data, _ = stepper._repr_mimebundle_()
    assert data["text/html"] == page(stepper.static_html()) == page(story_page(story))
    assert str(stepper) == str(story)
    assert repr(stepper) == f"StoryStepper: {story.title}, step 2 of 6"


def test_moments_told_later_are_another_story():
    story = Attempts(LOST)
    stepper = StoryStepper(story)
    story.tell("one more", "and so on")
    stepper.last.click()
    assert stepper.index == 6
    assert "one more" not in stepper.static_html()


def test_a_story_without_events_stays_at_the_start():
    stepper = StoryStepper(Machine([]))
    stepper.next.click()
    assert stepper.index == 0


@pytest.mark.parametrize("source", [None, "fifo", ["effect 1"], Attempts])
def test_what_is_no_story_is_refused_in_one_sentence(source):
    with pytest.raises(TypeError, match=r"^StoryStepper takes a Story, such as Attempts\(\[\.\.\.\]\), not \w+$"):
        StoryStepper(source)


# The house


def test_the_simulations_need_the_standard_library_only():
    program = "import sys; before = set(sys.modules); import rq.beyond; print(*sorted(set(sys.modules) - before))"
    loaded = in_python(program).split()
    assert "rq.beyond.policy" in loaded
    assert {"pandas", "ipywidgets"}.isdisjoint(loaded)


def test_every_history_can_be_stepped():
    for history in histories():
        assert len(StoryStepper(Attempts(history)).story) == len(history)
