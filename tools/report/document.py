# SPDX-License-Identifier: GPL-2.0
"""The page that people read: what all reports share."""

import html

import verdict

STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; color: #222 }
h1 { font-size: 1.6em } h2 { margin-top: 2.2em; border-bottom: 1px solid #ccc }
table { border-collapse: collapse; margin: 1em 0; font-size: 13px }
td, th { border: 1px solid #ccc; padding: .2em .6em; text-align: right; vertical-align: top }
td:first-child, th:first-child { text-align: left }
th { background: #f0f3f6; text-align: center }
.verdicts td { text-align: left }
.deviation td:last-child { background: #f6d5cd } .pass td:last-child { background: #d8ecd9 }
.published { border-left: 4px solid #e0a458; padding-left: 1em; color: #444 }
.gap { background: #fff3d6; padding: .4em .8em }
pre { background: #f6f6f6; padding: .6em; overflow-x: auto; font-size: 12px }
svg, img { max-width: 100%; height: auto }
"""


def table(head, rows):
    """An HTML table; numbers are aligned by style."""
    line = "".join(f"<th>{html.escape(str(c))}</th>" for c in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(c))}</td>" for c in row) + "</tr>"
                   for row in rows)
    return f"<table><tr>{line}</tr>{body}</table>"


def verdicts(rows, why):
    """The table that comes first; deviations are followed by what explains them, why(name)."""
    rows = [[*row[:2], row[2] + (". " + why(row[0]) if row[3] == verdict.DEVIATION else ""),
             row[3]] for row in rows]
    body = "".join(
        f'<tr class="{row[3].split()[0]}">' +
        "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return ("<table class=verdicts><tr><th>expected to hold</th><th>published</th>"
            f"<th>measured</th><th>verdict</th></tr>{body}</table>")


def counted(rows, what="expectations"):
    """How many expectations hold."""
    count = {v: sum(row[3] == v for row in rows)
             for v in (verdict.DEVIATION, verdict.UNKNOWN, verdict.PASS)}
    return (f"Of {len(rows)} {what} {count[verdict.PASS]} hold, "
            f"{count[verdict.DEVIATION]} deviate, {count[verdict.UNKNOWN]} were not measured.")


def section(name, heading, told, drawing, commands):
    """One figure: what is published, what is measured, the commands."""
    text = f'<h2 id="{name}">{html.escape(heading)}</h2>'
    if told:
        text += "<div class=published>" + "".join(
            f"<p>{html.escape(line)}</p>" for line in told) + "</div>"
    return (f"{text}{drawing}<details><summary>The {len(commands)} commands</summary><pre>" +
            html.escape("\n".join(commands)) + "</pre></details>")


def build(data, title, introduction, judged, sections):
    """The whole page."""
    errors = "".join(f"<p class=gap>Failed: <code>{html.escape(command)}</code>: "
                     f"{html.escape(error)}</p>" for command, error in data["errors"])
    return (f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8>"
            f"<title>{title}: reproduced</title><style>{STYLE}</style></head><body>"
            f"<h1>{title}: reproduced</h1>{introduction}"
            f'<h2 id="deviations">Deviations first: what is expected to hold</h2>'
            f"{judged}{errors}{''.join(sections)}"
            f"<h2>Again</h2><pre>{html.escape(data['made_by'])}</pre></body></html>\n")
