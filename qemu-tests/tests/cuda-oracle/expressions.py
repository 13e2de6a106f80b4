# SPDX-License-Identifier: GPL-2.0
"""Expressions in CUDA C++ that have one value on every machine (program.h has the helpers)."""

# The members of struct values.
NAMES = {"c": "signed char", "b": "byte", "s": "short", "h": "half", "i": "int", "u": "word",
         "l": "wide", "w": "giant", "f": "float", "d": "double"}
INTEGERS = "cbshiulw"
FLOATS = "fd"
LITERALS = [0, 1, -1, 2, 3, 7, 31, 32, 127, 128, 255, 32767, 65535, 0x7fffffff, 0x80000000,
            0xffffffff, 0x123456789abcdef, 0x7fffffffffffffff, 1 << 63]
FLOAT_LITERALS = ["0.0", "-0.0", "1.0", "0.5", "-2.75", "1e10", "3e-39", "1e38", "16777216.0",
                  "0.1"]

# Calls of CUDA's own by the types of their arguments; an argument "5" is an integer below 32.
INTEGER_CALLS = """__popc:u __popcll:w __clz:i __clzll:l __ffs:i __ffsll:l __brev:u __brevll:w
    __mulhi:ii __umulhi:uu __mul64hi:ll __umul64hi:ww __mul24:ii __umul24:uu __hadd:ii __rhadd:ii
    __uhadd:uu __urhadd:uu __sad:iiu __usad:uuu __byte_perm:uuu abs:i llabs:l min:ii max:ii min:uu
    max:uu min:ll max:ll min:ww max:ww __funnelshift_l:uuu __funnelshift_r:uuu
    __funnelshift_lc:uu5 __funnelshift_rc:uuu part8:w5 part8s:w5
    __float2int_rn:f __float2int_rz:f __float2int_ru:f __float2int_rd:f __float2uint_rz:f
    __float2uint_rn:f __float2ll_rz:f __float2ll_rd:f __float2ull_rz:f __double2int_rz:d
    __double2int_rn:d __double2uint_ru:d __double2ll_rz:d __double2ll_rn:d __double2ull_rd:d
    __double2hiint:D __double2loint:D __float_as_int:F __float_as_uint:F __double_as_longlong:D
    isnan:f isnan:d isinf:f isfinite:d signbit:F signbit:D recursive:5u""".split()
FLOAT_CALLS = {
    "f": """sqrtf:f fmaf:fff fabsf:f floorf:f ceilf:f truncf:f rintf:f roundf:f nearbyintf:f
        copysignf:fF low:ff high:ff fmodf:ff remainderf:ff nextafterf:ff fdimf:ff scalbnf:f5
        ldexpf:f5 number:u __fadd_rn:ff __fmul_rn:ff __fsub_rn:ff __fdiv_rn:ff __fsqrt_rn:f
        __fmaf_rn:fff __frcp_rn:f __saturatef:f __int2float_rn:i __uint2float_rn:u __ll2float_rn:l
        __ull2float_rn:w __double2float_rn:d logbf:f""".split(),
    "d": """sqrt:d fma:ddd fabs:d floor:d ceil:d trunc:d rint:d round:d copysign:dD low:dd high:dd
        fmod:dd remainder:dd nextafter:dd fdim:dd scalbn:d5 number:w __dadd_rn:dd __dmul_rn:dd
        __ddiv_rn:dd __dsqrt_rn:d __fma_rn:ddd __int2double_rn:i __uint2double_rn:u
        __ll2double_rn:l __ull2double_rn:w logb:d""".split(),
}


