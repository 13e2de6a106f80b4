# SPDX-License-Identifier: GPL-2.0
"""What a figure on the page is made of: text in HTML is a string, all else is here."""

import csv
import html
import io
from dataclasses import dataclass
from urllib.parse import quote

# What needs no escape in such a link.
PLAIN = ",:/()@+~ "
MISSING = "<p class=gap>No run succeeded.</p>"


def sheet(head, rows):
    """CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    return text.getvalue()


def download(name, head, rows):
    """A link that has its file in itself, so that the page stands alone."""
    return (f'<a class=csv download="{html.escape(name)}.csv" '
            f'href="data:text/csv;charset=utf-8,{quote(sheet(head, rows), safe=PLAIN)}">CSV</a>')


def cell(value):
    """Of a table: words are on the left, numbers on the right."""
    text = html.escape(str(value))
    words = " class=words" if text and text[0] not in "0123456789+-" else ""
    return f"<td{words}>{text}</td>"


@dataclass(frozen=True)
class Table:
    """Rows of cells; numbers are aligned by style."""

    head: list
    rows: list
    title: str = ""

    def html(self, name):
        """As an element that scrolls alone where it is wide."""
        line = "".join(f"<th>{html.escape(str(c))}</th>" for c in self.head)
        body = "".join("<tr>" + "".join(map(cell, row)) + "</tr>" for row in self.rows)
        title = f"{html.escape(self.title)} " if self.title else ""
        return (f"<figure class=wide><figcaption>{title}{download(name, self.head, self.rows)}"
                f"</figcaption><div class=scroll><table><tr>{line}</tr>{body}</table></div>"
                "</figure>")


@dataclass(frozen=True)
class Chart:
    """A drawing by plot.render(), and the numbers that are in it."""

    title: str
    kind: str
    spec: dict
    head: list
    rows: list
    paint: callable

    def html(self, name):
        """As an element, with its numbers to take along."""
        return (f"<figure class=chart><figcaption>{html.escape(self.title)} "
                f"{download(name, self.head, self.rows)}</figcaption>"
                f"{self.paint(self.kind, self.spec, self.title)}</figure>")


@dataclass(frozen=True)
class Fold:
    """Parts that a reader opens."""

    title: str
    parts: list


def write(parts, name):
    """HTML of parts; CSV files are named after the figure and numbered."""
    found, count = [], 0
    for part in parts:
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, Fold):
            found.append(f"<details><summary>{html.escape(part.title)}</summary>"
                         f"{write(part.parts, f'{name}-more')}</details>")
        else:
            count += 1
            found.append(part.html(f"{name}-{count}" if count > 1 else name))
    return "".join(found)
