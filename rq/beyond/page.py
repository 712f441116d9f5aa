"""Stories and their tables as HTML, with the course's one style, one kind of table and one mark for a change."""

from __future__ import annotations

import re
from html import escape, unescape
from urllib.parse import urlsplit

from rq.beyond.story import Story, Table
from rq.html import block, said_html
from rq.tables import CHANGED, NOTHING, marked_cell, rows_html


def table_page(table: Table) -> str:
    """A table that stands alone. A cell that is an https address becomes a link, named after its page or file."""
    html = rows_html(table.caption, table.columns, table.rows)
    return block(re.sub(r'<td>(https://[^<"\s]+)</td>', _link, html))


def _link(cell: re.Match[str]) -> str:
    address = urlsplit(unescape(cell[1]))
    page = address.path.rstrip("/").rpartition("/")[2].removesuffix(".html")
    return f'<td><a href="{cell[1]}">{escape(page or address.netloc)}</a></td>'


def moment_page(story: Story, index: int) -> str:
    """Everything there is to see at one moment: the event, the reason, the tables with what changed."""
    moment = story.moments[index]
    before = story.moments[max(index - 1, 0)]
    head = f"<b>{escape(story.title)}</b><br>step {index} of {len(story)}"
    why = f"<b>{escape(moment.event)}</b><br>{escape(moment.sentence)}"
    pairs = zip(moment.tables, before.tables, strict=True)
    tables = "".join(_marked_html(table, old) for table, old in pairs)
    side = f'<div class="side" style="align-items: flex-start">{tables}</div>'
    return block(head + said_html(why, moment.wrong) + side)


def story_page(story: Story) -> str:
    """The whole story as one static table, for a reader without a kernel."""
    captions = [table.caption for table in story.moments[0].tables]
    rows = [
        (number, moment.event, *(table.line for table in moment.tables), moment.sentence)
        for number, moment in enumerate(story.moments)
    ]
    return block(rows_html(story.title, ("step", "event", *captions, "why"), rows))


def _marked_html(table: Table, old: Table) -> str:
    """A table whose cells are marked where the table before had another value, or no such row."""
    known = {row[0]: row for row in old.rows}
    names = {row[0] for row in table.rows}
    rows = []
    for row in table.rows:
        was = known.get(row[0])
        cells = [marked_cell(new, old_cell) for new, old_cell in zip(row, was or row, strict=True)]
        rows.append(cells if was else [f"{CHANGED} {row[0]} (new)", *cells[1:]])
    rows += [[f"{CHANGED} {name} (gone)", *cells] for name, *cells in old.rows if name not in names]
    nothing = (NOTHING,) * len(table.columns)
    return rows_html(table.caption, table.columns, rows or [nothing])
