# SPDX-License-Identifier: GPL-2.0
"""Sphinx directives that take their contents from the sources.

.. kernel-struct:: HEADER NAME     a struct with its kernel-doc, as a table
.. profile-table::                 profile.h and softgpu/base/profile*.c
.. param-table::                   uvm/policy/param_table.h
.. policy-table::                  uvm/policy/kinds.h and every UVM_POLICY()
.. workload-table::                every UVM_WORKLOAD() that is in no group
.. event-table::                   include/uapi/linux/uvm_events.h
.. trace-events:: HEADER           names and fields of trace events
"""

import glob
import os
import re

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What a policy is, in one word, at the start of the paragraph of its file that begins so.
STANDING = "Standing: "
STANDINGS = ("nvidia-uvm", "published", "reference", "ours", "example")
NO_GPU = "hardware that no GPU has"


def read(path):
    """A source file."""
    with open(os.path.join(TOP, path), encoding="utf-8") as f:
        return f.read()


def literal(text):
    """Inline literal, or nothing for nothing."""
    return f"``{text}``" if text else ""


def prose(text):
    """Kernel-doc text as reST: @members, %constants, &types and globs are literal."""
    text = " ".join(text.split())
    text = re.sub(r"[@%&](\w+)", r"``\1``", text)
    text = re.sub(r"(?<![\w`])([A-Z]\w*_[A-Z0-9_]*\*)", r"``\1``", text)
    return re.sub(r"(?<!`)\*(?!`)", r"\\*", text)


# Members of a policy's declaration for which the driver turns on an extension of the hardware
# (uvm_gpu_set_concurrency(), pmm_policy.c); access counters are real.
EXTENSIONS = {
    "UVM_FEED_ACCESSED": "the time of the last access of GPU memory (:doc:`/hardware`, *accesses of GPU memory*)",
    "UVM_FEED_WALKS": "a recorder that tells each page-walk hit (:doc:`/hardware`, *the recorder*)",
    "UVM_FEED_HIR": "a recorder that sums up page-walk hits (:doc:`/hardware`, *the recorder*)",
    "UVM_FEED_ACCESSES": "a recorder that counts all accesses (:doc:`/hardware`, *the recorder*)",
    "UVM_FEED_REQUESTS": "a recorder that counts all requests (:doc:`/hardware`, *the recorder*)",
    r"\.free = true": "copies out that take no time (:doc:`/hardware`, *copy engines*)",
    r"UVM_POLICY\(concurrency,.*\.(?:start|window) = ":
        "thread blocks that wait beside those that run, and SMs that are turned off (:doc:`/hardware`, "
        "*thread oversubscription*, *SMs that are turned off*)",
}


def extensions(text):
    """What a policy's file needs that no GPU has, in words."""
    text = text[text.find("UVM_POLICY("):]
    return [words for member, words in EXTENSIONS.items() if re.search(member, text, re.S)]


def standing_words(text):
    """Of a policy's file: what it is, and whether there is hardware for it."""
    found = re.findall(rf"^ \* {STANDING}({'|'.join(STANDINGS)})\b", text, re.M)
    return found + [f"needs {NO_GPU}"] if extensions(text) else found


def table(widths, head, rows):
    """A list-table."""
    lines = [".. list-table::", "   :header-rows: 1", f"   :widths: {widths}", ""]
    for row in [head] + rows:
        for i, cell in enumerate(row):
            lines.append(f"   {'*' if i == 0 else ' '} - {cell}")
    return lines + [""]


def split_arguments(text):
    """Arguments of a macro call: commas inside strings and parentheses do not count."""
    parts, depth, quoted, start = [], 0, False, 0
    for i, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif not quoted and c in "([{":
            depth += 1
        elif not quoted and c in ")]}":
            depth -= 1
        elif not quoted and c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [" ".join(p.split()) for p in parts + [text[start:]]]


def calls(text, name):
    """Arguments of every call NAME(...) in TEXT."""
    for m in re.finditer(rf"\b{name}\(", text):
        depth, i, quoted = 1, m.end(), False
        while depth:
            c = text[i]
            quoted ^= c == '"'
            if not quoted:
                depth += (c == "(") - (c == ")")
            i += 1
        yield split_arguments(text[m.end():i - 1])


def joined(text):
    """A macro's definition without the line continuations and comments."""
    return re.sub(r"/\*.*?\*/", "", text.replace("\\\n", "\n"), flags=re.S)


class Generated(Directive):
    """Base: lines() makes reST."""

    optional_arguments = 2
    sources = ()

    def lines(self):
        """The reST."""
        raise NotImplementedError

    def run(self):
        """Parse what lines() made."""
        env = self.state.document.settings.env
        for path in list(self.sources) + [a for a in self.arguments if "/" in a]:
            env.note_dependency(os.path.join(TOP, path))
        node = nodes.container()
        self.state.nested_parse(StringList(self.lines(), "extract.py"), self.content_offset, node)
        return node.children


