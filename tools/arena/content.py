# SPDX-License-Identifier: GPL-2.0
"""
What can change the result of a run: its words, and the sources that it depends on.

These are all of driver, device and tools but for policies that it has not chosen and workloads that
it does not run.  A policy is a file of its own; one with a function that others call counts always.
"""

import functools
import glob
import hashlib
import json
import os
import re

from framework import machine

POLICIES = "uvm/policy"
DECLARES = re.compile(r"^UVM_POLICY\((\w+), (\w+),", re.M)
# The first line of a function that is not static.
CALLED = re.compile(r"^(?!static\b|UVM_POLICY\b|const\b|typedef\b|struct\b[^(]*\{)[a-z][\w *]*\(",
                    re.M)
KIND = re.compile(r'P\((\w+), (\w+), \\\n(?:\s+"[^\n]*\\\n)+?\s+"(\w+)"\)')
SETTING = re.compile(r'\{ "(\w+)", "([^"]*)" \}')


def read(path):
    """A file of the tree."""
    with open(os.path.join(machine.TOP, path), encoding="utf-8") as f:
        return f.read()


@functools.lru_cache(None)
def kinds():
    """By parameter: the kind of policy, and which is the default (policy/kinds.h)."""
    return {param: (kind, default)
            for kind, param, default in KIND.findall(read(f"{POLICIES}/kinds.h"))}


@functools.lru_cache(None)
def policy_files():
    """By (kind, name): the file of a policy, if nobody else needs what is in it."""
    found = {}
    for path in sorted(glob.glob(os.path.join(machine.TOP, POLICIES, "*/*.c"))):
        path = os.path.relpath(path, machine.TOP)
        text = read(path)
        declared = DECLARES.search(text)
        if declared and not CALLED.search(text):
            found[declared.groups()] = path
    return found


def values(settings):
    """Parameters in force with these settings: those that choose policies, and those that were set."""
    now = {param: default for param, (_, default) in kinds().items()}
    for param, value in settings:
        if param == "policy" and ("bundle", value) in policy_files():
            now.update((p, default) for p, (_, default) in kinds().items())
            now.update(SETTING.findall(read(policy_files()["bundle", value])))
        now[param] = value
    return now


def chosen(settings):
    """The policies that are in force with these settings, in the order in which they were made."""
    found = {(kinds()[param][0], value) for param, value in values(settings).items()
             if param in kinds()}
    # a run that knows its future has had another one before
    knows = found & {("eviction", "min"), ("eviction", "fnu")}
    return found | {("eviction", "lru_walk")} if knows else found


@functools.lru_cache(None)
def sources():
    """Hashes by path, of all that any run depends on."""
    found = {}
    for source in machine.SOURCES:
        path = os.path.join(machine.TOP, source)
        names = [path] if os.path.isfile(path) else [
            os.path.join(root, name) for root, _, files in os.walk(path) for name in files]
        for name in names:
            with open(name, "rb") as f:
                found[os.path.relpath(name, machine.TOP)] = hashlib.sha256(f.read()).hexdigest()
    return found


@functools.lru_cache(None)
def workload_files():
    """By workload, its name in C: the host's part and the kernel, if both have that name."""
    parts = [{os.path.basename(path) for path in sources() if os.path.dirname(path) == folder}
             for folder in ("tools/workloads", "tools/kernels")]
    return {name[:-2]: {f"tools/workloads/{name}", f"tools/kernels/{name}"}
            for name in parts[0] & parts[1] if name.endswith(".c")}


@functools.lru_cache(None)
def digest(workload, settings):
    """Of the sources that a run depends on; @settings is a tuple of (parameter, value)."""
    mine = {policy_files().get(which) for which in chosen(settings)}
    others = set(policy_files().values()) - mine
    others.update(*(files for name, files in workload_files().items()
                    if name != re.sub(r"\W", "_", workload)))
    text = json.dumps(sorted((path, h) for path, h in sources().items() if path not in others))
    return hashlib.sha256(text.encode()).hexdigest()


def key(run, workload, settings):
    """Names the result of a run."""
    text = json.dumps([digest(workload, tuple(settings)), run.machine.options(),
                       run.machine.prelude, run.words])
    return hashlib.sha256(text.encode()).hexdigest()[:24]
