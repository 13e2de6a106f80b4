#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What "uvm run" says when it cannot do what it is asked for, where that takes a driver: no memory,
# names and values of parameters, and the events of a run on stdout.
# vm: kernel=uml softgpu="vram_mb=256" timeout=200
. ./lib.sh

# refused STATUS PATTERN ARGUMENT...: of "uvm run triad --quiet".
refused() {
	_status=$1
	_pattern=$2
	shift 2
	uvm run triad --quiet "$@" > out 2>&1
	expect "triad $*: its status" "$_status" $?
	check "triad $*: it says why" grep -q -e "$_pattern" out
}

refused 3 '900 MB of data need 1028 MB, and [0-9]* MB are free.*--memory [0-9]' --size 900M
uvm run triad --quiet --size 480M > out 2>&1
expect "triad of half of the memory beside the GPU's: it runs" 0 $?
refused 2 "no such parameter 'perf_prefetch_enabel'; did you mean 'perf_prefetch_enable'?" \
	--set perf_prefetch_enabel=1
refused 2 "perf_prefetch_enable=2: it must be " --set perf_prefetch_enable=2
refused 2 "eviction_policy=lrru: it must be .*lru" --set eviction_policy=lrru

# said PATTERN ARGUMENT...: on stderr, of a run that is good.
said() {
	_pattern=$1
	shift
	uvm run triad "$@" > /dev/null 2> err
	expect "triad $*: it runs" 0 $?
	check "triad $*: it says what it got instead" grep -q -e "$_pattern" err
}

said '75 % instead of 99999 %' --size 1536K --oversubscription 99999%
said '2.0 MB of GPU memory instead of 1 B: there cannot be less' --size 1M --vram 1
said 'of GPU memory instead of 1.0 TB: there is no more' --size 1M --vram 1T
uvm run triad --size 24M --oversubscription 200 2> err > /dev/null
expect "triad at 200 %: nothing to say" 0 "$(grep -c instead err)"

# A user who may not pin so much is told which parameter says so.
mkdir -p /etc
echo 'nobody:x:65534:65534::/:/bin/sh' > /etc/passwd
chmod 666 /dev/uvm /dev/softgpu0
chmod 755 .
busybox su -s /bin/sh nobody -c "uvm run triad --size 24M --oversubscription 200" > out 2>&1
expect "a user without CAP_SYS_RESOURCE: refused" 3 $?
check "and told of user_percent" grep -q 'pins at most softgpu.user_percent of its memory' out
chmod 600 /dev/uvm /dev/softgpu0

# stdout is a file: neither the events nor the report overwrite the other.
for name in - /proc/self/fd/1 all; do
	uvm run triad --size 1M --quiet --json --events $name > all 2>/dev/null
	expect "events to $name: it runs" 0 $?
	expect "events to $name: one report" 1 "$(grep -c '"verified":true' all)"
	check "events to $name: events before it" [ "$(grep -c '"event":"gpu_fault"' all)" -gt 10 ]
	expect "events to $name: whole lines" 0 "$(grep -vc '^{.*}$' all)"
done

# Columns do not run into each other: two blanks behind each name, value and source.
uvm list > out
sed -n '/^parameters/,/^$/p' out | sed '1,2d; /^$/d' > parameters
expect "uvm list: columns stand apart" 0 \
	"$(grep -Evc '^  [a-z_0-9]+  +[^ ]+  +(default|profile|module|va_space)  +[^ ].*: ' parameters)"
check "uvm list: and there are parameters" [ "$(wc -l < parameters)" -gt 30 ]
sed '1,/^policies/d' out > policies
expect "uvm list: policies stand apart" "" "$(grep -Ev '^  [a-z_]+=[a-z_0-9]+  +[^ ]' policies)"
check "uvm list: and there are policies" [ "$(wc -l < policies)" -gt 20 ]
finish
