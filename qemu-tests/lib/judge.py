# SPDX-License-Identifier: GPL-2.0
"""Tells from a VM's console and its last words whether the kernel is well."""

import re

# A line that matches one of these is a report that somebody has to look at.
# "Call Trace:" is not among them: fault injection prints one for each failure.
SPLATS = re.compile(
    r"WARNING: "
    r"|\bBUG: "
    r"|\bBUG at "
    r"|\bOops\b"
    r"|Kernel panic"
    r"|general protection fault"
    r"|[Uu]nable to handle"
    r"|UBSAN: "
    r"|KASAN: "
    r"|INFO: (possible|task|lockdep|trying|suspicious|rcu)"
    r"|rcu: INFO: "
    r"|possible (circular|recursive|irq) lock"
    r"|suspicious RCU"
    r"|inconsistent lock state"
    r"|bad unlock balance"
    r"|refcount_t: "
    r"|list_(add|del) corruption"
    r"|ODEBUG: "
    r"|Bad page (state|map)"
    r"|soft lockup"
    r"|hard LOCKUP"
    r"|workqueue lockup"
    r"|scheduling while atomic"
    r"|sleeping function called"
    r"|double fault"
    r"|^LEAK ")

# Not reports, or reports of the machine below us, not of the kernel under test: a host that is
# too slow to run the guest's clock, or a CPU model without its microcode.
EXCUSED = re.compile(r"ommand line: |clocksource|TSC|tsc:|Spectre|MDS CPU bug|RETBleed|SRSO|perf: interrupt took"
                     r"|hrtimer: interrupt took", re.I)

# Out-of-tree module, unsigned module, in-kernel test ran.
TAINT_IGNORED = 1 << 12 | 1 << 13 | 1 << 18

SHOWN_LINES = 60


def splat(console):
    """The part of the console that begins with the first report, or None."""
    lines = console.splitlines()
    for i, line in enumerate(lines):
        if SPLATS.search(line) and not EXCUSED.search(line):
            return "\n".join(lines[max(i - 2, 0):i + SHOWN_LINES])
    return None


def out_of_memory(console):
    """It died for want of memory: the stacks are of whoever asked last, or of an init that cannot fork."""
    return "Kernel panic" in console and "invoked oom-killer" in console


# The kernel's first words when /init asks it for the stacks of all tasks.
STACKS = "sysrq: Show State"


def waiting(console):
    """Of the tasks that the console shows at a timeout, those that are in our modules."""
    stacks = console.rpartition(STACKS)[2] if STACKS in console else ""
    tasks = re.split(r"(?m)^(?=(?:\[[^]]*\] )?task:)", stacks)[1:]
    ours = [t for t in tasks if "[uvm]" in t or "[softgpu]" in t]
    lines = [re.sub(r"^\[[^]]*\] ", "", ln) for t in ours for ln in t.splitlines()
             if "task:" in ln or re.search(r" [a-z_0-9.]+\+0x", ln)]
    return "\n".join(ln for ln in lines if " ? " not in ln)


# Of a script whose status was lost; none has it.
NO_STATUS = 255


def health(taint_before, taint_after, locks_before, locks_after):
    """What is wrong without a report on the console: a sentence, or None."""
    if not taint_before.isdigit() or not taint_after.isdigit():
        return "the kernel's taint could not be read: it may have had no memory (--memory)"
    news = int(taint_after) & ~int(taint_before) & ~TAINT_IGNORED
    if news:
        return f"the kernel is tainted (new bits {news:#x})"
    if locks_before == "1" and locks_after != "1":
        return "debug_locks fell to 0: lockdep found something and switched itself off"
    return None
