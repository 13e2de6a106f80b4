#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Exit statuses of the uvm command, as far as no device is needed.
uvm=$1
. "$(dirname "$0")/checks.sh"

# expect STATUS ARGUMENT...
expect()
{
	want=$1
	shift
	what="uvm $*"
	"$uvm" "$@" > "$tmp/out" 2> "$tmp/err" < /dev/null
	status "$want" $? "$tmp/err"
}

# says WORD...: the last command wrote this
says()
{
	contains "$*" "$tmp/out" "$tmp/err"
}

expect 0 --help
says 'Exit status'
expect 2
expect 2 fly
says "no such command 'fly'"
expect 2 rnu
says "no such command 'rnu'; did you mean 'run'?"
expect 0 --version
says '^uvm '
expect 0 help run
says 'usage: uvm run'
expect 0 run --help
says "uvm run WORKLOAD --help"
expect 0 run triad --help
says "usage: uvm run triad"
says "--repeat N"
expect 0 help run bfs
says "usage: uvm run bfs"
expect 2 help rnu
says "did you mean 'run'?"
expect 2 run trida
says "no such workload 'trida'; did you mean 'triad'?"
expect 2 run graphbgi
says "did you mean 'graphbig'?"
expect 0 exec --help
says "usage: uvm exec"
expect 2 exec
says "say which program"
expect 2 exec --oversubscription 150 --vram 4M true
says "exclude each other"
expect 2 exec --events a --trace b true
expect 2 exec --event-types batch true
expect 2 exec --event-types bathc true
expect 2 exec --set a true
expect 2 exec --set a=b,c=d true
expect 2 exec --vram 0 true
expect 2 exec --vrma 4M true
says "did you mean '--vram'?"
expect 0 exec true --not-ours
says "true made no report"
expect 7 exec -- sh -c 'exit 7'
expect 143 exec sh -c 'kill $$'
expect 127 exec no-such-program
# Settings of any length all arrive.
long=$(printf '%0200d' 0)
set --
for i in $(seq 32); do
	set -- "$@" --set "parameter$i=$long"
done
# shellcheck disable=SC2016
expect 0 exec "$@" sh -c 'echo ${#SOFTUVM_SET}'
says '^6806$'
expect 2 exec "$@" --set one=more true
says "uvm exec: --set can be given 32 times at most"
# No process, as somebody who has one already: the superuser may have any number.
as=
[ "$(id -u)" != 0 ] || as="setpriv --reuid 65534 --regid 65534 --clear-groups"
cp "$uvm" "$tmp/uvm"
chmod 755 "$tmp" "$tmp/uvm"
for command in exec 'trace record'; do
	what="uvm $command without a process"
	$as prlimit --nproc=1 "$tmp/uvm" $command true > "$tmp/out" 2> "$tmp/err"
	status 3 $? "$tmp/err"
	says "uvm ${command% *}: no process for true: Resource temporarily unavailable"
done
touch "$tmp/libcublas.a" "$tmp/k.cu"
for file in k.c k.cu; do
	what="uvm cc $file without a process"
	$as prlimit --nproc=1 env UVM_LIBRARIES="$tmp" "$tmp/uvm" cc "$tmp/$file" > "$tmp/out" 2> "$tmp/err"
	status 3 $? "$tmp/err"
	says "uvm cc: no process for [^ ]*: Resource temporarily unavailable"
done
# Who ends it ends the program, and nothing is left.
files=$(echo /tmp/uvm-exec-*)
for signal in HUP:129 INT:130 QUIT:131 TERM:143; do
	for command in exec 'trace record'; do
		what="uvm $command at SIG${signal%:*}"
		: > "$tmp/log"
		env --default-signal "$uvm" $command sh -c 'trap "echo ended >> '"$tmp/log"'; exit" \
			HUP INT QUIT TERM; echo begun >> '"$tmp/log"'
			for i in $(seq 100); do sleep 0.1; done' > /dev/null 2>&1 &
		until [ -s "$tmp/log" ]; do sleep 0.1; done
		kill -s "${signal%:*}" $!
		wait $! 2> /dev/null
		status "${signal#*:}" $?
		cp "$tmp/log" "$tmp/out"
		says ended
	done
