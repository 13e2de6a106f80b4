# SPDX-License-Identifier: GPL-2.0
"""The page that people read."""

import html
import os

from . import verdict
from .parts import Chart, write

STYLE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "style.css")
SMOKE = ("<p class=smoke><b>This is a smoke run.</b> Its sizes are tiny. They show that every "
         "figure can be made. The paper tells nothing about them, so nothing is judged.</p>")


def style():
    """Of all pages."""
    with open(STYLE, encoding="utf-8") as f:
        return f.read()


def link(paper, name):
    """To a figure, by the first words of its title."""
    title = next(f.title for f in paper.figures if f.name == name)
    return f'<a href="#{name}">{html.escape(title.split(":")[0])}</a>'


# ---- what is expected to hold --------------------------------------------------


def other(row):
    """What another scale gave."""
    return f" <small>({html.escape(row.beside)})</small>" if row.beside else ""


def line(paper, row):
    """One expectation, as cells of a line."""
    return (f'<span class=name>{html.escape(row.name)}</span>'
            f'<span data-of=published>{html.escape(row.expected) or "-"}</span>'
            f'<span data-of=measured title="{html.escape(row.measured)}">'
            f'{html.escape(row.measured) or "-"}{other(row)}</span>'
            f'<span>{link(paper, row.figure)}</span>')


def listed(lines):
    """A table of expectations."""
    return ("<div class=verdicts><div class='line head'><span class=name>expected to hold</span>"
            "<span>published</span><span>measured</span><span>figure</span></div>"
            f"{''.join(lines)}</div>")


def explained(sentences, at, told):
    """The sentences of a deviation; those that were told before are a link to where that was."""
    new = [s for s in sentences if s not in told]
    before = {told[s]: None for s in sentences if s in told}
    told.update({s: at for s in new})
    links = ", ".join(f'<a href="#why-{i}">{html.escape(name)}</a>' for i, name in before)
    items = [html.escape(s) for s in new]
    items += [f"What is told of these belongs here, too: {links}."] if links else []
    return "".join(f"<li>{item}</li>" for item in items)


def fold(paper, row, items, number):
    """A deviation: a line that opens all of the measurement, and its reasons."""
    # A link to what is inside a fold opens it.
    whole = (f'<p id="why-{number}">Measured: {html.escape(row.measured)}{other(row)}. '
             f"Published: {html.escape(row.expected)}.</p>")
    why = f"<ul>{items}</ul>" if items else "<p>No measurement explains it.</p>"
    return (f"<details class=deviation><summary class=line>{line(paper, row)}</summary>"
            f"{whole}{why}</details>")


def deviations(paper, data, rows):
    """One line each; what explains it is folded below."""
    lines, told = [], {}
    for number, row in enumerate(rows, 1):
        items = explained(verdict.reasons(paper, data, row), (number, row.name), told)
        lines.append(fold(paper, row, items, number))
    return ("<p>Each line opens: there are the measurements that explain it.</p>" + listed(lines)
            if rows else "<p>There is none.</p>")


def others(paper, rows):
    """What holds, and what was not measured: each in a fold."""
    text = ""
    for which, told in ((verdict.SMOKE, "measured, but not judged"),
                        (verdict.UNKNOWN, "not measured"), (verdict.PASS, "hold")):
        lines = [f"<div class='line {which.split()[0]}'>{line(paper, row)}</div>"
                 for row in rows if row.verdict == which]
        if lines:
            text += (f"<details><summary>{len(lines)} {told}</summary>"
                     f"{listed(lines)}</details>")
    return text


def counted(rows, what):
    """How many expectations hold, in words."""
    count = {v: sum(row.verdict == v for row in rows) for v in verdict.ORDER}
    if count[verdict.SMOKE]:
        return f"{len(rows)} {what}: none is judged."
    return (f"Of {len(rows)} {what} {count[verdict.PASS]} hold, "
            f"{count[verdict.DEVIATION]} deviate, {count[verdict.UNKNOWN]} were not measured.")


def counts(rows):
    """The same; those of our own apart."""
    own = [row for row in rows if row.is_ours()]
    if not own:
        return counted(rows, "expectations")
    return (counted([row for row in rows if not row.is_ours()], "published expectations") + " " +
            counted(own, "expectations of our own, which begin with \"ours:\","))