class Expressions:
    """Makes expressions of the variables of a scope: @leaf(random, type) names one."""

    def __init__(self, random, leaf, functions=()):
        self.random, self.leaf, self.functions = random, leaf, functions

    def literal(self, t):
        """A constant of a type."""
        if t in FLOATS:
            return f"({NAMES[t]}){self.random.choice(FLOAT_LITERALS)}"
        return f"({NAMES[t]}){self.random.choice(LITERALS):#x}ull".replace("-0x1", "~0x0")

    def small(self, depth):
        """An integer below 32."""
        return f"(int)({self.expression('u', depth)} & 31)"

    def condition(self, depth):
        """What if and its like ask."""
        r = self.random
        t = r.choice("cbshiuulwwfd")
        kind = r.randrange(8)
        if kind == 0 and depth > 0:
            return f"({self.condition(depth - 1)} {r.choice(['&&', '||'])} " \
                   f"{self.condition(depth - 1)})"
        if kind < 4:
            return f"({self.expression('u', depth)} & {r.choice([1, 2, 3, 12, 0x8000])}) " \
                   f"{r.choice(['==', '!='])} 0"
        return f"{self.expression(t, depth)} {r.choice(['<', '>', '<=', '>=', '==', '!='])} " \
               f"{self.expression(t, depth)}"

    def call(self, word, depth):
        """A call of one of the lists."""
        name, types = word.split(":")
        args = []
        for t in types:
            if t == "5":
                args.append(self.small(depth))
            elif t in "FD":
                args.append(f"pure({self.expression(t.lower(), depth)})")
            else:
                args.append(self.expression(t, depth))
        return f"{name}({', '.join(args)})"

    def integer(self, t, depth):
        """An integer that is calculated."""
        r, name = self.random, NAMES[t]
        kind = r.randrange(14)
        if kind < 3:
            return f"{r.choice(['add', 'sub', 'mul', 'quot', 'rest'])}<{name}>" \
                   f"({self.expression(t, depth)}, {self.expression(t, depth)})"
        if kind == 3:
            return f"({name})({self.expression(t, depth)} {r.choice('&|^')} " \
                   f"{self.expression(t, depth)})"
        if kind == 4:
            return f"{r.choice(['left', 'right'])}<{name}>({self.expression(t, depth)}, " \
                   f"{self.small(depth)})"
        if kind == 5:
            return f"({name})({self.condition(depth)})"
        if kind == 6:
            return f"({name})({self.condition(depth)} ? {self.expression(t, depth)} : " \
                   f"{self.expression(t, depth)})"
        if kind == 7:
            return f"({name}){r.choice('~!')}{self.expression(t, depth)}"
        if kind == 8:
            return f"whole<{name}>({self.expression(r.choice(FLOATS), depth)})"
        if kind == 9:
            return f"bag<{name}, {r.randrange(2, 6)}>({self.expression(t, depth)}, " \
                   f"{self.expression(t, depth)})" + r.choice([".sum()", f"[{self.small(depth)}]"])
        if kind == 10:
            return f"({name}){self.expression(r.choice(INTEGERS), depth)}"
        if kind == 11 and self.functions:
            return f"({name}){self.call(r.choice(self.functions), depth)}"
        if kind == 12:
            return f"({name})operations[{self.small(depth)} & 3]({self.expression('u', depth)}, " \
                   f"{self.expression('u', depth)})"
        return f"({name}){self.call(r.choice(INTEGER_CALLS), depth)}"

    def floating(self, t, depth):
        """A float or double that is calculated."""
        r = self.random
        kind = r.randrange(7)
        if kind < 3:
            return f"({self.expression(t, depth)} {r.choice('+-*/')} {self.expression(t, depth)})"
        if kind == 3:
            return f"({NAMES[t]}){self.expression(r.choice(INTEGERS + FLOATS), depth)}"
        if kind == 4:
            return f"({self.condition(depth)} ? {self.expression(t, depth)} : " \
                   f"{self.expression(t, depth)})"
        return self.call(r.choice(FLOAT_CALLS[t]), depth)

    def expression(self, t, depth):
        """Something of a type, so many operations deep at most."""
        if depth <= 0 or self.random.randrange(6) == 0:
            return self.literal(t) if self.random.randrange(6) == 0 else self.leaf(self.random, t)
        return self.floating(t, depth - 1) if t in FLOATS else self.integer(t, depth - 1)
