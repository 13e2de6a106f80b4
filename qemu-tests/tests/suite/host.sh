#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make test-suite: a suite that has no list gets one; what is right, what is wrong and why.
# host: timeout=1200
. ./lib.sh

top=$(dirname "$QEMU_TESTS")
"$QEMU_TESTS/tools" all > make.log 2>&1 ||
	not_ok "the tools are built" "$(tail -n 20 make.log)"

# suite STATUS WHAT ARGUMENTS...: what it says goes to said.
suite() {
	local status=$1 what=$2

	shift 2
	"$top/tools/cuda/suite/test-suite" "$@" > said 2>&1 < /dev/null
	expect "$what" "$status" $?
}

# 8 MB of managed memory, each word made by the GPU; argument, constant, other source and input count.
mkdir -p checkout/add checkout/common
cat > checkout/common/print.cpp <<'END'
#include <cstdio>
void tell(bool right) { puts(right ? "PASSED" : "FAILED"); }
END
cat > checkout/add/add.cu <<'END'
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
void tell(bool right);
__global__ void add(int *a, int n, int by)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		a[i] += by;
}
int main(int argc, char **argv)
{
	int n = 2 << 20, by = argc > 1 ? atoi(argv[1]) : 0, read = 0, *a, right = 1;
	size_t free, total;

	if (argc > 2)
		pause();
	if (scanf("%d", &read) != 1)
		return 9;
	cudaMallocManaged(&a, n * sizeof(int));
	for (int i = 0; i < n; i++)
		a[i] = i;
	add<<<1, 256>>>(a, n, by);
	cudaDeviceSynchronize();
	cudaMemGetInfo(&free, &total);
	for (int i = 0; i < n; i++)
		right &= a[i] == i + read;
	tell(right);
	FILE *file = fopen("memory.txt", "w");
	fprintf(file, "%zu\n", free);
	return fclose(file);
}
END
printf 'add: add.o ../common/print.o\n' > checkout/add/Makefile
printf './add 7 < seven.txt > out\n' > checkout/add/run
echo 7 > checkout/add/seven.txt

suite 4 "without a list one is made" checkout
check "which it says" grep -q 'made .*/checkout/softuvm.toml with 1 program; look at it' said
suite 0 "which is right" checkout --out out
check "with all memory" grep -qx 'ok 1 - add, 100 %' said
check "with half" grep -qx 'ok 2 - add, 50 %' said
check "half it was, in a table" grep -q '^# add, 50 %  *8192  *200\.0 ' said
check "and for programs" grep -q '"oversubscription_percent": 200.0' out/results.json
expect "the last line" "2 passed, 0 failed" "$(tail -n 1 said)"
expect "no more in the checkout" "Makefile add.cu memory.txt run seven.txt" \
	"$(echo $(ls checkout/add))"

# program NAME LINES: one more in a list of many faults.
program() {
	printf '[[program]]\nname = "%s"\ndirectory = "add"\n%s\n' "$1" "$2"
}
sources='sources = ["add.cu", "../common/print.cpp"]'
seven='input = "seven.txt"
arguments = ["7"]'
echo '__global__ void k() { nothing(); }' > checkout/add/wrong.cu
{
	printf '[defaults]\nmemory = [100]\n'
	program verified "$sources
$seven
pattern = \"^PASSED\""
	program rejected "$sources
input = \"seven.txt\"
arguments = [\"8\"]
reject = \"FAILED\""
	program silent "$sources
$seven
pattern = \"^right\""
	program status "$sources"
	program wrong 'sources = ["wrong.cu"]'
	program data "$sources
data = [\"graph.txt\"]"
	program endless "$sources
arguments = [\"7\", \"wait\"]
timeout = 5"
	program skipped 'sources = ["x.cu"]
skip = "needs cuFFT"'
	program differs "$sources
$seven
same = [\"memory.txt\"]
memory = [100, 50]"
} > checkout/softuvm.toml
suite 1 "a list with much that is wrong" checkout --out out
line() {
	check "line: $1" grep -qE "^$1" said
}
line 'ok 1 - verified, 100 % # verified$'
line "not ok 2 - rejected, 100 %: says 'FAILED'"
line "not ok 3 - silent, 100 %: does not say '\^right'; last: PASSED"
line 'not ok 4 - status, 100 %: exit status 9, not 0: no output'
line 'not ok 5 - wrong, 100 %: compiling fails: wrong.cu:1:[0-9]*: error: .*nothing'
line "not ok 6 - data, 100 %: its data 'graph.txt' is not there"
line 'not ok 7 - endless, 100 %: takes more than 5 s: give it a smaller size or a longer'
line 'ok 8 - skipped, 100 % # SKIP needs cuFFT'
line "ok 9 - differs, 100 %"
line "not ok 10 - differs, 50 %: 'memory.txt' is not what it is with all memory"
check "where more is said" grep -q '^# see .*/out/wrong.cc.log' said
expect "the last line" "2 passed, 7 failed, 1 skipped" "$(tail -n 1 said)"

# Who interrupts it waits for none of what has begun.
sed 's/^timeout = 5/timeout = 300/' checkout/softuvm.toml > checkout/long.toml
rm out/endless.100.log
"$top/tools/cuda/suite/test-suite" checkout/long.toml --out out endless > said 2>&1 < /dev/null &
for _ in $(seq 600); do
	[ ! -e out/endless.100.log ] || break
	sleep 0.1
done
kill -TERM $!
wait $!
expect "interrupted" 143 $?
expect "and its kernel is gone" "" "$(pgrep -f "vm .*$PWD/out/[e]ndless")"

suite 0 "one of them" checkout --out out verified
expect "alone" "1 passed, 0 failed" "$(tail -n 1 said)"
suite 2 "one that there is not" checkout verifid
check "which was meant" grep -q "'verifid' is none of its programs; did you mean 'verified'?" said
suite 1 "only compiled" checkout --compile --out out wrong status
check "what is right" grep -q '^ok 1 - status$' said
suite 2 "no such directory" nowhere
check "what to do" grep -q 'nowhere: there is no such directory: say SUITE=DIR' said
mkdir -p empty
suite 2 "nothing to make a list of" empty
check "why" grep -q 'empty: has no list softuvm.toml, and no .cu with a main()' said
check "no list then" test ! -e empty/softuvm.toml
[ "$failures" = 0 ] || note "$(cut -c1-200 said | tail -n 60)"
finish
