# SPDX-License-Identifier: GPL-2.0
"""Comments cite rules of the real driver by number, as "nvidia-uvm 5.4, step 7", and pages name files.

usage: citations.py

Prints each number that Documentation/nvidia-uvm.rst does not have, and each file or folder that
a page names and that does not exist; exits 1 if there is any.
"""

import glob
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(TOP, "build")
PAGE = "Documentation/nvidia-uvm.rst"

NEXT_LINE = re.compile(r"\s*\n[ \t]*(\*(?!/)|#|//)?[ \t]*")
STEPS = r"steps? \d+(?:(?:, | and | to )\d+(?![.\d]))*"
SECTION = rf"\d+(?:\.\d+)?(?![\d.]*\d)(?:,? {STEPS})?"
CITATION = re.compile(rf"nvidia-uvm \(?({SECTION}(?:(?:, | and | to | - ){SECTION})*)")
STEP_OF = re.compile(r"[Ss]tep (\d+) of nvidia-uvm (\d+\.\d+)")
ELSEWHERE = re.compile(r"nvidia-uvm\.md|\bcharter\b|\bissues? (?:[A-Z]\.)?\d+", re.IGNORECASE)
# What a page names between backquotes, up to a blank; NAME and * stand for anything.
NAMED = re.compile(r"`((?:Documentation|include|kunit|qemu-tests|softgpu|tools|uvm)/[^`\s]*)")
ANYTHING = re.compile(r"\*|[A-Z]{2,}(?!\w*\.md)")
# Made of the policies' files when the pages are built.
GENERATED = "Documentation/policy/"


def page_rules(text):
    """{"5.4": {1, 2, ...}}: sections of the page, and the steps of each."""
    rules, section = {}, None
    for line in text.splitlines():
        if label := re.match(r"\.\. _nvidia-uvm-([\d.]+):", line):
            section = rules.setdefault(label[1], set())
        elif section is not None and (step := re.match(r"(\d+)\. ", line)):
            section.add(int(step[1]))
    return rules


def numbers(text):
    """"7 and 8" is 7, 8; "3 to 5" is 3, 4, 5."""
    found = []
    for word, number in re.findall(r"(to|)\s*(\d+)", text):
        found += range(found[-1] + 1, int(number) + 1) if word else [int(number)]
    return found


def between(first, last):
    """5.2 to 5.4 is 5.3 as well."""
    chapter, begin = first.split(".")
    return [f"{chapter}.{n}" for n in range(int(begin) + 1, int(last.split(".")[1]))]


def cited(text):
    """(section, step or None) of all citations in a file."""
    text = NEXT_LINE.sub(" ", text)
    for step, section in STEP_OF.findall(text):
        yield section, int(step)
    for citation in CITATION.findall(text):
        last = None
        for word, section, steps in re.findall(rf"(to |- |)(\d+(?:\.\d+)?)((?:,? {STEPS})?)",
                                               citation):
            for one in between(last, section) if word and last else []:
                yield one, None
            yield section, None
            for step in numbers(steps):
                yield section, step
            last = section


def faults(text, rules):
    """What is wrong with the citations of a file."""
    for section, step in cited(text):
        if section not in rules:
            yield f"nvidia-uvm {section}: not in {PAGE}"
        elif step and step not in rules[section]:
            yield f"nvidia-uvm {section}, step {step}: not in {PAGE}"
    for elsewhere in ELSEWHERE.findall(text):
        yield f"{elsewhere}: nothing in this tree; say the rule itself"


def lost(text):
    """Files and folders that a page names and that do not exist; names may lack their ending."""
    for name in NAMED.findall(text):
        path = os.path.join(TOP, name.rstrip("/:,;"))
        if not ANYTHING.search(name) and not os.path.exists(path) and not glob.glob(path + ".*"):
            yield f"{name}: no such file or folder"


def files():
    """(name, text) of all text files of the tree, but for what has examples of bad citations."""
    for path, folders, names in os.walk(TOP):
        folders[:] = sorted(f for f in folders if f[0] != "." and os.path.join(path, f) != BUILD)
        for name in sorted(names):
            file = os.path.join(path, name)
            if name.startswith("citations") or os.path.islink(file):
                continue
            try:
                with open(file, encoding="utf-8") as opened:
                    yield os.path.relpath(file, TOP), opened.read()
            except UnicodeDecodeError:
                continue


def main():
    with open(os.path.join(TOP, PAGE), encoding="utf-8") as page:
        rules = page_rules(page.read())
    wrong = False
    for name, text in files():
        page = name.endswith((".rst", ".md")) and not name.startswith(GENERATED)
        found = [*faults(text, rules), *(lost(text) if page else [])]
        for fault in dict.fromkeys(found):
            print(f"{name}: {fault}")
            wrong = True
    return wrong


if __name__ == "__main__":
    sys.exit(main())
