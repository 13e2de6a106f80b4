#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print RISC-V assembly: programs made up from a seed, for the device and for a reference.

A program is called as program(own, woven, table, index), see isa.h.  It computes with what
its thread's memory holds, leaves all registers there, and never lets an address reach a
result, since the two machines have other addresses.

x2 sp, x3 own, x4 woven, x28 index, x29 table and tally, x31 for moments; all others are free.
"""

import argparse
import random

FREE = [1, *range(5, 28), 30]
X, F, POOL, SCRATCH, OWN = 0, 256, 512, 1024, 2048   # offsets in struct isa_thread
FLOATS, DOUBLES = POOL + 16 * 8, POOL + 40 * 8       # what the pool has of each
ROW = 2048                                           # bytes of woven[n]
TABLE, TALLY = 1024, 1024                            # bytes of table; where the tally begins
FRAME, COUNTERS, SLOTS, SLOT_COUNT = 512, 256, 320, 16
DEPTH = 4

RRR = """add sub sll slt sltu xor srl sra or and addw subw sllw srlw sraw mul mulh mulhsu mulhu
div divu rem remu mulw divw divuw remw remuw""".split()
RRI = "addi slti sltiu xori ori andi addiw".split()
SHIFTS = [(o, 64) for o in ("slli", "srli", "srai")] + [(o, 32) for o in ("slliw", "srliw", "sraiw")]
FFF = "fadd.s fsub.s fmul.s fdiv.s fsgnj.s fsgnjn.s fsgnjx.s fmin.s fmax.s".split()
FLOAT_FORMATS = {"s": ("w", 4), "d": ("d", 8)}       # of fmv and of loads, with its size
FMA = "fmadd.s fmsub.s fnmadd.s fnmsub.s".split()
COMPARE = "feq.s flt.s fle.s".split()
WIDTHS = "w wu l lu".split()
ROUNDINGS = "rne rtz rdn rup rmm".split()
BRANCHES = "beq bne blt bge bltu bgeu".split()
LOADS = {"lb": 1, "lbu": 1, "lh": 2, "lhu": 2, "lw": 4, "lwu": 4, "ld": 8}
STORES = {"sb": 1, "sh": 2, "sw": 4, "sd": 8}
AMOS = "swap add xor and or min max minu maxu".split()
ORDERS = ("", ".aq", ".rl", ".aqrl")
# In any order of threads they leave the same; a word of the tally each, per width.
TALLIES = "add xor and or min max minu maxu".split()

# What a device could mistake for what; None: the text as it stands is to be replaced.
MISTAKES = [
    ("add", "or"), ("addw", "add"), ("subw", "sub"), ("mulw", "mul"), ("slt", "sltu"),
    ("srl", "sra"), ("sraw", "srlw"), ("sllw", "sll"), ("mulh", "mulhsu"), ("mulhsu", "mulhu"),
    ("div", "divu"), ("divw", "divuw"), ("rem", "remu"), ("remuw", "remw"), ("divu", "div"),
    ("lw", "lwu"), ("lhu", "lh"), ("lb", "lbu"), ("sh", "sb"), ("blt", "bltu"), ("bge", "blt"),
    ("fadd.s", "fsub.s"), ("fmin.s", "fmax.s"), ("fsgnjx.s", "fsgnjn.s"), ("fle.s", "flt.s"),
    ("fmadd.s", "fmsub.s"), ("fnmadd.s", "fnmsub.s"), ("fcvt.w.s", "fcvt.wu.s"),
    ("fcvt.l.s", "fcvt.lu.s"), ("fcvt.s.l", "fcvt.s.w"), ("fcvt.s.lu", "fcvt.s.l"),
    ("rne", "rmm"), ("rmm", "rne"), ("rup", "rdn"), ("rtz", "rdn"),
    ("amomin.w", "amominu.w"), ("amomax.d", "amomaxu.d"), ("amoand.d", "amoor.d"),
    ("amoadd.w", "amoswap.w"), ("sc.w", "amoswap.w"), ("auipc", "lui"), ("slliw", "slli"),
    # A fused operation that rounds twice, and a NaN that keeps what it was.
    ("fmadd.s", "FMA-TWICE"), ("fadd.s", "FADD-SIGN"),
    # The same in double precision; and single precision that is taken for what it is not.
    ("fadd.d", "fsub.d"), ("fsub.d", "fmul.d"), ("fmin.d", "fmax.d"), ("fsgnjx.d", "fsgnjn.d"),
    ("fle.d", "flt.d"), ("fmadd.d", "fmsub.d"), ("fnmadd.d", "fnmsub.d"), ("fmadd.d", "FMA-TWICE"),
    ("fcvt.w.d", "fcvt.wu.d"), ("fcvt.l.d", "fcvt.lu.d"), ("fcvt.d.l", "fcvt.d.w"),
    ("fcvt.d.lu", "fcvt.d.l"), ("fmv.d.x", "fmv.w.x"), ("fld", "flw"), ("fsqrt.s", "fsqrt.d"),
    ("fadd.d", "FADD-SIGN"), ("fadd.s", "FADD-LOW"), ("fclass.s", "fclass.d"),
]

# Where lines and words bend.
CONSTANTS = [0, 1, 2, 3, 4, 8, 63, 64, 255, 4096, -1, -2, -8, 0x7fffffff, 0x80000000, -0x80000000,
             0xffffffff, 0x100000000, 0x7fffff80, 0x3fffffff, 1 << 62, (1 << 63) - 1, -(1 << 63),
             0x5555555555555555, 0x0123456789abcdef, (1 << 58) + 1]


class Program:
    """One program; @number makes its labels its own."""

    def __init__(self, rnd, number, double, mistake=None):
        self.rnd = rnd
        self.number = number
        self.formats = "sd" if double else "s"
        self.mistake = mistake
        self.text = []
        self.functions = []
        self.labels = 0
        self.depth = 0
        self.taken = set()              # registers that hold something else for a while

    # ---- text ----

    def emit(self, name, operands=""):
        """One instruction, or what the device is to take it for."""
        wrong = self.mistake
        if wrong and name.split(".aq")[0].split(".rl")[0] == wrong[0]:
            if wrong[1] == "FMA-TWICE":
                d, a, b, c = operands.split(", ")
                # f31 is left out of programs that make this mistake
                form = name[-1]
                self.text += [f"\tfmul.{form} f31, {a}, {b}", f"\tfadd.{form} {d}, f31, {c}"]
                return
            if wrong[1] == "FADD-SIGN":
                d, a, b = operands.split(", ")
                self.text += [f"\t{name} {d}, {a}, {b}", f"\tfsgnj.{name[-1]} {d}, {d}, {a}"]
                return
            if wrong[1] == "FADD-LOW":
                d, a, b = operands.split(", ")
                self.text += [f"\tfmv.x.w x31, {a}", "\tfmv.w.x f31, x31",
                              f"\tfadd.s {d}, f31, {b}"]
                return
            name = wrong[1] + name[len(wrong[0]):]
        if wrong and operands.endswith(f", {wrong[0]}"):
            operands = operands[:-len(wrong[0])] + wrong[1]
        self.text.append(f"\t{name} {operands}")

    def label(self):
        """A new label."""
        self.labels += 1
        return f".L{self.number}_{self.labels}"

    def place(self, label):
        """Here it is."""
        self.text.append(f"{label}:")

    def pick(self, *of):
        """One of them."""
        return self.rnd.choice(of[0] if len(of) == 1 else of)

    def xd(self):
        """A register to write."""
        return f"x{self.pick([x for x in FREE if x not in self.taken])}"

    def xs(self):
        """A register to read."""
        return f"x{self.pick([x for x in FREE if x not in self.taken] + [0, 28])}"

    def f(self):
        """A float register."""
        return f"f{self.rnd.randrange(31)}"

    def form(self, name):
        """An operation in either format, if there are two."""
        return name[:-1] + self.pick(self.formats)

    # ---- straight code ----

    def integer(self):
        """Arithmetic."""
        kind = self.rnd.randrange(8)
        if kind < 5:
            self.emit(self.pick(RRR), f"{self.xd()}, {self.xs()}, {self.xs()}")
        elif kind < 7:
            imm = self.pick(self.rnd.randrange(-2048, 2048), self.rnd.randrange(-4, 5))
            self.emit(self.pick(RRI), f"{self.xd()}, {self.xs()}, {imm}")
        else:
            name, bits = self.pick(SHIFTS)
            self.emit(name, f"{self.xd()}, {self.xs()}, {self.rnd.randrange(bits)}")

    def line(self):
        """A register that is a line over the threads."""
        d = self.xd()
        self.emit("li", f"x31, {self.pick(CONSTANTS)}")
        self.emit(self.pick("mul", "mulw", "mul", "add", "sub"), f"{d}, x28, x31")
        self.emit("li", f"x31, {self.pick(CONSTANTS)}")
        self.emit(self.pick("add", "addw", "sub", "add"), f"{d}, {d}, x31")

    def one_value(self):
        """A register with one value for all."""
        if self.rnd.randrange(2):
            self.emit("lui", f"{self.xd()}, {self.rnd.randrange(1 << 20)}")
        else:
            self.emit("li", f"{self.xd()}, {self.pick(CONSTANTS)}")

    def fresh(self):
        """Values of special interest."""
        if self.rnd.randrange(3):
            move, size = FLOAT_FORMATS[self.pick(self.formats)]
            at = POOL + self.rnd.randrange(512 // size) * size
            self.emit(f"fl{move}", f"{self.f()}, {at}(x3)")
        else:
            self.emit("ld", f"{self.xd()}, {POOL + self.rnd.randrange(64) * 8}(x3)")

    def floats(self):
        """Arithmetic on floats."""
        kind = self.rnd.randrange(12)
        if kind < 5:
            self.emit(self.form(self.pick(FFF)), f"{self.f()}, {self.f()}, {self.f()}")
        elif kind < 8:
            self.emit(self.form(self.pick(FMA)),
                      f"{self.f()}, {self.f()}, {self.f()}, {self.f()}")
        elif kind < 9:
            self.emit(self.form("fsqrt.s"), f"{self.f()}, {self.f()}")
        elif kind < 10 and len(self.formats) > 1:
            self.emit(self.pick("fcvt.s.d", "fcvt.d.s"), f"{self.f()}, {self.f()}")
        else:
            self.fresh()

    def mixed(self):
        """Between float and integer registers."""
        kind, form = self.rnd.randrange(6), self.pick(self.formats)
        move = FLOAT_FORMATS[form][0]
        if kind < 2:
            self.emit(f"fcvt.{self.pick(WIDTHS)}.{form}",
                      f"{self.xd()}, {self.f()}, {self.pick(ROUNDINGS)}")
        elif kind < 3:
            self.emit(f"fcvt.{form}.{self.pick(WIDTHS)}", f"{self.f()}, {self.xs()}")
        elif kind < 4:
            self.emit(self.form(self.pick(COMPARE)), f"{self.xd()}, {self.f()}, {self.f()}")
        elif kind < 5:
            self.emit(self.pick(f"fclass.{form}", f"fmv.x.{move}"), f"{self.xd()}, {self.f()}")
        else:
            self.emit(f"fmv.{move}.x", f"{self.f()}, {self.xs()}")

    def where(self, size, room=OWN - SCRATCH):
        """A place for so many bytes: far apart per thread, side by side, or of all threads."""
        if self.rnd.randrange(2):
            return f"{SCRATCH + self.rnd.randrange(room // size) * size}(x3)"
        self.emit("li", f"x31, {self.rnd.randrange(32) * ROW + self.rnd.randrange(8 // size) * size}")
        self.emit("add", "x31, x31, x4")
        return "0(x31)"

    def memory(self):
        """Loads and stores."""
        kind = self.rnd.randrange(8)
        if kind < 3:
            name, size = self.pick(list(LOADS.items()))
            self.emit(name, f"{self.pick(self.xd(), self.xd(), 'x0')}, {self.where(size)}")
        elif kind < 5:
            name, size = self.pick(list(STORES.items()))
            self.emit(name, f"{self.xs()}, {self.where(size)}")
        elif kind < 6:
            move, size = FLOAT_FORMATS[self.pick(self.formats)]
            self.emit(f"{self.pick('fl', 'fs')}{move}", f"{self.f()}, {self.where(size)}")
        elif kind < 7:
            slot = SLOTS + self.rnd.randrange(SLOT_COUNT) * 8
            if self.rnd.randrange(2):
                self.emit("sd", f"{self.xs()}, {slot}(sp)")
            else:
                self.emit("ld", f"{self.xd()}, {slot}(sp)")
        else:
            name, size = self.pick(list(LOADS.items()))
            self.emit(name, f"{self.xd()}, {self.rnd.randrange(TABLE // size) * size}(x29)")

    def atomic_place(self, size):
        """x31 = an address of the thread's own."""
        at = self.where(size)
        if at.endswith("(x3)"):
            self.emit("addi", f"x31, x3, {at[:-4]}")

    def atomic(self):
        """One AMO on the thread's own memory."""
        width, size = self.pick(("w", 4), ("d", 8))
        self.atomic_place(size)
        self.emit(f"amo{self.pick(AMOS)}.{width}{self.pick(ORDERS)}",
                  f"{self.pick(self.xd(), self.xd(), 'x0')}, {self.xs()}, (x31)")

    def tally(self):
        """An AMO that all threads make on one word."""
        at = self.rnd.randrange(len(TALLIES))
        width, place = self.pick(("w", 64 + at * 8), ("d", at * 8))
        self.emit("addi", f"x31, x29, {TALLY + place}")
        self.emit(f"amo{TALLIES[at]}.{width}", f"x0, {self.xs()}, (x31)")

    def reserved(self):
        """LR and SC, with and without something between; sometimes twice, or elsewhere."""
        width, size = self.pick(("w", 4), ("d", 8))
        self.atomic_place(size)
        if self.rnd.randrange(8):
            self.emit(f"lr.{width}", f"{self.xd()}, (x31)")
        if not self.rnd.randrange(3):
            self.integer()
        elsewhere = not self.rnd.randrange(8)
        if elsewhere:
            self.emit("addi", f"x31, x3, {SCRATCH}")
        self.emit(f"sc.{width}{self.pick(ORDERS)}", f"{self.xd()}, {self.xs()}, (x31)")
        if not self.rnd.randrange(4):
            self.emit(f"sc.{width}", f"{self.xd()}, {self.xs()}, (x31)")

    def distance(self):
        """How far two places of the code are apart."""
        d = self.xd()
        self.emit("auipc", f"{d}, {self.rnd.randrange(1 << 20)}")
        self.emit("auipc", f"x31, {self.rnd.randrange(1 << 20)}")
        self.emit("sub", f"{d}, x31, {d}")

    # ---- jumps ----

    def some(self, most):
        """A few more."""
        for _ in range(self.rnd.randrange(1, most)):
            self.one()

    def branch(self):
        """If, or if and else."""
        other, end = self.label(), self.label()
        self.emit(self.pick(BRANCHES), f"{self.xs()}, {self.xs()}, {other}")
        self.some(8)
        if self.rnd.randrange(2):
            self.emit("j", end)
            self.place(other)
            self.some(8)
            self.place(end)
        else:
            self.place(other)

    def loop(self):
        """As often as a register says; the count is on the stack."""
        again, at = self.label(), f"{COUNTERS + self.depth * 8}(sp)"
        self.emit("andi", f"x31, {self.xs()}, {self.pick(1, 3, 7)}")
        self.emit("addi", "x31, x31, 1")
        self.emit("sd", f"x31, {at}")
        self.place(again)
        self.some(10)
        self.emit("ld", f"x31, {at}")
        self.emit("addi", "x31, x31, -1")
        self.emit("sd", f"x31, {at}")
        self.emit("bnez", f"x31, {again}")

    def switch(self):
        """Through a register, to one of four; where from is turned into a distance."""
        base, targets, end = self.xd(), [self.label() for _ in range(4)], self.label()
        link = self.pick("x0", "x30")
        if base == link or 30 in self.taken:
            link = "x0"
        self.emit("andi", f"x31, {self.xs()}, 3")
        self.emit("slli", "x31, x31, 2")
        self.text.append(f"\tauipc {base}, 0")
        self.text.append(f"\tadd x31, x31, {base}")
        self.text.append(f"\tjalr {link}, 12(x31)")
        for target in targets:
            self.text.append(f"\tj {target}")
        held = {int(base[1:])} | ({30} if link != "x0" else set())
        held -= self.taken
        self.taken |= held
        for target in targets:
            self.place(target)
            self.some(5)
            self.emit("j", end)
        self.place(end)
        if link != "x0":
            self.emit("sub", f"{link}, {link}, {base}")
        self.taken -= held
        self.emit("auipc", "x31, 0")
        self.emit("sub", f"{base}, x31, {base}")

    def call(self):
        """A function behind the program."""
        if 1 in self.taken:
            return
        name, main = self.label(), self.text
        self.taken.add(1)
        self.text = []
        self.place(name)
        self.some(10)
        self.emit("jalr", "x0, 0(x1)")
        self.functions += self.text
        self.text = main
        self.emit("jal", f"x1, {name}")
        self.taken.discard(1)
        self.emit("auipc", "x31, 0")
        self.emit("sub", "x1, x31, x1")

    def one(self):
        """Anything; deep inside of others, nothing that jumps."""
        flat = [(26, self.integer), (3, self.one_value), (4, self.line), (22, self.floats),
                (10, self.mixed), (6, self.fresh), (14, self.memory), (4, self.atomic),
                (2, self.tally), (2, self.reserved), (1, self.distance),
                (1, lambda: self.emit("fence"))]
        jumps = [(5, self.branch), (2, self.loop), (2, self.switch), (1, self.call)]
        choice = flat + (jumps if self.depth < DEPTH else [])
        step = self.rnd.choices([s for _, s in choice], [w for w, _ in choice])[0]
        nested = step in (self.branch, self.loop, self.switch, self.call)
        self.depth += nested
        step()
        self.depth -= nested

    # ---- whole programs ----

    def flow(self, steps):
        """All sorts of things."""
        for _ in range(steps):
            self.one()

    def lines(self, steps):
        """Integers that are lines over the threads, as long as they stay lines."""
        for x in FREE:
            self.taken = set(FREE) - {x}
            self.pick(self.line, self.line, self.one_value)()
        self.taken = set()
        choice = [self.integer] * 9 + [self.line] * 3 + [self.one_value] * 2 + [self.branch] + \
                 [self.memory]
        for _ in range(steps):
            self.pick(choice)()

    def operations(self, steps):
        """One at a time on fresh values, each result mixed into x30."""
        self.taken = set(FREE) - {5, 6}
        cases = RRR + [f"amo{a}.{w}" for a in AMOS for w in "wd"] + \
            [s for s, _ in SHIFTS] + list(LOADS) + list(STORES) + ["sc.w", "sc.d", "auipc"] + BRANCHES
        for form in self.formats:
            cases += [c[:-1] + form for c in FFF * 3 + FMA * 5 + COMPARE * 2 + ["fsqrt.s"] * 3 +
                      ["fclass.s"]]
            cases += [f"fcvt.{w}.{form}" for w in WIDTHS for _ in ROUNDINGS] * 2
            cases += [f"fcvt.{form}.{w}" for w in WIDTHS] * 2
        if len(self.formats) > 1:
            cases += ["fcvt.s.d", "fcvt.d.s"] * 3 + ["fmv.d.x", "fmv.x.d", "fsd", "unboxed"]
        order = [c for _ in range(1 + steps // len(cases)) for c in self.rnd.sample(cases, len(cases))]
        self.emit("li", "x30, 0")
        for case in order:
            self.operation(case)
            self.emit("slli", "x27, x30, 13")
            self.emit("srli", "x26, x30, 51")
            self.emit("or", "x30, x27, x26")
            self.emit("xor", "x30, x30, x7")

    def value(self, f, form):
        """A float register from the pool, now and then of the other format."""
        if not self.rnd.randrange(8):
            form = self.pick(self.formats)
        if form == "d":
            self.emit("fld", f"f{f}, {DOUBLES + self.rnd.randrange(24) * 8}(x3)")
        else:
            self.emit("flw", f"f{f}, {FLOATS + self.rnd.randrange(48) * 4}(x3)")

    def values(self, name):
        """x5, x6 and f1, f2, f4 from the pool: small whole numbers meet, too."""
        form = "d" if name.endswith((".d", "unboxed")) and len(self.formats) > 1 else "s"
        for x in (5, 6):
            at = self.pick(self.rnd.randrange(64), self.rnd.randrange(16))
            self.emit("ld", f"x{x}, {POOL + at * 8}(x3)")
        for f in (1, 2, 4):
            self.value(f, form)

    def operation(self, name):
        """x7 = what it gives."""
        self.values(name)
        single = name[:-1] + "s" if name[0] == "f" and name[-2:] in (".s", ".d") else ""
        if name in RRR:
            self.emit(name, "x7, x5, x6")
        elif name in [s for s, _ in SHIFTS]:
            self.emit(name, f"x7, x5, {self.rnd.randrange(32)}")
        elif single in FFF + FMA + ["fsqrt.s"]:
            operands = "f3, f1, f2, f4".split(", ")
            count = 4 if single in FMA else 2 if single == "fsqrt.s" else 3
            self.emit(name, ", ".join(operands[:count]))
            self.result()
        elif single in COMPARE:
            self.emit(name, "x7, f1, f2")
        elif single == "fclass.s":
            self.emit(name, "x7, f1")
        elif name in ("fcvt.s.d", "fcvt.d.s"):
            self.emit(name, "f3, f1")
            self.result()
        elif name.startswith(("fcvt.s.", "fcvt.d.")) or name == "fmv.d.x":
            self.emit(name, "f3, x5")
            self.result()
        elif name == "unboxed":
            self.emit("fadd.s", "f3, f1, f2")
            self.result()
        elif name.startswith("fcvt."):
            self.emit(name, f"x7, f1, {self.pick(ROUNDINGS)}")
        elif name == "fmv.x.d":
            self.emit(name, "x7, f1")
        else:
            self.operation_elsewhere(name)

    def result(self):
        """x7 = all of f3."""
        self.emit("fmv.x.d" if len(self.formats) > 1 else "fmv.x.w", "x7, f3")

    def operation_elsewhere(self, name):
        """The same for what has to do with memory and jumps."""
        if name in LOADS:
            self.emit(name, f"x7, {POOL + self.rnd.randrange(64) * 8}(x3)")
        elif name in STORES or name == "fsd":
            self.emit("sd", f"x6, {SCRATCH}(x3)")
            self.emit(name, f"{'f1' if name == 'fsd' else 'x5'}, {SCRATCH}(x3)")
            self.emit("ld", f"x7, {SCRATCH}(x3)")
        elif name in BRANCHES:
            end = self.label()
            self.emit("li", "x7, 1")
            self.emit(name, f"x5, x6, {end}")
            self.emit("li", "x7, 2")
            self.place(end)
        elif name == "auipc":
            self.emit("lui", "x5, 1")
            self.emit("auipc", "x7, 1")
            self.text.append("\tauipc x6, 0")
            self.emit("sub", "x7, x7, x6")
        else:
            self.emit("addi", f"x31, x3, {SCRATCH}")
            self.emit("sd", "x6, 0(x31)")
            if name.startswith("sc."):
                self.emit(f"lr{name[2:]}", "x7, (x31)")
            self.emit(name, "x7, x5, (x31)")
            self.emit("ld", "x6, 0(x31)")
            self.emit("xor", "x7, x7, x6")

    def whole(self):
        """With what comes before and after."""
        kept = [x for x in range(1, 32) if x != 2]
        slots = [f"\tsd x{10 + n % 4}, {SLOTS + n * 8}(sp)" for n in range(SLOT_COUNT)]
        move = "d" if len(self.formats) > 1 else "w"
        before = [f"program_{self.number}:", f"\taddi sp, sp, -{FRAME}"] + \
            [f"\tsd x{x}, {x * 8}(sp)" for x in kept] + \
            ["\tmv x3, x10", "\tmv x4, x11", "\tmv x29, x12", "\tmv x28, x13"] + \
            [f"\tld x{10 + n}, {X + n * 8}(x3)" for n in range(4)] + slots + \
            [f"\tfl{move} f{n}, {F + n * 8}(x3)" for n in range(32)] + \
            [f"\tld x{x}, {X + x * 8}(x3)" for x in FREE]
        after = [f"\tsd x{x}, {X + x * 8}(x3)" for x in FREE] + \
            [f"\tfs{move} f{n}, {F + n * 8}(x3)" for n in range(31)] + \
            [f"\tld x{x}, {x * 8}(sp)" for x in kept] + \
            [f"\taddi sp, sp, {FRAME}", "\tret"]
        return before + self.text + after + self.functions


def control(seed, apart):
    """The same operations again and again; of the device, each time with another mistake."""
    programs = []
    for number, mistake in enumerate([None] + MISTAKES):
        program = Program(random.Random(seed), number, True, mistake if apart else None)
        program.operations(1000)
        programs.append(program)
    return programs


def sample(seed, count, steps):
    """Programs of all kinds; those of odd seeds have double precision."""
    rnd = random.Random(seed)
    programs = []
    for number in range(count):
        program = Program(rnd, number, seed % 2 == 1)
        (program.flow, program.lines, program.operations, program.flow)[number % 4](steps)
        programs.append(program)
    return programs


def main():
    """Entry point."""
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("seed", type=int)
    p.add_argument("--programs", type=int, default=16)
    p.add_argument("--steps", type=int, default=300)
    p.add_argument("--control", choices=("right", "wrong"), help="operations, with mistakes or not")
    p.add_argument("--mistakes", action="store_true", help="say which")
    args = p.parse_args()
    if args.mistakes:
        print("\n".join(f"{a} taken for {b}" for a, b in MISTAKES))
        return
    if args.control:
        programs = control(args.seed, args.control == "wrong")
    else:
        programs = sample(args.seed, args.programs, args.steps)
    print(f"# seed {args.seed}\n\t.text\n\t.balign 4")
    for program in programs:
        print("\n".join(program.whole()))
    print("\t.section .rodata\n\t.balign 8\n\t.globl programs, program_count\nprograms:")
    print("\n".join(f"\t.dword program_{n}" for n in range(len(programs))))
    print(f"program_count:\n\t.dword {len(programs)}")


if __name__ == "__main__":
    main()
