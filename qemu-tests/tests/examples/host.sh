#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The programs of tools/examples, copied, built and run as tools/examples/README.md says.
# host: timeout=1200
. ./lib.sh

top=$(dirname "$QEMU_TESTS")
export SOFTUVM=$top TOOLS=${SOFTUVM_BUILD:-$top/build}/tools
"$QEMU_TESTS/tools" all > make.log 2>&1 ||
	not_ok "the tools are built" "$(tail -n 20 make.log)"

put=
run=
for directory in "$top"/tools/examples/*/; do
	# programs in CUDA C++ are of tests/cuda-examples
	[ -f "$directory/Makefile" ] || continue
	name=$(basename "$directory")
	cp -r "$directory" "$name"
	check "$name: listed" grep -q "^| .$name/. " "$top/tools/examples/README.md"
	check "$name: built" make -s -C "$name"
	put="$put --put $name/$name --put $name/$name.elf"
	run="$run ./$name $name.elf > $name.out 2>&1; echo $name: \$? >> $name.out; cat $name.out;"
done
# shellcheck disable=SC2086
"$VM" --kernel uml $put -- "$run" > out 2> err < /dev/null
expect "the launcher ends well" 0 $?

check "saxpy is right" grep -q '^right; [0-9]* GPU faults in [0-9]* batches, 8388608 bytes' out
check "the sum of reduction is right" grep -q '^right; the sum of 1000003 numbers is ' out
check "histogram is right" grep -q '^right; 64 bins$' out
check "histogram shows what its kernel printed" \
	grep -q '^block 0 of 16 counted [1-9][0-9]* in bin 0$' out
# The input has 4 MB, the output as much.
check "faults bring all of the input" grep -Eq '^faults +[1-9][0-9]* GPU .* [48][0-9]{6} bytes to' out
check "after a prefetch there is no fault" grep -Eq '^prefetch +0 GPU faults ' out
check "a duplicate need not come back" grep -Eq '^read duplicate .* 4194304 back$' out
check "what is read from afar does not move" grep -Eq '^remote .* 0 bytes to the GPU ' out
for name in saxpy reduction histogram prefetch; do
	check "$name: its status is 0" grep -qx "$name: 0" out
done

# The same sum by way of the kernels' library.
cp -r saxpy library
sed -i 's/args->y\[i\] += .*/{ float v; memmove(\&v, \&args->x[i], sizeof(v));\
		args->y[i] = powf(args->factor, 1.0f) * v + cosf(args->y[i] - 1.0f); }/
	s/#include <softgpu_kernel.h>/#include <math.h>\n#include <string.h>\n&/' \
	library/saxpy_kernel.c
make -s -C library > make.log 2>&1
"$VM" --kernel uml --put library -- "cd library; ./saxpy saxpy.elf" > out 2>&1 < /dev/null
check "memmove(), powf() and cosf() on the GPU" grep -q '^right; ' out

# A kernel that goes astray: the failure names its line.
cp -r saxpy astray
sed -i 's/args->y\[i\]/args->y[i + (1ull << 36)]/' astray/saxpy_kernel.c
make -s -C astray > make.log 2>&1
"$VM" --kernel uml --put astray -- "cd astray; ./saxpy saxpy.elf; echo status \$?" > out 2>&1 < /dev/null
check "a wild access: status 1" grep -qx 'status 1' out
line=$(grep -n 'args->y' astray/saxpy_kernel.c | cut -d: -f1)
check "a wild access is told, with its line" grep -q \
	"kernel saxpy failed: wild access (.*; at saxpy_kernel.c:$line in saxpy: " out
[ "$failures" = 0 ] || note "$(cat out err)"
finish
