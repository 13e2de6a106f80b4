#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Allocations of the command fail, one in each run, from wherever there are any: it says so and fails,
# or its output is right.
# $1: uvm with an allocator that fails, $2: uvm
uvm=$1
. "$(dirname "$0")/checks.sh"
tools=$(cd "$(dirname "$0")/.." && pwd)
real=$2
cd "$tmp" || exit 1

mkdir work
export TMPDIR="$tmp/work"

# once N ARGUMENT...: a run whose N-th allocation fails, in a folder of its own, which has its output.
# There are some six hundred of them, and each starts few processes beside the command.
once()
{
	n=$1
	shift
	cp -r given "run$n"
	(cd "run$n" && FAIL_ALLOCATION=$n FAILED_ALLOCATION="$tmp/failed$n" exec "$uvm" "$@" \
		> out 2> ../err < /dev/null)
	status=$?
}

# Does the last run say that there is no memory?
says_memory()
{
	while read -r line; do
		case $line in *[Mm]emory*) return 0;; esac
	done < err
	return 1
}

# What is wrong with the last run, whose result is not that of all memory.
complain()
{
	if [ "$status" -ge 128 ]; then
		bad="dies with status $status"
	elif [ "$status" = 0 ]; then
		bad="is taken as good, with another result"
	elif [ ! -s err ]; then
		bad="fails without a message"
	elif [ "$status" != "$good" ] && ! says_memory; then
		bad="fails for another reason"
	fi
}

# without ARGUMENT...: the files in given are those that it reads.
without()
{
	what="uvm $1 without memory"
	export ALLOCATION_STACKS="$tmp/stacks"
	once 0 "$@"
	unset ALLOCATION_STACKS
	good=$status
	# a process counts on in its child
	sort -un -o stacks stacks
	bad=
	while read -r allocation; do
		once "$allocation" "$@"
		if [ ! -e "failed$n" ]; then
			bad="does not fail"
		elif [ "$status" != 0 ] || ! diff -r "run$n" run0 > /dev/null; then
			complain
		fi
		for left in work/*; do
			[ ! -e "$left" ] || bad=${bad:-leaves $left}
		done
		[ -z "$bad" ] || break
	done < stacks
	[ -s stacks ] && [ -z "$bad" ]
	result $? "$*: allocation $allocation: $bad" err
	rm -rf run* failed* stacks work/*
}

mkdir given
without list --json
without list
without run --help
without run triad --no-such-option

printf 'alloc a 64K\ncpu read a 0\nset one two\ngpu write a 0 4K\nlate\n' > given/script
without probe script

cat > given/report <<'END'
{"program":"a program whose name is longer than most","parameters":{"set":{"eviction_policy":"lru"}},"profile":"titan_v","clock":"virtual","footprint_bytes":16777216,"device_bytes":0,"vram_bytes":8388608,"oversubscription_percent":200.0,"gpu_time_ns":123456,"copy_time_ns":0,"wall_time_s":1.234,"launches":3,"warp_instructions":99,"faults":{"fetched":12},"phases_ns":{"fetch":12}}
END
# shellcheck disable=SC2016
program='cat report > "$SOFTUVM_STATS"; echo "$SOFTUVM_SET $SOFTUVM_VRAM $SOFTUVM_EVENTS" > seen'
without exec sh -c "$program"
without exec --json --set a=b --set "c=$(printf '%0300d' 0)" sh -c "$program"
without exec --oversubscription 200 --events e sh -c "$program"
without exec no-such-program
# shellcheck disable=SC2016
without trace record sh -c 'echo "$UVM_TRACE" > seen'

cat > given/trace <<'END'
{"softuvm_trace":1,"clock":"virtual","profile":"titan_v","gpus":[{"gpu":0,"sms":80}]}
{"event":"gpu_fault","gpu":0,"name":"an allocation whose name is long enough","offset":0,"bytes":4096,"access":"write","time_ns":5}
{"event":"batch","gpu":0,"batch":1,"faults":1,"bytes":65536,"handling_ns":30,"time_ns":6,"duration_ns":30}
{"event":"phase","gpu":0,"batch":1,"phase":"fetch","work":"batch","time_ns":7,"duration_ns":3}
{"event":"migration","name":"a","offset":0,"bytes":65536,"src":"cpu","dst":"gpu0","cause":"fault","time_ns":9,"duration_ns":8}
{"timeline":"launch","gpu":0,"time_ns":1,"duration_ns":60,"launch":1,"instructions":12}
{"timeline":"stall","gpu":0,"time_ns":2,"duration_ns":6,"sm":3,"warps":8}
{"timeline":"stall","gpu":0,"time_ns":3,"duration_ns":9,"sm":3,"warps":8}
{"timeline":"fault","gpu":0,"time_ns":5,"gpc":2,"address":4096,"waiting":12}
{"end":1,"events":4,"timeline_records":4,"lost":0}
END
without trace --perfetto trace

# The compiler and the linker write what was made before, and which words they got.
mkdir fake libraries libraries/cuda
printf '#include <softgpu_kernel.h>\nvoid a_kernel_with_a_name_that_is_long(int *x) { *x = 1; }\n' > k.c
"$real" cc k.c || exit 1
cat > tree <<'END'
{"kind":"TranslationUnitDecl","inner":[{"kind":"FunctionDecl","loc":{"file":"k.c","line":2},"range":{"begin":{"offset":1},"end":{"offset":2}},"name":"a_kernel_with_a_name_that_is_long","type":{"qualType":"void (int *)"},"inner":[{"kind":"ParmVarDecl","name":"x"},{"kind":"CompoundStmt"}]}]}
END
cat > fake/any <<END
#!/bin/sh
# but for the names of temporary folders
for word; do
	case \$word in *uvm-cc.*) word=\${word%%uvm-cc.*}\${word#*uvm-cc.??????};; esac
	echo "\$word"
done >> seen
case "\$*" in *-ast-dump*) exec cat "$tmp/tree";; esac
while [ \$# != 0 ]; do
	[ "\$1" != -o ] || exec cp "$tmp/k.elf" "\$2"
	shift
done
END
chmod 755 fake/any
touch libraries/kernel-library.a libraries/libcublas.a libraries/cuda/device.symbols
cp fake/any libraries/cuda/uvm-retarget
export UVM_CLANG="$tmp/fake/any" UVM_LLD="$tmp/fake/any" UVM_LIBRARIES="$tmp/libraries" UVM_TOOLS="$tools"
cp k.c given
without cc k.c
without cc k.c -o another.elf
mkdir given/beside
echo 'template<class T> void run(T *x) { k<< <1, 2>> >(x); }' > given/beside/launch.h
printf '#include "launch.h"\nint main() { k<<<{1, 2}, 3>>>(0); k<< <4, 5>> >(1); }\n' > given/k.cu
without cc -c -Ibeside --include-path=beside -Xcompiler -Wall,-Wextra k.cu
without cc -MD -MF list -o program -Xlinker --gc-sections k.cu

summary 'no memory'