done
what="uvm exec's files"
[ "$files" = "$(echo /tmp/uvm-exec-*)" ]
result $? "files are left"
expect 3 exec --oversubscription 150 true
says "makes no report"
expect 3 exec --oversubscription 150 false
says "fails, with status 1; without --oversubscription it can say why"
expect 137 exec --oversubscription 150 sh -c 'kill -KILL $$'
says "was killed, as for want of the CPU's memory"
expect 2 run triad --oversubscripton 200
says "uvm run: no such option '--oversubscripton'; did you mean '--oversubscription'?"
expect 2 run triad --oversubscription
says "uvm run: --oversubscription needs a value"
expect 2 run triad --quiet=yes
says "uvm run: --quiet takes no value"
expect 2 run triad --events - --event-types gpu_fault,migrtion
says "no such type of events 'migrtion'; did you mean 'migration'?"
expect 2 run triad --events - --event-types nothing
says "no such type of events 'nothing'; there are: gpu_fault cpu_fault"
for command in list info probe stat trace; do
	expect 2 $command --hepl
	says "uvm $command: no such option '--hepl'; did you mean '--help'?"
done
expect 2 stat --interval 0
says "uvm stat: bad --interval '0': it must be 1 or more"
expect 2 stat --count 2
says "uvm stat: --count is for --interval"
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
expect 2 run triad --json --bounds 133.3,
says "bad --bounds '133.3,': it must be up to 16 of per cent"
expect 2 run triad --json --bounds 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
says "bad --bounds"
expect 2 run triad --bounds 200
says "--bounds is for --json"
expect 2 run triad --json --bounds 200 --oversubscription 200
expect 2 run triad --json --bounds 200 --explicit
expect 2 run triad --set perf_prefetch_enable
expect 2 run triad --gpu 99
expect 2 run triad --no-such-option
says "no such option '--no-such-option'; see 'uvm run --help'"
expect 2 probe
expect 2 probe "$tmp/none"
printf 'alloc a 4K\ncpu read a 8K\n' > "$tmp/bad"
expect 2 probe "$tmp/bad"
says "line 2: 'a' ends at 4096"
echo 'aloc a 4K' > "$tmp/bad"
expect 2 probe "$tmp/bad"
says "line 1: no such command 'aloc'; did you mean 'alloc'?"
echo 'gpux read a 0' > "$tmp/bad"
expect 2 probe "$tmp/bad"
says "line 1: no such command 'gpux'; did you mean 'gpu'?"
expect 2 stat --interval x
expect 2 info --nothing
expect 2 cc
expect 2 trace
expect 2 trace record --perfetto a
expect 2 trace --perfetto a true
# What cannot be printed is an error; who has stopped reading wants no message.
what="uvm list > /dev/full"
"$uvm" list > /dev/full 2> "$tmp/err"
status 3 $? "$tmp/err"
contains "uvm: stdout: No space left on device" "$tmp/err"
what="uvm list into a closed pipe"
{ sleep 0.2; "$uvm" list 2> "$tmp/err"; echo $? > "$tmp/status"; } | :
status 141 "$(cat "$tmp/status")"
[ "$(grep -vc 'no driver' "$tmp/err")" = 0 ]
result $? "messages" "$tmp/err"
what="uvm list into a closed pipe without SIGPIPE"
{ sleep 0.2; trap '' PIPE; "$uvm" list 2> "$tmp/err"; echo $? > "$tmp/status"; } | :
status 3 "$(cat "$tmp/status")"
contains "uvm: stdout: Broken pipe" "$tmp/err"
expect 2 report
expect 2 report none
expect 2 report ../report/demystifying
expect 0 report --help
says batch-aware
expect 0 report batch-aware --help
says 'unlimited, baseline'
expect 0 report hpe --help
says 'HOT, LEU'
expect 0 report adaptive --help
says '2dconv, backprop'
expect 0 list --json
says '"name":"bfs"'
says '"name":"sssp-twc"'
says '"name":"sssp"'

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

summary 'command line'
