#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# compile_commands.json: clang takes files of every sort as it says (make compile_commands).
# host: timeout=1200
. ./lib.sh

"$QEMU_TESTS/compile-commands" "$PWD/compile_commands.json" 2> err
expect "it is written" 0 $?

# Prints what is wrong with FILE....
cat > syntax.py <<'END'
import json
import os
import subprocess
import sys

top = os.path.realpath(sys.argv[1])
with open("compile_commands.json", encoding="utf-8") as f:
    rows = {os.path.relpath(row["file"], top): row for row in json.load(f)}
for name in sys.argv[2:]:
    row = rows.get(name)
    if not row:
        print(f"{name}: is not there")
        continue
    sys.stdout.flush()
    # Headers of the kernel are not clean for clang.
    subprocess.run(["clang", "-fsyntax-only", "-Wno-null-pointer-arithmetic",
                    *row["arguments"][1:]], cwd=row["directory"], stderr=sys.stdout, check=False)
END

top=$(realpath "$QEMU_TESTS/..")
clean() {
	expect "$*: clang has nothing to say" "" "$(python3 syntax.py "$top" "$@" 2>&1 | head -n 20)"
}

clean softgpu/regs.c
clean uvm/va_space_gpu.c
clean kunit/mod.c
clean tools/uvm/main.c tools/lib/memory.c
clean tools/workloads/bfs.c tools/kernels/bfs.c
clean tools/tests/memory_test.c qemu-tests/tests/abi/abi.c

missing=$(python3 - "$top" <<'END'
import json
import os
import re
import sys

top = os.path.realpath(sys.argv[1])
with open("compile_commands.json", encoding="utf-8") as f:
    have = {os.path.relpath(row["file"], top) for row in json.load(f)}
for folder in ("uvm", "softgpu", "kunit", "tools"):
    for where, _, names in os.walk(os.path.join(top, folder)):
        for name in names:
            file = os.path.relpath(os.path.join(where, name), top)
            # The other architecture's, what is outside the build, what other programs read.
            if name.endswith(".c") and file not in have and not re.match(
                    r"softgpu/clock/arch_x86|tools/examples/|tools/lib/builtin/|tools/tests/fake/",
                    file):
                print(file)
END
)
expect "no file is missing" "" "$missing"
[ "$failures" = 0 ] || note "$(cat err)"
finish
