#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Exit statuses of the uvm command, as far as no device is needed.
uvm=$1
checks=0
failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# expect STATUS ARGUMENT...
expect()
{
	want=$1
	shift
	checks=$((checks + 1))
	"$uvm" "$@" > "$tmp/out" 2> "$tmp/err" < /dev/null
	got=$?
	if [ $got -ne "$want" ]; then
		failed=$((failed + 1))
		echo "uvm $*: status $got, not $want" >&2
		cat "$tmp/err" >&2
	fi
}

# says WORD...: the last command wrote this
says()
{
	checks=$((checks + 1))
	if ! cat "$tmp/out" "$tmp/err" | grep -q -e "$*"; then
		failed=$((failed + 1))
		echo "missing in output: $*" >&2
	fi
}

expect 0 --help
says 'Exit status'
expect 2
expect 2 fly
says "no such command 'fly'"
for command in run probe list info stat trace cc; do
	expect 0 $command --help
	says usage
done
expect 2 run
expect 2 run nothing
says "no such workload 'nothing'"
expect 2 run triad vecadd
expect 2 run triad --stride 4
says 'triad has no option --stride'
expect 2 run triad --size 1X
expect 2 run triad --oversubscription 0
expect 2 run triad --oversubscription 200 --vram 2M
expect 2 run triad --set perf_prefetch_enable
expect 2 run triad --gpu 99
expect 2 run triad --no-such-option
expect 2 probe
expect 2 probe "$tmp/none"
printf 'alloc a 4K\ncpu read a 8K\n' > "$tmp/bad"
expect 2 probe "$tmp/bad"
says "line 2: 'a' ends at 4096"
expect 2 stat --interval x
expect 2 info --nothing
expect 2 cc
expect 2 trace
expect 2 report
expect 2 report none
expect 2 report ../report/demystifying
expect 0 report --help
says batch-aware
expect 0 report batch-aware --help
says 'unlimited, baseline'
expect 0 list --json
says '"name":"bfs"'
says '"name":"sssp-twc"'

# Without a device the failure says what is missing.
if [ ! -e /dev/uvm ]; then
	expect 3 run graphbig
	expect 3 run triad
	says 'is the uvm module loaded'
	expect 3 info
	expect 3 stat
	printf 'alloc a 4K\n' > "$tmp/good"
	expect 3 probe "$tmp/good"
fi

printf '%-24s%u checks, %u failed\n' 'command line' "$checks" "$failed"
[ "$failed" -eq 0 ]
