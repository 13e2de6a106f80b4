#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# CUDA C++ of "uvm cc": a program for each thing of the language, by Debian's clang 14 or 19: all, or
# all but those named with a dash, or those that are named.
# host: timeout=1800 args="14 -thrust -cub"
# host: timeout=1800 when=full name=libraries args="14 thrust cub"
# host: timeout=1800 when=full name=clang19 args="19"
. ./lib.sh
shopt -s nullglob

version=$1
shift
top=$(dirname "$QEMU_TESTS")

# is_case NAME: what has the name of a case and an underscore is part of that.
is_case()
{
	[ "${1%_*}" = "$1" ] || [ ! -e "$TEST/${1%_*}.cu" ]
}

# is_wanted NAME WORD...
is_wanted()
{
	local case=$1 word named=

	shift
	for word; do
		[ "$word" != "-$case" ] || return 1
		[ "$word" != "$case" ] || return 0
		[ "${word#-}" != "$word" ] || named=1
	done
	[ -z "$named" ]
}

cases=
for source in "$TEST"/*.cu; do
	case=$(basename "$source" .cu)
	if is_case "$case" && is_wanted "$case" "$@"; then
		cases="$cases $case"
	fi
done

# build: each case by the uvm of $tools, as built/CASE, with the options that it asks for.
build()
{
	mkdir -p built
	for case in $cases; do
		# shellcheck disable=SC2046
		"$tools/uvm" cc $(sed -n 's,^// options: ,,p' "$TEST/$case.cu") \
			"$TEST/$case.cu" "$TEST/${case}_"*.c[up]* -o "built/$case" > out 2>&1
		expect "$case: clang $version compiles it without a word" "0" "$?$(cat out)"
	done 2> /dev/null
}

other=
[ "$version" = 14 ] || other="--clang $version"
# shellcheck disable=SC2086
tools=$("$QEMU_TESTS/tools" $other all 2> make.log) || not_ok "the tools are built" "$(tail -n 20 make.log)"
[ "$version" = 14 ] || check "uvm cc of clang $version refuses and takes the same" \
	sh "$top/tools/cuda/tests/cuda-cc.sh" "$tools/uvm" "$tools" "/usr/lib/llvm-$version/bin"
build

for case in $cases; do
	echo "built/$case > log 2>&1; echo \"$case: \$?\"; sed 's,^,# $case: ,' log"
done > all.sh
"$VM" --kernel uml --put built --put all.sh -- "sh all.sh" > out 2> err < /dev/null
expect "the launcher ends well" 0 $?
for case in $cases; do
	check "$case: right, by clang $version" grep -qx "$case: 0" out
done
if is_wanted printing "$@"; then
	grep "^# printing: " out | sed "s,.*printing: ,," > said
	expect "printf() of the device is that of the host, 10 lines" \
		"10 $(sed -n 's/^h //p' said)" "$(grep -c '^d ' said) $(sed -n 's/^d //p' said)"
	expect "threads print in their order" "0 1 2" "$(echo $(sed -n 's/^lane //p' said))"
	line=$(grep -n 'assert(\*x' "$TEST/printing.cu" | cut -d: -f1)
	check "an assertion names its line, block and thread" grep -Fq \
		"printing.cu:$line: void must(int *): block: [0,2,0], thread: [3,0,1] Assertion \`*x == 1\` failed." said
	check "a kernel that failed has its name of the source" grep -Fq 'kernel must(int*) failed: trap' said
fi
if is_wanted virtuals "$@"; then
	check "a call of a pure virtual function is named" grep -q "^# virtuals: __cxa_pure_virtual: " out
fi
[ "$failures" = 0 ] || note "$(cut -c1-200 out err | tail -n 40)"
finish
