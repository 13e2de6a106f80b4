#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""CUDA programs from seeds: kernels without undefined behaviour whose results no order can change.

What one thread alone can say is an expression (expressions.py).  What threads say to each other
goes by shared memory between barriers, by warp intrinsics with the mask of those that are there,
and by atomics whose sum is all that is looked at.  A statement depends on seed, kernel and its
number only, so that one can be left out and the others stay."""

import argparse
import random

from expressions import INTEGERS, NAMES, Expressions

STATEMENTS = 10         # of a kernel
SHAPES = [("1", "32"), ("3", "64"), ("2", "128"), ("4", "96"), ("3", "47"), ("5", "33"), ("7", "5"),
          ("2", "dim3(16, 5)"), ("3", "dim3(4, 4, 3)"), ("16", "1"), ("1", "100")]
SHUFFLED = "iulwfd"
ATOMICS = """Add:add:i Add:add:w Min:min:i Max:max:i And:and:u Or:or:u Xor:xor:u Min:umin:u
    Max:umax:u And:and:w Or:or:w Xor:xor:w Min:min:w Max:max:w Min:min:l Max:max:l""".split()


def indent(lines):
    """One level deeper."""
    return ["\t" + line for line in lines]


def block(head, lines):
    """A statement with a body."""
    return [head + " {", *indent(lines), "}"]


def kernel_leaf(r, t):
    """A variable of a kernel."""
    name = NAMES[t]
    n, k = r.randrange(4), r.choice("cbshiuw")
    kind = r.randrange(12)
    if kind == 0:
        return f"m.{t}[v.{k}[{n}] & 3]"
    if kind == 1:
        return f"m.{t}[{n}]"
    if t in INTEGERS and kind == 2:
        where = r.choice(["threadIdx.x", "blockIdx.x", "blockDim.x", "lane()", "g", "gridDim.x"])
        return f"({name}){where}"
    if t in INTEGERS and kind == 3:
        return f"({name})constants[v.{k}[{n}] & 63]"
    if t in INTEGERS and kind == 4:
        return f"({name})table[(v.{r.choice('uw')}[{n}] >> {r.randrange(12)}) % TABLE]"
    if t in INTEGERS and kind == 5:
        return f"({name})" + r.choice(["p.c", "p.h", "p.i", "p.b", "p.w", "sp",
                                       f"seeds[v.{k}[{n}] & 7]"])
    if t == "d" and kind == 6:
        return "p.d"
    if t in "bhu" and kind == 7:
        return f"((const {name} *)table)[v.u[{n}] % (TABLE * 8 / sizeof({name}))]"
    return f"v.{t}[{n}]"


def function_leaf(r, t):
    """A parameter of a function."""
    if t in INTEGERS:
        return f"({NAMES[t]}){r.choice(['a', 'b', 'constants[a & 63]'])}"
    return f"({NAMES[t]})c"


class Statements:
    """The n-th statement of a kernel, with what is in it."""

    def __init__(self, r, n, functions):
        self.random, self.n, self.names = r, n, 0
        self.make = Expressions(r, kernel_leaf, functions)

    def name(self):
        """A new variable."""
        self.names += 1
        return f"t{self.n}_{self.names}"

    def some(self, t, depth=None):
        """An expression."""
        return self.make.expression(t, self.random.randrange(1, 3) if depth is None else depth)

    def condition(self):
        """A condition."""
        return self.make.condition(self.random.randrange(2))

    def variable(self, types="cbshiulwfd"):
        """What can be assigned to, and its type."""
        r = self.random
        t = r.choice(types)
        if r.randrange(3):
            return f"v.{t}[{r.randrange(4)}]", t
        return f"m.{t}[{self.some('u', 1)} & 3]", t

    # ---- of a thread alone

    def assign(self, _depth):
        """A variable gets a value."""
        variable, t = self.variable()
        return [f"{variable} = {self.some(t)};"]

    def pointed(self, _depth):
        """By a pointer that is chosen."""
        t = self.random.choice("cbshiulwfd")
        name = self.name()
        return ["{", f"\t{NAMES[t]} *{name} = {self.condition()} ? &m.{t}[0] : &m.{t}[2];",
                f"\t{name}[{self.some('u', 1)} & 1] = {self.some(t)};", "}"]

    def branch(self, depth):
        """if, with and without else."""
        lines = block(f"if ({self.condition()})", self.several(depth - 1))
        if self.random.randrange(2):
            lines = lines[:-1] + block("} else", self.several(depth - 1))
        return lines

    def switch(self, depth):
        """switch, of which some cases fall through."""
        lines = []
        for case in range(self.random.randrange(2, 6)):
            lines += [f"case {case}:", *indent(self.several(depth - 1))]
            if self.random.randrange(4):
                lines += ["\tbreak;"]
        lines += ["default:", *indent(self.several(depth - 1))]
        return [f"switch ({self.some('u', 1)} & 7) {{", *lines, "}"]

    def loop(self, depth):
        """for, with break and continue."""
        n, body = self.name(), self.several(depth - 1)
        for word in "break", "continue":
            if self.random.randrange(2):
                body.insert(self.random.choice([0, len(body)]),
                            f"if ({self.condition()}) {word};")
        return block(f"for (int {n} = {self.make.small(1)} & {self.random.choice([3, 7])}; "
                     f"{n} > 0; {n}--)", body)

    def until(self, depth):
        """do ... while, a few times at most."""
        n = self.name()
        lines = block("do", self.several(depth - 1))
        lines[-1] = f"}} while (++{n} < 5 && {self.condition()});"
        return ["{", f"\tint {n} = 0;", *indent(lines), "}"]

    def atomic(self, _depth):
        """One whose order nobody sees."""
        r, cell = self.random, f"{self.some('u', 1)} & 15"
        kind = r.randrange(7)
        if kind == 0:
            to = r.choice(["inc", "dec"])
            return [f"atomic{to.title()}(&all->{to}_u[{cell}], 9);"]
        if kind == 1:
            t = r.choice("fd")
            return [f"atomicAdd(&all->add_{t}[{cell}], ({NAMES[t]})({self.some('u', 1)} & 63));"]
        if kind == 2:
            return ["atomicAdd(&all->tickets_u[3], of_bits("
                    f"atomicAdd(&all->next_u[{r.randrange(3)}], 1), 5));"]
        if kind == 3:
            t, at, seen = r.choice("uw"), self.name(), self.name()
            return block("", [f"{NAMES[t]} *{at} = &all->cas_{t}[{cell}], {seen};",
                              f"do {seen} = *(volatile {NAMES[t]} *){at};",
                              f"while (atomicCAS({at}, {seen}, {seen} * 3 + 1) != {seen});"])
        name, to, t = r.choice(ATOMICS).split(":")
        return [f"atomic{name}(&all->{to}_{t}[{cell}], {self.some(t)});"]

    def several(self, depth):
        """Some statements of a thread alone."""
        lines = []
        for _ in range(self.random.randrange(1, 3)):
            lines += self.alone(depth)
        return lines

    def alone(self, depth):
        """A statement of a thread alone."""
        simple = [self.assign, self.assign, self.pointed, self.atomic]
        deep = [self.branch, self.branch, self.switch, self.loop, self.until]
        return self.random.choice(simple + deep if depth > 0 else simple)(depth)

    # ---- of a warp, whose lanes in the mask are all there

    def shuffle(self, mask):
        """A lane gets another's value."""
        variable, t = self.variable(SHUFFLED)
        value = self.some(t, 2)
        how = self.random.randrange(4)
        if how == 0:
            return [f"{variable} = __shfl_sync({mask}, {value}, some({mask}, "
                    f"{self.some('u', 1)}));"]
        name = self.random.choice(["__shfl_sync", "__shfl_up_sync", "__shfl_down_sync",
                                   "__shfl_xor_sync"])
        width = self.random.choice(["", ", 16", ", 8", ", 4", ", 2", ", 1", ", 32"])
        by = self.make.small(1) if name in ["__shfl_sync", "__shfl_xor_sync"] or how == 1 else \
            self.random.randrange(32)
        return [f"{variable} = __shfl_{name[7:]}({mask}, {value}, {by}{width});"]

    def vote(self, mask):
        """What holds for lanes."""
        variable, _ = self.variable("uw")
        name = self.random.choice(["__ballot_sync", "__any_sync", "__all_sync"])
        return [f"{variable} ^= {name}({mask}, {self.condition()});"]

    def match(self, mask):
        """Who has the same value."""
        t, q = self.random.choice("iulw"), self.name()
        value = f"({NAMES[t]})({self.some(t, 1)} & {self.random.choice([0, 1, 3, 0x80000003])})"
        if self.random.randrange(2):
            return [f"v.u[{self.random.randrange(4)}] ^= __match_any_sync({mask}, {value});"]
        return ["{", f"\tint {q};", f"\tv.u[0] ^= __match_all_sync({mask}, {value}, &{q});",
                f"\tv.u[1] += {q};", "}"]

    def reduce(self, mask):
        """A sum over lanes, by halves."""
        t, n = self.random.choice("iulw"), self.name()
        at = f"v.{t}[{self.random.randrange(4)}]"
        how = self.random.choice(["xor", "down", "up"])
        return block(f"for (int {n} = 16; {n}; {n} /= 2)",
                     [f"{at} = add({at}, __shfl_{how}_sync({mask}, {at}, {n}));",
                      f"__syncwarp({mask});"])

    def split(self, mask, depth):
        """Lanes part, and know with whom."""
        q, n = self.name(), self.name()
        lines = [f"bool {q} = {self.condition()};", f"word {n} = __ballot_sync({mask}, {q});"]
        lines += block(f"if ({q})", self.together(n, depth - 1))
        if self.random.randrange(2):
            lines = lines[:-1] + block("} else", self.together(f"({mask} & ~{n})", depth - 1))
        return block("", lines + [f"__syncwarp({mask});"])

    def shrink(self, mask, depth):
        """Lanes leave a loop one after the other."""
        n, k = self.name(), self.name()
        return block("", [f"word {n} = {mask};", *block(
            f"for (int {k} = {self.make.small(1)} & 3; ; {k}--)",
            [f"{n} = __ballot_sync({n}, {k} > 0);", f"if ({k} <= 0) break;",
             *self.together(n, depth - 1)])])

    def together(self, mask, depth):
        """Statements of lanes that are all there."""
        lines = []
        for _ in range(self.random.randrange(1, 4)):
            kind = self.random.choice([self.shuffle, self.shuffle, self.vote, self.match,
                                       self.reduce, None])
            if kind:
                lines += kind(mask)
            elif depth > 0:
                lines += self.random.choice([self.split, self.shrink])(mask, depth)
            else:
                lines += self.alone(1)
        return lines

    # ---- of a block, whose threads have all come here or gone

    def exchange(self):
        """By shared memory."""
        t = self.random.choice("suwd")
        variable, _ = self.variable(t)
        return [f"sh_{t}[t] = {self.some(t)};", "__syncthreads();",
                f"{variable} = sh_{t}[{self.some('u', 1)} % block_size()];", "__syncthreads();"]

    def gather(self):
        """By atomics on shared memory."""
        name = self.random.choice(["Add", "Xor", "Max", "Min", "Or", "And"])
        cell = f"{self.some('u', 1)} & 15"
        return [f"atomic{name}(&cells[{cell}], {self.some('i', 1)});", "__syncthreads();",
                f"v.i[{self.random.randrange(4)}] ^= cells[{self.some('u', 1)} & 15];",
                "__syncthreads();"]

    def count(self):
        """A barrier that counts."""
        name = self.random.choice(["_count", "_and", "_or"])
        return [f"v.i[{self.random.randrange(4)}] += __syncthreads{name}({self.condition()})" +
                ("" if name == "_count" else " != 0") + ";"]

    def leave(self):
        """Some threads are done."""
        q = self.name()
        return block("", [f"bool {q} = ({self.some('u', 1)} & 7) == {self.random.randrange(8)};",
                          f"live = __ballot_sync(live, !{q});",
                          *block(f"if ({q})", ["save(out + 2 * g, v);", "save(out + 2 * g + 1, m);",
                                               "return;"])])

    def rounds(self):
        """A loop that is the same for all threads of the block."""
        n = self.name()
        head = self.random.choice([f"for (int {n} = 0; {n} < {self.random.randrange(1, 4)}; {n}++)",
                                   f"for (int {n} = (p.i + blockIdx.x) & 3; {n} > 0; {n}--)",
                                   "if ((sp ^ blockIdx.x) & 1)"])
        return block(head, self.of_block(0))

    def of_block(self, depth=1):
        """A statement where all threads of the block come."""
        r = self.random
        kind = r.randrange(20)
        if kind < 3:
            return self.exchange()
        if kind == 3:
            return self.gather()
        if kind == 4:
            return self.count()
        if kind == 5:
            return self.leave()
        if kind < 8 and depth:
            return self.rounds()
        if kind < 13:
            return self.together("live", 1)
        return self.alone(2)