class KernelStruct(Generated):
    """One struct of a header."""

    required_arguments = 2
    optional_arguments = 0

    def lines(self):
        path, name = self.arguments
        m = re.search(rf"/\*\*\n \* struct {name} - (.*?)\*/\nstruct {name} {{\n(.*?)\n}};",
                      read(path), re.S)
        if not m:
            raise self.error(f"no struct {name} with kernel-doc in {path}")
        text = re.sub(r"^ \*[ \t]?", "", m.group(1), flags=re.M)
        what, *rest = re.split(r"\n(?=@\w+:)|\n\s*\n", text)
        members = dict(re.match(r"@(\w+):(.*)", r, re.S).groups() for r in rest if r[:1] == "@")
        rows = []
        for line in m.group(2).splitlines():
            field = re.match(r"\s*(.*?)\s*(\w+)((?:\[\w+\])*);", line)
            if field:
                kind, member, array = field.groups()
                rows.append([literal(member + array), literal(kind),
                             prose(members.pop(member, "0" if "reserved" in member else ""))])
        if members:
            raise self.error(f"struct {name}: documented but absent: {' '.join(members)}")
        out = [f"``struct {name}``: {prose(what.split(': ', 1)[-1])}", ""]
        out += table("25 20 55", ["member", "type", "meaning"], rows)
        for r in rest:
            if r.strip() and r[:1] != "@":
                out += [prose(r), ""]
        return out


class ProfileTable(Generated):
    """Every profile value with its source."""

    optional_arguments = 0
    sources = ("include/softgpu/profile.h", "softgpu/base/profile.c",
               "softgpu/base/profile_table.h")

    def profile(self, name, shared):
        """{key: (value, source)} of a profile."""
        path = f"softgpu/base/profile_{name}.c"
        self.state.document.settings.env.note_dependency(os.path.join(TOP, path))
        code = joined(read(path))
        defines = shared | self.defines(code)
        found = re.findall(r"\[RM_PROFILE_(\w+)\] = {\s*(\w+),\s*(.*?),?\s*}", code, re.S)
        return {key: (value, defines.get(source, source.strip('"')))
                for key, value, source in found}

    @staticmethod
    def defines(code):
        """{SRC_...: text}."""
        return dict(re.findall(r'#define (SRC_\w+)\s+"(.*)"', code))

    def lines(self):
        keys = {k: (u.strip('"'), w.strip('"'))
                for k, u, w in calls(joined(read(self.sources[0])).split("enum ")[0]
                                     .split("RM_PROFILE_KEYS(X)", 1)[1], "X")}
        names = re.findall(r"&sgpu_profile_(\w+),", read(self.sources[1]))
        shared = self.defines(joined(read(self.sources[2])))
        profiles = [self.profile(name, shared) for name in names]
        rows = []
        for key, (unit, what) in keys.items():
            values, sources = zip(*[profile[key] for profile in profiles])
            if "|" in unit:    # the value is a name: SGPU_FAR_FAULTS_WAIT is "wait"
                values = [value.rsplit("_", 1)[-1].lower() for value in values]
            note = sources[0] if len(set(sources)) == 1 else "; ".join(
                f"{n}: {s}" for n, s in zip(names, sources))
            rows.append([literal(key), unit or "\\ ", *values, what, note])
        widths = f"18 6 {'8 ' * len(names)}26 26"
        return table(widths, ["key", "unit", *names, "what", "source"], rows)


def policy_kinds():
    """(kind, parameter, what, default) of each kind of policies."""
    body = joined(read("uvm/policy/kinds.h")).split("UVM_POLICY_KINDS(P)", 1)[1]
    for row in calls(body.split("enum ", 1)[0], "P"):
        yield [field.strip('"') for field in row]


class PolicyTable(Generated):
    """Every policy, from its declaration."""

    optional_arguments = 0
    sources = ("uvm/policy/kinds.h",)

    def lines(self):
        found = {}
        for path in sorted(glob.glob(os.path.join(TOP, "uvm/policy/*/*.c"))):
            text = read(os.path.relpath(path, TOP))
            for kind, name, what, *_ in calls(text, "UVM_POLICY"):
                found.setdefault(kind, []).append((name, what.strip('"'), standing_words(text)))
        rows = []
        for kind, parameter, _, initial in policy_kinds():
            for name, what, standing in sorted(found[kind]):
                rows.append([kind, literal(parameter), f":doc:`{name} <policy/{kind}_{name}>`" +
                             (" (default)" if name == initial else ""), prose(what), "; ".join(standing)])
        return table("12 20 20 34 14", ["kind", "parameter", "policy", "what it does", "standing"], rows)


