# SPDX-License-Identifier: GPL-2.0
"""The page that people read."""

import html

import checks
import explained
import figures
import published
import suggested

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


def verdicts(data, rows):
    """The table that comes first; deviations are followed by what explains them."""
    rows = [[*row[:2], row[2] + (". " + explained.why(data, row[0])
                                 if row[3] == checks.DEVIATION else ""), row[3]] for row in rows]
    body = "".join(
        f'<tr class="{row[3].split()[0]}">' +
        "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return ("<table class=verdicts><tr><th>expected to hold</th><th>published</th>"
            f"<th>measured</th><th>verdict</th></tr>{body}</table>")


def introduction(data, counts):
    """What was run, and how it differs from the paper's machine."""
    scale = data["scale"]
    return (
        f"<p>Every figure and table of the paper's evaluation, published beside measured, on the "
        f"software GPU with profile <code>titanv</code> (80 SMs, the costs of "
        f"<code>uvm info</code>). {counts}</p>"
        f"<p>Scale <b>{html.escape(scale['name'])}</b>: usable GPU memory is "
        f"{figures.size_text(scale['memory'])}, {scale['factor']:.0f} times less than the "
        f"paper's 12 GB, with {scale['memory'] >> 21} root chunks of 2 MB; for sgemm's sizes "
        f"{figures.size_text(scale['sgemm_memory'])}. Ratios of footprint to memory are the "
        f"paper's; SMs, pages, blocks and batches are not scaled, so a problem has fewer pages "
        f"and blocks for as many threads in flight.</p>"
        f"<p>Times are of the virtual clock: GPU time is from launch to end; the breakdown has "
        f"the driver's phases while kernels ran. Faults are records that the driver "
        f"fetched.</p>")


def section(data, figure, commands):
    """One figure."""
    name, heading, draw, uses = figure
    text = f'<h2 id="{name}">{html.escape(heading)}</h2>'
    told = published.TEXT.get(name, [])
    if told:
        text += "<div class=published>" + "".join(
            f"<p>{html.escape(line)}</p>" for line in told) + "</div>"
    text += draw(data)
    mine = [line for use, line in commands if use.split("=")[0] in uses or use.split("-")[0] in uses]
    return text + (f"<details><summary>The {len(mine)} commands</summary><pre>" +
                   html.escape("\n".join(mine)) + "</pre></details>")


def build(data, commands, made_by):
    """The whole page."""
    rows = checks.judge(data)
    count = {v: sum(row[3] == v for row in rows)
             for v in (checks.DEVIATION, checks.UNKNOWN, checks.PASS)}
    counts = (f"Of {len(rows)} expectations {count[checks.PASS]} hold, "
              f"{count[checks.DEVIATION]} deviate, {count[checks.UNKNOWN]} were not measured.")
    errors = "".join(f"<p class=gap>Failed: <code>{html.escape(command)}</code>: "
                     f"{html.escape(error)}</p>" for command, error in data["errors"])
    body = "".join(section(data, figure, commands) for figure in (*figures.ALL, *suggested.FIGURES))
    return (f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8>"
            f"<title>{published.TITLE}: reproduced</title><style>{STYLE}</style></head><body>"
            f"<h1>{published.TITLE}: reproduced</h1>{introduction(data, counts)}"
            f'<h2 id="deviations">Deviations first: what is expected to hold</h2>'
            f"{verdicts(data, rows)}{errors}{body}"
            f"<h2>Again</h2><pre>{html.escape(made_by)}</pre></body></html>\n")