# ---- figures -------------------------------------------------------------------


def share(rows, figure):
    """In a line of the contents: how much of a figure's expectations holds."""
    mine = [row for row in rows if row.figure == figure.name]
    count = sum(row.verdict == verdict.DEVIATION for row in mine)
    words = (f"{count} of {len(mine)} deviate" if count else
             f"{len(mine)} expectation{'s' if len(mine) > 1 else ''}")
    return f" <span class=count>{words}</span>" if mine else ""


def contents(paper, data, rows):
    """Links to all sections."""
    lines = ['<li><a href="#deviations">Deviations</a></li>']
    lines += [f'<li><a href="#{f.name}">{html.escape(f.title)}</a>{share(rows, f)}</li>'
              for f in paper.figures if f.shown(data)]
    return f"<nav><b>Contents</b><ul>{''.join(lines)}</ul></nav>"


def headline(paper, parts):
    """The chart that opens the page; its figure only says so."""
    mine = parts[paper.headline]
    at = next((i for i, part in enumerate(mine) if isinstance(part, Chart)), None)
    if at is None:
        return "<p class=gap>The chart that belongs here has no run that succeeded.</p>"
    chart, mine[at] = mine[at], '<p>Its first chart <a href="#headline">opens this page</a>.</p>'
    return f"<div id=headline class=headline>{chart.html(f'{paper.headline}-headline')}</div>"


def section(figure, parts, commands):
    """One figure: what is published, what is measured, the commands."""
    text = f'<h2 id="{figure.name}">{html.escape(figure.title)}</h2>'
    if figure.told:
        text += "<div class=published>" + "".join(
            f"<p>{html.escape(sentence)}</p>" for sentence in figure.told) + "</div>"
    return (f"{text}<div class=charts>{write(parts, figure.name)}</div>"
            f"<details><summary>The {len(commands)} commands</summary><pre>" +
            html.escape("\n".join(commands)) + "</pre></details>")


def ran(data):
    """Which results are wrong."""
    if data["wrong"]:
        return ("<p class=gap>Wrong results, which count nowhere: "
                f"{html.escape(', '.join(data['wrong']))}.</p>")
    return "<p>No result is wrong.</p>" if data["runs"] else ""


def opening(paper, data, rows):
    """What was run."""
    number = len({command for some in data["commands"].values() for command in some})
    failed = len(data["errors"])
    first = (f"<p><b>{html.escape(data['scale']['name'])}</b> scale: {number} runs"
             f"{f', {failed} of which failed' if failed else ''}, which took "
             f"{data['seconds'] / 60:.0f} minutes in all. "
             f"{counts(rows)}</p>")
    return (f"<div class=run>{SMOKE if data['smoke'] else ''}{first}"
            f"{''.join(paper.introduction(data))}{ran(data)}</div>")


def errors(data):
    """Runs that failed."""
    return "".join(f"<p class=gap>Failed: <code>{html.escape(command)}</code>: "
                   f"{html.escape(error)}</p>" for command, error in data["errors"])


def build(paper, data):
    """The whole page."""
    rows = verdict.shown(paper, data)
    parts = {figure.name: list(figure.draw(data)) for figure in paper.figures
             if figure.shown(data) or figure.name == paper.headline}
    bad = [row for row in rows if row.verdict == verdict.DEVIATION]
    judged = "" if data["smoke"] else deviations(paper, data, bad)
    first = headline(paper, parts)
    sections = "".join(section(f, parts[f.name], data["commands"].get(f.name, []))
                       for f in paper.figures if f.shown(data))
    title = html.escape(f"{paper.title}: reproduced")
    return (f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8>"
            "<meta name=viewport content='width=device-width, initial-scale=1'>"
            f"<meta name=color-scheme content='light dark'><title>{title}</title>"
            f"<style>{style()}</style></head><body><h1>{title}</h1>"
            f"{opening(paper, data, rows)}{first}{contents(paper, data, rows)}"
            f'<h2 id="deviations">Deviations first: what is expected to hold</h2>'
            f"{errors(data)}{judged}{others(paper, rows)}{sections}"
            f"<h2>Again</h2><pre>{html.escape(data['made_by'])}</pre></body></html>\n")
