# SPDX-License-Identifier: GPL-2.0
"""Sphinx extension: a page for each policy, policy/KIND_NAME.rst, made of the policy's own file.

The comment that opens uvm/policy/SYSTEM/KIND_NAME.c is the page; headers of uvm/policy that the comment
names have theirs below it.  Paragraphs that begin with "Deviates: " come under a heading of their own.  What
is published must have one, but for bundles, whose members have theirs.  What the policy declares is the
rest: parameters with default and range, hardware that it needs, and for a bundle what it sets.  One paragraph
of each file begins with "Standing: " and one of STANDINGS.  The pages are not kept: each build writes them.
"""

import glob
import os
import re

from sphinx.errors import ExtensionError

from extract import (EXTENSIONS, NO_GPU, STANDING, STANDINGS, TOP, calls, extensions, joined, literal,
                     param_rows, policy_kinds, prose, read, standing_words, table)

FOLDER = "policy"
# Words of a comment whose policy is somebody's: a year, or papers that have none where they are named.
PUBLISHED = r"\b(?:19|20)\d\d\b|batch-aware|demystifying"
DEVIATES = "Deviates: "
# Contracts of kinds, which comments name, but which are no part of a policy.
CONTRACTS = {f"{kind}.h" for kind, *_ in policy_kinds()}
COUNTERS = "access counters (:doc:`/hardware`)"


def comment(text):
    """Paragraphs of the comment that opens a file, behind its licence."""
    found = re.search(r"\A(?://[^\n]*\n|/\* SPDX[^\n]*\n)*/\*(.*?)\*/", text, re.S)
    if not found:
        return []
    lines = re.sub(r"^ ?\*[ \t]?", "", found.group(1), flags=re.M)
    return [part.strip("\n") for part in re.split(r"\n\s*\n", lines.strip(" \n"))]


def paragraph(text):
    """As reST; what begins with * or - is a list."""
    if re.match(r"[*-] ", text):
        return [line for item in re.split(r"\n(?=[*-] )", text)
                for line in (f"* {prose(item[2:])}", "")]
    text = re.sub(r"\\\*(\w[^*\\]*)\\\*", r"*\1*", prose(text))
    return [re.sub(r"\bDocumentation/([\w-]+)\.rst\b", r":doc:`/\1`", text), ""]


def told(path):
    """(what it does, deviations) as reST, of a file and of the headers that it names."""
    does, deviates = [], []
    parts = comment(read(path))
    for name in re.findall(r"\b(\w+\.h)\b", " ".join(parts)):
        for header in glob.glob(os.path.join(TOP, "uvm/policy/**", name), recursive=True):
            if name not in CONTRACTS:
                parts += comment(read(os.path.relpath(header, TOP)))
    for part in dict.fromkeys(parts):
        if part.startswith(STANDING):
            continue
        if part.startswith(DEVIATES):
            words = part[len(DEVIATES):]
            deviates += paragraph(words[0].upper() + words[1:])
        else:
            does += paragraph(part)
    return does, deviates


def standing(path):
    """What a policy is, of the file's own paragraph, as reST."""
    parts = [part for part in comment(read(path)) if part.startswith(STANDING)]
    word, *needs = standing_words(read(path)) or [""]
    if len(parts) != 1 or word not in STANDINGS:
        raise ExtensionError(f"{path}: one paragraph must begin with \"{STANDING}\" and one of: "
                             + ", ".join(STANDINGS))
    text = parts[0][len(STANDING) + len(word):]
    return paragraph(f"*{word}*{text}" + (f"  It needs {NO_GPU}." if needs else ""))


def members(arguments):
    """What a declaration sets: {".policy.params": ...}."""
    pairs = [argument.split(" = ", 1) for argument in arguments if " = " in argument]
    return {name: value for name, value in pairs}


def heading(text, line):
    """A title; links to it need none."""
    return [text, line * len(text), ""]


def parameters(found):
    """Its constants: a table."""
    names = re.findall(r"\w+", found.get(".policy.params", ""))
    rows = [row for row in param_rows() if row[0].strip("`") in names]
    if not rows:
        return ["It has no parameters.", ""]
    return table("30 12 16 8 34", ["name", "default", "values", "run time", "what it is"], rows)


