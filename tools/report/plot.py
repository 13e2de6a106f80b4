# SPDX-License-Identifier: GPL-2.0
"""Plots by gnuplot, as text or bytes that go into the page."""

import base64
import subprocess

COLOURS = ("#1b6ca8", "#c8553d", "#588b8b", "#e0a458", "#6d597a", "#8f8f8f", "#2a9d8f", "#b56576")

# Instead of a drawing without points, which gnuplot refuses.
NOTHING = "<p class=gap>No run succeeded.</p>"


def quote(text):
    """A string of gnuplot's."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def block(name, rows):
    """A table of data inside the script; None is a gap."""
    lines = "\n".join(" ".join("NaN" if v is None else str(v) for v in row) for row in rows)
    return f"${name} << EOD\n{lines}\nEOD\n"


def gnuplot(script):
    """What it draws, as bytes."""
    done = subprocess.run(["gnuplot"], input=script.encode(), capture_output=True, check=False)
    if done.returncode or not done.stdout:
        raise RuntimeError(f"gnuplot: {done.stderr.decode(errors='replace')}")
    return done.stdout


def svg(script, width=720, height=420):
    """A drawing as an SVG element."""
    head = (f"set terminal svg size {width},{height} noenhanced background '#ffffff' "
            "font 'sans,12'\nset grid lc rgb '#dddddd'\nset key below maxrows 4\n")
    text = gnuplot(head + script).decode()
    return text[text.index("<svg"):]


def png(script, width=680, height=360):
    """A picture of many points as an img element."""
    head = (f"set terminal pngcairo size {width},{height} noenhanced font 'sans,9'\n"
            "set key below\nset xtics rotate by -30\n")
    data = base64.b64encode(gnuplot(head + script)).decode()
    return f'<img width="{width}" height="{height}" alt="" src="data:image/png;base64,{data}">'


def mark(x, text):
    """A vertical line with a word to it, for the extra of lines()."""
    return (f"set arrow from first {x}, graph 0 to first {x}, graph 1 nohead dt 2 lc rgb '#555'\n"
            f"set label {quote(text)} at first {x}, graph 0.97 right offset -1,0\n")


def lines(series, xlabel, ylabel, log="xy", extra=""):
    """Curves: series is [(title, [(x, y), ...]), ...]."""
    if not series or not all(points for _, points in series):
        return NOTHING
    script = "".join(block(f"s{i}", points) for i, (_, points) in enumerate(series))
    script += f"set xlabel {quote(xlabel)}\nset ylabel {quote(ylabel)}\n"
    script += f"set logscale {log}\n" if log else ""
    script += extra
    return svg(script + "plot " + ", ".join(
        f"$s{i} using 1:2 with linespoints pt 7 ps 0.6 lw 2 lc rgb '{COLOURS[i % 8]}' "
        f"title {quote(title)}" for i, (title, _) in enumerate(series)) + "\n")


def stacks(labels, parts, ylabel, extra=""):
    """Bars made of parts: parts is [(title, [value per label]), ...]."""
    rows = [[quote(label)] + [values[i] for _, values in parts] for i, label in enumerate(labels)]
    script = block("bars", rows)
    script += (f"set ylabel {quote(ylabel)}\nset style data histograms\n"
               "set style histogram rowstacked\nset style fill solid 0.9 noborder\n"
               "set boxwidth 0.8\nset xtics rotate by -40\n"
               f"set yrange [0:{100 if ylabel.startswith('%') else '*'}]\n")
    script += extra
    return svg(script + "plot " + ", ".join(
        f"$bars using {i + 2}:xtic(1) lc rgb '{COLOURS[i % 8]}' title {quote(title)}"
        for i, (title, _) in enumerate(parts)) + "\n")


def bars(labels, groups, ylabel, log=""):
    """Bars side by side: groups is [(title, [value per label]), ...]."""
    groups = [(title, values) for title, values in groups if any(v is not None for v in values)]
    if not groups:
        return NOTHING
    rows = [[quote(label)] + [values[i] for _, values in groups] for i, label in enumerate(labels)]
    script = block("bars", rows)
    script += (f"set ylabel {quote(ylabel)}\nset style data histograms\n"
               "set style histogram clustered gap 1\nset style fill solid 0.9 noborder\n"
               "set xtics rotate by -40\n")
    script += f"set logscale {log}\n" if log else "set yrange [0:*]\n"
    return svg(script + "plot " + ", ".join(
        f"$bars using {i + 2}:xtic(1) lc rgb '{COLOURS[i % 8]}' title {quote(title)}"
        for i, (title, _) in enumerate(groups)) + "\n")


def scatter(title, clouds, edges, xlabel, ylabel):
    """Points, and a line at each edge between allocations."""
    script = "".join(block(f"c{i}", points or [(None, None)])
                     for i, (_, points) in enumerate(clouds))
    script += f"set title {quote(title)}\nset xlabel {quote(xlabel)}\nset ylabel {quote(ylabel)}\n"
    script += "".join(f"set arrow from graph 0, first {y} to graph 1, first {y} nohead lw 1\n"
                      for y in edges)
    return png(script + "plot " + ", ".join(
        f"$c{i} using 1:2 with points pt 7 ps 0.25 lc rgb '{COLOURS[i % 8]}' title {quote(name)}"
        for i, (name, _) in enumerate(clouds)) + "\n", 460, 340)
