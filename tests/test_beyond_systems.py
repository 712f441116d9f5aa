"""The table of production systems: complete, and every answer with a link to the system's own pages."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest

from rq.beyond import QUESTIONS, SYSTEMS, systems_table

NAMES = ["beanstalkd", "SQS", "RabbitMQ", "Redis Queue", "Celery", "BullMQ", "Sidekiq", "River", "Oban", "Kafka"]

OWN = {
    "beanstalkd": ("github.com/beanstalkd/",),
    "Amazon SQS": ("docs.aws.amazon.com/",),
    "RabbitMQ": ("www.rabbitmq.com/docs/",),
    "Redis Queue": ("python-rq.org/", "github.com/rq/rq/"),
    "Celery": ("docs.celeryq.dev/", "github.com/celery/kombu/"),
    "BullMQ": ("docs.bullmq.io/", "github.com/taskforcesh/bullmq/"),
    "Sidekiq": ("github.com/sidekiq/sidekiq/", "sidekiq.org/wiki/"),
    "River": ("github.com/riverqueue/river/",),
    "Oban": ("github.com/oban-bg/oban/",),
    "Kafka consumers": ("github.com/apache/kafka/",),
    "PostgreSQL with SKIP LOCKED": ("www.postgresql.org/",),
}
"""Where each system's own documentation and source are."""

CELLS = [
    (name, question, answer) for name in SYSTEMS for question, answer in zip(QUESTIONS, SYSTEMS[name], strict=True)
]
each_cell = pytest.mark.parametrize(
    ("name", "answer"), [pytest.param(name, answer, id=f"{name}-{question}") for name, question, answer in CELLS]
)


def test_every_system_and_every_question_is_there():
    assert list(QUESTIONS) == ["words", "stale ack", "capacity", "id reuse", "cancel"]
    for name in [*NAMES, "PostgreSQL"]:
        assert any(name in system for system in SYSTEMS)
    assert len(CELLS) == len(SYSTEMS) * 5 == 55


@each_cell
def test_a_cell_has_a_link_to_the_system_s_own_pages(name, answer):
    address = urlsplit(answer.link)
    assert address.scheme == "https"
    assert f"{address.netloc}{address.path}".startswith(OWN[name])
    assert "/issues/" not in address.path  # what somebody asked is no documentation


@each_cell
def test_a_cell_is_one_short_line(name, answer):
    assert 10 <= len(answer.text) <= 120
    assert not re.search(r"[<>\n|]", answer.text)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_table_of_a_question_has_one_row_for_each_system_with_its_link(question):
    table = systems_table(question)
    assert table.caption == QUESTIONS[question]
    assert [name for name, _, _ in table.rows] == list(SYSTEMS)
    html = table._repr_html_()
    for _, link, text in table.rows:
        assert f'<a href="{link}">' in html
        assert text.replace("'", "&#x27;") in html or text in html


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_source_is_shown_by_the_name_of_its_page_or_file(question):
    html = systems_table(question)._repr_html_()
    for _, link, _ in systems_table(question).rows:
        (name,) = re.findall(rf'<a href="{re.escape(link)}">([^<]+)</a>', html)[:1]
        assert f"/{name}" in link
        assert re.fullmatch(r"[A-Za-z][\w.-]{3,30}", name)
        assert name != urlsplit(link).netloc


def test_what_holds_for_one_kind_of_queue_says_which():
    answer = SYSTEMS["Amazon SQS"][list(QUESTIONS).index("id reuse")]
    assert "FIFO" in answer.link
    assert answer.text.startswith("FIFO queues: ")


def test_a_question_that_is_not_there_is_refused():
    with pytest.raises(
        ValueError, match="the questions are words, stale ack, capacity, id reuse, cancel; 'price' is none"
    ):
        systems_table("price")
