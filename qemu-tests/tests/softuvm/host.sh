#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# tools/softuvm: a program of this machine runs as if it had the GPU; its files, output, status.
# host: timeout=1200
. ./lib.sh

top=$(dirname "$QEMU_TESTS")
build=${SOFTUVM_BUILD:-$top/build}
softuvm=$top/tools/softuvm
# In turn with the launchers that build them, too (lib/builddir.py).
flock "$build/.lock-tools" make -s --no-print-directory -C "$QEMU_TESTS/tests" O="$build/tests" \
	cuda-runtime > make.log 2>&1 || not_ok "the program is built" "$(tail -n 20 make.log)"
cp "$build/tests/cuda-runtime" .

# It may say that it has raised a limit of this machine.
"$softuvm" run true 2> /dev/null < /dev/null

# run STATUS ARGUMENT...: its output goes to out.
run() {
	local want=$1

	shift
	"$softuvm" run "$@" > out 2> err < /dev/null
	expect "softuvm run ${*//$PWD/.}: its status" "$want" $?
}

run 0 ./cuda-runtime forgets
check "what it and its kernel print" grep -qx 'n is 34' out
check "no word of the kernel's" test ! -s err

echo input > file
SOFTUVM_VRAM=4M SOFTUVM_STATS=report.json run 7 sh -c \
	'cat file; pwd; echo "$1"; ./cuda-runtime forgets > result; exit 7' sh 'two  blanks'
expect "a file, the directory, an argument" "input $PWD two  blanks" "$(tr '\n' ' ' < out |
	sed 's/ $//')"
check "a file that it wrote" grep -qx 'n is 34' result
check "the environment reaches it" grep -q '"vram_bytes":4194304,' report.json

run 0 --oversubscription 300 -- "$PWD/cuda-runtime" forgets
check "options are those of uvm exec" grep -q '^  oversubscription  *300.2 %' out
SOFTUVM_SOFTGPU=profile=titanv run 0 --json ./cuda-runtime forgets
check "another device" grep -q '"profile":"titanv"' out
echo 'from a pipe' | "$softuvm" run sh -c 'cat; echo "$OURS" "$SOFTUVM_KERNEL" >&2; exit 3' > out 2> err
expect "a pipe is its stdin, its status comes through" "3 from a pipe" "$? $(cat out)"
# It says so after some seconds, on a busy host a little later.
rm err
{ for _ in $(seq 600); do ! grep -qs . err || break; sleep 0.1; done; echo late; } |
	"$softuvm" run cat > out 2> err
expect "of one that says nothing for seconds" "late softuvm: reading stdin to its end; '< /dev/null' gives it none ..." \
	"$(cat out) $(head -n 1 err)"
OURS='of ours, "quoted"' SOFTUVM_KERNEL=uml "$softuvm" run sh -c 'cat; echo "$OURS$SOFTUVM_KERNEL" >&2' \
	> out 2> err < file
expect "a file is" input "$(cat out)"
expect "the environment, and stderr by itself" 'of ours, "quoted"' "$(cat err)"
printf '1\n2\n' | while read -r line; do
	"$softuvm" run sh -c 'cat; echo "$1"' sh "$line" < /dev/null
done > out
expect "in a loop" "1 2" "$(tr '\n' ' ' < out | sed 's/ $//')"
printf '1\n2\n' > lines
while read -r line; do
	"$softuvm" run sh -c 'cat; echo "$1"' sh "$line"
done > out < lines
expect "in a loop that reads a file" "1 2" "$(tr '\n' ' ' < out | sed 's/ $//')"
"$softuvm" run sh -c 'yes many | head -n 300000' 2> err < /dev/null | md5sum > out
expect "1.5 MB of output" "$(yes many | head -n 300000 | md5sum)" "$(cat out)"
SOFTUVM_MEMORY=4G run 2 true
check "a memory that is no number is named" grep -q "SOFTUVM_MEMORY is '4G'" err
SOFTUVM_SOFTGPU="profile=titanv gpus=2" run 0 "$build/tools/uvm" info
expect "two GPUs share the third" 2 "$(grep -c '^  memory 512.0 MB' out)"
run 127 ./no-such-program
run 143 sh -c 'kill $$'
run 139 sh -c 'kill -SEGV $$'
read -r most < /proc/sys/vm/max_map_count
expect "what may be the cause of a wild access" "$((most < 1048576))" \
	"$(cat out err | grep -c "vm.max_map_count is $most")"
SOFTUVM_MEMORY=256 run 137 python3 -c 'a = [b"x" * (20 << 20) for i in range(20)]'
expect "who uses more memory than there is is told" 1 \
	"$(cat out err | grep -c 'killed, as by a kernel that has no memory left: it has 256 MB')"
SOFTUVM_MEMORY=256 run 137 --oversubscription 150 python3 -c 'a = [b"x" * (20 << 20) for i in range(20)]'
expect "also if that is in the run that finds the footprint out" 1 \
	"$(cat out err | grep -c 'killed, as by a kernel that has no memory left: it has 256 MB')"
"$softuvm" > out 2> err < /dev/null
expect "without a word it says how" 2 $?
finish
