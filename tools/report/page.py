# SPDX-License-Identifier: GPL-2.0
"""The page of "Demystifying GPU UVM Cost"."""

import html

import checks
import document
import explained
import figures
import published
import suggested


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
    mine = [line for use, line in commands if use.split("=")[0] in uses or use.split("-")[0] in uses]
    return document.section(name, heading, published.TEXT.get(name, []), draw(data), mine)


def build(data):
    """The whole page."""
    rows = checks.judge(data)
    judged = document.verdicts(rows, lambda name: explained.why(data, name))
    sections = [section(data, figure, data["commands"])
                for figure in (*figures.ALL, *suggested.FIGURES)]
    return document.build(data, published.TITLE, introduction(data, document.counted(rows)),
                          judged, sections)