class WorkloadTable(Generated):
    """Every workload of "all", from its declaration."""

    optional_arguments = 0

    def lines(self):
        rows = []
        for path in sorted(glob.glob(os.path.join(TOP, "tools/workloads/*.c"))):
            text = joined(read(os.path.relpath(path, TOP)))
            found = [*calls(text, "UVM_WORKLOAD"),
                     *(rest for _, *rest in calls(text, "UVM_WORKLOAD_NAMED"))]
            for name, *members in found:
                members = dict(m.lstrip(".").split(" = ", 1) for m in members if m[:1] == ".")
                if "group" not in members:
                    rows.append([literal(name.strip('"')), prose(members["what"].strip('"'))])
        return table("20 80", ["workload", "what it does"], sorted(rows))


def policy_param_rows():
    """Likewise, of the parameters that policies own."""
    for path in sorted(glob.glob(os.path.join(TOP, "uvm/policy/**/*.c"), recursive=True)):
        text = joined(read(os.path.relpath(path, TOP)))
        for name, kind, initial, low, high, what in calls(text, "UVM_POLICY_PARAM"):
            yield name, what, initial, kind, low, high, "true"
        for name, words, what in calls(text, "UVM_POLICY_PARAM_WORDS"):
            body = re.search(r"struct uvm_param_word " + words + r"\[\] = \{(.*?)\n\};", text, re.S)
            list_ = ", ".join(literal(word) for word in re.findall(r'\{ "(\w+)"', body.group(1)))
            yield name, what, "none", f"some of {list_}", "", "", "true"


def param_rows():
    """Rows of param_table.h: name, default, values, at run time, what it is."""
    body = joined(read("uvm/policy/param_table.h"))
    driver = calls(body.split("UVM_PARAMS(X)", 1)[1].split("enum ", 1)[0], "X")
    for name, what, initial, kind, low, high, run_time in [*driver, *policy_param_rows()]:
        values = {"BOOL": "0, 1", "POW2": f"power of two, {low} ... {high}",
                  "SIZE": "4k, 64k or 2m" if low == "4096" else "64k or 2m",
                  "SIZES": "a sum of sizes"}.get(kind, f"{low} ... {high}" if low else kind)
        yield [literal(name), literal(initial.strip('"')), values.replace("UINT_MAX", "2^32 - 1"),
               "yes" if run_time == "true" else "no", prose(what.strip('"'))]


class ParamTable(Generated):
    """Parameters of uvm."""

    optional_arguments = 0
    sources = ("uvm/policy/param_table.h", "uvm/policy/kinds.h")

    def lines(self):
        rows = list(param_rows())
        for _, name, what, initial in policy_kinds():
            rows.append([literal(name), literal(initial), "a policy's name", "yes", prose(what)])
        return table("30 12 16 8 34", ["name", "default", "values", "run time", "what it is"], rows)


class EventTable(Generated):
    """Events of queues: what the comment above the list says of each."""

    optional_arguments = 0
    sources = ("include/uapi/linux/uvm_events.h",)

    def lines(self):
        text = read(self.sources[0])
        told = re.search(r"/\*\n \* X\(NAME,.*?\*/", text, re.S).group(0)
        told = dict(re.findall(r"^ \*   (\w+)\t+(.*(?:\n \*\t+.*)*)", told, re.M))
        body = joined(text).split("UVM_EVENT_TYPES(X)", 1)[1].split("enum ", 1)[0]
        names = {name: shown.strip('"') for name, shown, _ in calls(body, "X")}
        if set(names) != set(told):
            raise self.error(f"no line, or no event: {' '.join(set(names) ^ set(told))}")
        return table("35 65", ["event", "what it is"],
                     [[literal(shown), prose(re.sub(r"\n \*\t+", " ", told[name]))]
                      for name, shown in names.items()])


class TraceEvents(Generated):
    """Trace events of a header."""

    required_arguments = 1
    optional_arguments = 0

    def lines(self):
        text = read(self.arguments[0])
        classes, rows = {}, []
        for m in re.finditer(r"\b(TRACE_EVENT|DECLARE_EVENT_CLASS|DEFINE_EVENT)\(", text):
            args = next(calls(text[m.start():], m.group(1)))
            if m.group(1) == "DEFINE_EVENT":
                fields, name = classes[args[0]], args[1]
            else:
                name = args[0]
                fields = re.findall(r"__field\((\w+), (\w+)\)", args[3])
                fields = ", ".join(literal(f) for _, f in fields)
                if m.group(1) == "DECLARE_EVENT_CLASS":
                    classes[name] = fields
                    continue
            rows.append([literal(name), fields])
        return table("30 70", ["event", "fields"], rows)


def setup(app):
    """Register the directives."""
    app.add_directive("kernel-struct", KernelStruct)
    app.add_directive("profile-table", ProfileTable)
    app.add_directive("param-table", ParamTable)
    app.add_directive("policy-table", PolicyTable)
    app.add_directive("workload-table", WorkloadTable)
    app.add_directive("event-table", EventTable)
    app.add_directive("trace-events", TraceEvents)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
