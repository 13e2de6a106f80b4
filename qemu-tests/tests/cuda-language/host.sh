#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# CUDA C++ of "uvm cc": a program for each thing of the language, by Debian's clang 14 and by 19.
# host: timeout=900
. ./lib.sh
shopt -s nullglob

"$QEMU_TESTS/install-packages" "$QEMU_TESTS/packages-compilers" > install.log 2>&1 ||
	not_ok "clang-19 and its like are installed" "$(tail -n 5 install.log)"
top=$(dirname "$QEMU_TESTS")
cases="headers shared barriers warps variables managed atomics classes launches integers math_float math_double printing"

# build VERSION TOOLS: each case by the uvm of TOOLS, as VERSION/CASE.
build()
{
	mkdir -p "$1"
	for case in $cases; do
		"$2/uvm" cc "$TEST/$case.cu" "$TEST/${case}_"*.c[up]* -o "$1/$case" > out 2>&1
		expect "$case: clang $1 compiles it without a word" "0" "$?$(cat out)"
	done 2> /dev/null
}

tools=${SOFTUVM_BUILD:-$top/build}/tools
flock "$(dirname "$tools")/.lock-tools" \
	make -s --no-print-directory -C "$top/tools" O="$tools" > make.log 2>&1 ||
	not_ok "the tools are built" "$(tail -n 20 make.log)"
build 14 "$tools"
make -s --no-print-directory -C "$top/tools" O="$PWD/tools" KERNEL_CLANG=clang-19 \
	KERNEL_LLD=ld.lld-19 "$PWD/tools/uvm" "$PWD/tools/libuvm.a" "$PWD/tools/libuvmcuda.a" cuda \
	> make.log 2>&1 || not_ok "the tools are built for clang 19" "$(tail -n 20 make.log)"
build 19 "$PWD/tools"
check "uvm cc of clang 19 refuses and takes the same" \
	sh "$top/tools/tests/cuda-cc.sh" "$PWD/tools/uvm" "$PWD/tools" /usr/lib/llvm-19/bin

for version in 14 19; do
	for case in $cases; do
		echo "$version/$case > log 2>&1; echo \"$version/$case: \$?\"; sed 's,^,# $version/$case: ,' log"
	done
done > all.sh
"$VM" --kernel uml --put 14 --put 19 --put all.sh -- "sh all.sh" > out 2> err < /dev/null
expect "the launcher ends well" 0 $?
for version in 14 19; do
	for case in $cases; do
		check "$case: right, by clang $version" grep -qx "$version/$case: 0" out
	done
done
for version in 14 19; do
	grep "^# $version/printing: " out | sed "s,.*/printing: ,," > said
	expect "clang $version: printf() of the device is that of the host, 10 lines" \
		"10 $(sed -n 's/^h //p' said)" "$(grep -c '^d ' said) $(sed -n 's/^d //p' said)"
	expect "clang $version: threads print in their order" "0 1 2" \
		"$(echo $(sed -n 's/^lane //p' said))"
	line=$(grep -n 'assert(\*x' "$TEST/printing.cu" | cut -d: -f1)
	check "clang $version: an assertion names its line" \
		grep -q "printing.cu:$line: .*must(int \*): Assertion \`\*x == 1' failed" said
done
[ "$failures" = 0 ] || note "$(cut -c1-200 out err | tail -n 40)"
finish