def hardware(path, found):
    """What the GPU must have."""
    text = read(path)
    needs = extensions(text)
    feeds = set(re.findall(r"UVM_FEED_\w+", found.get(".policy.feeds", ""))) - {"UVM_FEED_COUNTERS"}
    for feed in feeds - set(EXTENSIONS):
        raise ExtensionError(f"{path}: no words for {feed}: add some to EXTENSIONS")
    if "UVM_FEED_COUNTERS" in text:
        needs.append(COUNTERS)
    if not needs:
        return ["It needs nothing that GPUs do not have.", ""]
    return ["It needs hardware:", ""] + [f"* {words}" for words in needs] + [""]


def settings(text):
    """Of a bundle, (parameter, value)."""
    return re.findall(r'\{ "(\w+)", "(\w+)" \}', text)


def choosers(kind, name, parameter):
    """Bundles that have it."""
    found = []
    for path in sorted(glob.glob(os.path.join(TOP, "uvm/policy/*/bundle_*.c"))):
        text = read(os.path.relpath(path, TOP))
        if (parameter, name) in settings(text):
            found += [bundle for _, bundle, *_ in calls(text, "UVM_POLICY")]
    links = ", ".join(f":doc:`policy={bundle} <bundle_{bundle}>`" for bundle in found)
    return [f"Chosen by {links}.", ""] if found and kind != "bundle" else []


def sets(text):
    """What a bundle sets, with links."""
    kinds = {parameter: kind for kind, parameter, *_ in policy_kinds()}
    rows = [[literal(parameter), f":doc:`{value} <{kinds[parameter]}_{value}>`"
             if parameter in kinds else literal(value)] for parameter, value in settings(text)]
    return heading("What it sets", "=") + table("40 60", ["parameter", "value"], rows) if rows else []


def page(path, kind, parameter, declared):
    """The reST of one policy."""
    name, what, *rest = declared
    text, found = read(path), members(rest)
    does, deviates = told(path)
    if not does:
        raise ExtensionError(f"{path}: begins with no comment to make a page of")
    if kind != "bundle" and re.search(PUBLISHED, " ".join(does)) and not deviates:
        raise ExtensionError(f"{path}: published, but no paragraph says \"{DEVIATES}\"")
    lines = [".. SPDX-License-Identifier: GPL-2.0", ""]
    title = f"{parameter}={name}"
    lines += ["=" * len(title), title, "=" * len(title), ""]
    what = what.replace('" "', "").strip('"')
    lines += [f"{prose(what[0].upper() + what[1:])}.  The file is :file:`{path}`.", ""]
    lines += choosers(kind, name, parameter)
    lines += heading("Standing", "=") + standing(path)
    lines += heading("What it does", "=") + does
    if deviates:
        lines += heading("Deviations", "=") + deviates
    lines += sets(joined(text))
    if kind != "bundle":
        lines += heading("Parameters", "=") + parameters(found)
        lines += heading("Hardware", "=") + hardware(path, found)
    return "\n".join(lines)


def pages():
    """{file name: reST} of all policies."""
    kinds = {kind: parameter for kind, parameter, *_ in policy_kinds()}
    found = {}
    for path in sorted(glob.glob(os.path.join(TOP, "uvm/policy/*/*.c"))):
        path = os.path.relpath(path, TOP)
        for kind, *declared in calls(joined(read(path)), "UVM_POLICY"):
            found[f"{kind}_{declared[0]}.rst"] = page(path, kind, kinds[kind], declared)
    return found


def write(app):
    """What has changed, so that a second build has little to do; what is gone goes."""
    folder = os.path.join(app.srcdir, FOLDER)
    os.makedirs(folder, exist_ok=True)
    wanted = pages()
    for name in set(os.listdir(folder)) - set(wanted):
        os.unlink(os.path.join(folder, name))
    for name, text in wanted.items():
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                if file.read() == text:
                    continue
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def setup(app):
    """Before pages are looked for."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