def function(r, name):
    """A function with branches, a loop and several returns."""
    make = Expressions(r, function_leaf)
    return [f"static __device__ {r.choice(['', '__noinline__ '])}{NAMES[r.choice('iuwls')]} "
            f"{name}(word a, wide b, double c)", "{",
            *indent(block(f"for (int n = {make.small(1)} & 7; n > 0; n--)", [
                f"a = {make.expression('u', 2)};",
                f"if ({make.condition(1)}) return {make.expression('i', 2)};",
                f"c = {make.expression('d', 2)};"])),
            f"\tif ({make.condition(1)}) b = {make.expression('l', 2)};",
            f"\treturn {make.expression('i', 2)};", "}"]


def kernel(seed, number, without):
    """One of them, with its functions."""
    def r(what):
        return random.Random(f"{seed} {number} {what}")
    names = [f"f{number}_{i}" for i in range(2)]
    lines = sum((function(r(name), name) for name in names), [])
    body = [f"__shared__ {NAMES[t]} sh_{t}[BLOCK];" for t in "suwd"]
    body += ["__shared__ int cells[CELLS];",
             "word t = in_block(), g = in_grid(), live = all_lanes();",
             "values v = in[2 * g], m = in[2 * g + 1];"]
    body += [f"sh_{t}[t] = v.{t}[0];" for t in "suwd"]
    body += ["for (word i = t; i < CELLS; i += block_size())", "\tcells[i] = i;",
             "__syncthreads();"]
    for n in range(STATEMENTS):
        if n not in without:
            body += Statements(r(n), n, [f"{name}:uld" for name in names]).of_block()
    body += ["save(out + 2 * g, v);", "save(out + 2 * g + 1, m);"]
    return lines + [f"static __global__ void k{number}(const values *in, values *out, tally *all, "
                    "const giant *table, pack p, short sp)", "{", *indent(body), "}"]


def program(seed, first, count, without):
    """All of a file."""
    lines = ["// Generated.", '#include "program.h"', ""]
    launches = []
    for number in range(first, first + count):
        lines += kernel(seed, number, without) + [""]
        grid, size = random.Random(f"{seed} {number} shape").choice(SHAPES)
        launches.append(f"\t{{ k{number}, dim3({grid}), dim3({size}) }},")
    return lines + ["static const launch launches[] = {", *launches, "};", "",
                    "int main(int argc, char **argv)", "{",
                    f"\treturn run_all(launches, {first}, {count}, {seed}, argc, argv);", "}"]


def main():
    """Entry point."""
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("seed", type=int)
    p.add_argument("first", type=int, help="number of the first kernel")
    p.add_argument("count", type=int, help="how many; 0: print the number of the last statement")
    p.add_argument("--without", default="", help="numbers of statements to leave out, with commas")
    args = p.parse_args()
    if not args.count:
        print(STATEMENTS - 1)
        return
    without = {int(n) for n in args.without.split(",") if n}
    print("\n".join(program(args.seed, args.first, args.count, without)))


if __name__ == "__main__":
    main()
