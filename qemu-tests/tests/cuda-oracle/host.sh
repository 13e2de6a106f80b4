#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# CUDA programs made up from seeds leave on the GPU, byte for byte, what the same IR leaves on this
# CPU.
# host: timeout=1200 when=full args="8 1 14"
# host: timeout=1200 when=full name=clang19 args="2 1000001 19"
# With seeds that were not there before, or SEED of the environment: 5000 kernels.
# host: timeout=14400 when=soak name=soak args="200 new 14"
. ./lib.sh

programs=$1
seed=${SEED:-$2}
version=$3
[ "$seed" != new ] || seed=$(date +%s)
kernels=25	# of a program
batch=8		# programs in a VM
llvm=/usr/lib/llvm-$version

other=
[ "$version" = 14 ] || other="--clang $version"
# shellcheck disable=SC2086
tools=$("$QEMU_TESTS/tools" $other all 2> make.log)
expect "the tools are built for clang $version" 0 $?

# build N: program pN, and what this CPU says in pN.want.
build()
{
	"$TEST/generate.py" "$seed" $(($1 * kernels)) $kernels > "p$1.cu" &&
		"$TEST/compile" "$tools" "$llvm" "p$1.cu" "p$1" > "p$1.log" 2>&1 &&
		"./p$1.cpu" > "p$1.want" 2>> "p$1.log" &&
		ORACLE_BACKWARDS=1 "./p$1.cpu" > "p$1.back" 2>> "p$1.log"
}

# compare N: the kernels of pN that differ.
compare()
{
	local differ

	sed -n "/^program p$1\$/,/^program /p" out | grep '^[ke]' > "p$1.got"
	expect "program $1: no order of threads can be told, on the CPU" "$(cat "p$1.want")" \
		"$(cat "p$1.back" "p$1.log")"
	differ=$(diff "p$1.want" "p$1.got" | sed -n 's/^< kernel \([0-9]*\) .*/\1/p')
	expect "program $1: $kernels kernels leave the same on the GPU" "$kernels" \
		"$(comm -12 <(sort "p$1.want") <(sort "p$1.got") | wc -l)"
	[ -z "$differ" ] || note "kernels that differ:" $differ
	for kernel in $(echo "$differ" | head -n 1); do
		note "$TEST/shrink $seed $kernel $version"
	done
}

[ "$failures" = 0 ] || finish
cp "$TEST/program.h" .
note "seed $seed"
# the library first: it is of all programs
"$TEST/compile" "$tools" "$llvm"
for ((first = 0; first < programs; first += batch)); do
	last=$((first + batch < programs ? first + batch : programs))
	put=()
	for ((p = first; p < last; p += 2)); do
		build $p &
		[ $((p + 1)) = $last ] || build $((p + 1))
		wait
	done
	for ((p = first; p < last; p++)); do
		[ -x p$p ] || continue
		put+=(--put "p$p")
		echo "echo program p$p; uvm exec --vram 4M --quiet ./p$p"
	done > all.sh
	echo "echo program end" >> all.sh
	"$VM" --kernel uml --put all.sh "${put[@]}" -- "sh all.sh" > out 2> err < /dev/null
	for ((p = first; p < last; p++)); do
		compare $p
	done
	[ "$failures" = 0 ] || break
	rm -f p[0-9]*
done
[ "$failures" = 0 ] || note "$(cut -c1-200 err | tail -n 20)"
finish
