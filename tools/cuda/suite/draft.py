# SPDX-License-Identifier: GPL-2.0
"""
A first list of a suite that has none: a program for each source with a main(), with the sources and
flags that the Makefile beside it names, and the arguments of a script beside it.  It is a guess, for
a person to go on with: nothing is run to make it.
"""

import json
import os
import re
import shlex

SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c")
MAIN = re.compile(r"^[^\n/*#\"]*\bmain\s*\([^;{]*\)\s*\{", re.MULTILINE)
INCLUDE = re.compile(r"^\s*#\s*include\s*[\"<]([^\">]+)[\">]", re.MULTILINE)
FLAG = re.compile(r"(?<![^\s=])-(?:[DI][^\s$]+|std=(?:c|gnu)\+\+\w+|l\w+)(?!\S)")
# With a folder: ../common/common.c, dwt_cuda/fdwt53.o
ELSEWHERE = re.compile(r"(?<![\w./$)}-])((?:\.\.?/)*(?:[\w-][\w.-]*/)*)([\w-][\w.-]*)\.(?:o|cu|cpp|cc|cxx|c)\b")
RUN = re.compile(r"^\s*(?:time\s+)?\./(\S+)[ \t]*(.*)$", re.MULTILINE)
LIMIT = 4 << 20     # bytes: no source and no Makefile is larger

HEAD = """\
# Made by "make test-suite" from what lies here: a guess.  Look at each program: are these its sources,
# flags and arguments (and sizes that a simulator can do)?  What in its output says that it is right?
# Documentation/cuda.rst says what the keys are.
[defaults]
memory = [100, 50]
set = ["root_chunk_granularity=64k"]
"""


def text_of(path):
    """What a file says, or nothing."""
    try:
        if os.path.getsize(path) > LIMIT:
            return ""
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:
        return ""


class Folder:
    """A directory with sources: which of them are programs, and what the others are for."""

    def __init__(self, path, names):
        self.path = path
        self.texts = {n: text_of(os.path.join(path, n)) for n in sorted(names)
                      if n.endswith(SOURCES)}
        self.mains = [n for n, t in self.texts.items() if MAIN.search(t)]
        included = {os.path.basename(i) for t in self.texts.values() for i in INCLUDE.findall(t)}
        self.make = "".join(text_of(os.path.join(path, n)) for n in sorted(names)
                            if n.lower() in ("makefile", "gnumakefile"))
        self.others = [n for n in self.texts if n not in self.mains
                       and (n not in included or self.has_object(n))]
        self.scripts = [text_of(os.path.join(path, n)) for n in sorted(names)
                        if re.fullmatch(r"run\w*(\.sh)?", n)]

    def has_object(self, name):
        """The Makefile compiles it alone, though another source includes it."""
        stem = re.escape(os.path.splitext(name)[0])
        return re.search(rf"(?<![\w./-]){stem}(\.\w+)?\.o(?![\w./-])", self.make)

    def has_kernels(self, main):
        """A program of CUDA: itself, or what goes with it."""
        return any(n.endswith(".cu") for n in [main] + self.named())

    def named(self):
        """Other sources of which the Makefile speaks, as they are or as objects."""
        def said(name):
            stem = re.escape(os.path.splitext(name)[0])
            return re.search(rf"(?<![\w./-]){stem}(\.\w+)*(?![\w./-])", self.make)
        return [n for n in self.others if said(n)] + self.elsewhere()

    def elsewhere(self):
        """Sources in other folders that the Makefile names, if they are there."""
        found = []
        for folder, stem in ELSEWHERE.findall(self.make):
            for end in SOURCES:
                path = folder + stem + end
                text = text_of(os.path.join(self.path, path)) if folder.strip("./") else ""
                if text and path not in found and not MAIN.search(text):
                    found.append(path)
                    break
        return found

    def flags(self):
        """Those of the Makefile that have no variable in them, once each."""
        found = []
        for flag in FLAG.findall(self.make):
            ours = flag in ("-lcudart", "-lcuda", "-lm", "-lstdc++")
            if not ours and flag not in found and "cuda" not in flag.lower():
                found.append(flag)
        return found

    def arguments(self):
        """Of the first line of a script that runs something: arguments, and stdin."""
        for script in self.scripts:
            for _, rest in RUN.findall(script):
                try:
                    words = shlex.split(re.split(r"\s*(?:\d?>|\||&|;)", rest)[0], comments=True)
                except ValueError:
                    continue
                return split_input(words)
        return [], ""


def split_input(words):
    """["5", "<file"] is an argument and an input."""
    arguments, source = [], ""
    while words:
        word = words.pop(0)
        if word.startswith("<"):
            source = word[1:] or (words.pop(0) if words else "")
        else:
            arguments.append(word)
    return arguments, source


def programs(top):
    """(name, keys) of each program below a directory, in the order of their paths."""
    found = []
    for path, folders, names in os.walk(top):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        folder = Folder(path, names)
        mains = [n for n in folder.mains if n.endswith(".cu")]
        mains = mains or [n for n in folder.mains if folder.has_kernels(n)]
        for main in mains:
            keys = {"directory": os.path.relpath(path, top)}
            keys["sources"] = [main] + folder.named()
            keys["flags"] = folder.flags()
            if len(mains) == 1:
                keys["arguments"], keys["input"] = folder.arguments()
            found.append((os.path.splitext(main)[0], keys))
    return unique(found)


def unique(found):
    """Names are told apart by their directories."""
    stems = [stem for stem, _ in found]
    taken, named = set(), []
    for stem, keys in found:
        name = stem
        if stems.count(stem) > 1 or stem == "main":
            folder = "" if keys["directory"] == "." else keys["directory"]
            name = "-".join(filter(None, [*folder.split(os.sep), stem if stem != "main" else ""]))
        name = re.sub(r"[^\w.+-]", "_", name).lstrip("_.+-") or "program"
        while name in taken:
            name += "-2"
        taken.add(name)
        named.append((name, keys))
    return named


def toml(value):
    """As TOML writes it: its strings are JSON's."""
    return json.dumps(value, ensure_ascii=False)


def draft(top):
    """The text of a list, and how many programs it has."""
    found = programs(top)
    lines = [HEAD]
    for name, keys in found:
        lines.append("[[program]]")
        lines.append(f"name = {toml(name)}")
        lines += [f"{key} = {toml(value)}" for key, value in keys.items() if value]
        lines.append('# pattern = ""\n')
    return "\n".join(lines), len(found)
