#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# usage: places.sh O: a copy of a tree uses its own headers and libraries, and so does one that was
# moved, and one that is installed.
build=$1
. "$(dirname "$0")/checks.sh"
tools=$(cd "$(dirname "$0")/.." && pwd)
unset UVM_TOOLS UVM_LIBRARIES UVM_KERNEL_LIBRARY
tmp=$(realpath "$tmp")
cd "$tmp" || exit 1

mkdir -p tree/build/tools tree/tools tree/include
cp "$build/uvm" "$build/version" "$build/kernel-library.a" tree/build/tools
cp -r "$tools/include" tree/tools/
cp -r "$tools/../include/uapi" tree/include/
ln -s ../../tools tree/build/tools/sources
printf '#include <softgpu_kernel.h>\nvoid k(int *x) { *x = 1; }\n' > k.c

# uses UVM TOOLS LIBRARY: these are what it compiles and links with.
uses()
{
	what="uvm cc of $1"
	"$1" cc -v k.c > out 2>&1
	status 0 $? out
	tr ' ' '\n' < out | grep -E '^(-I/|/.*\.(a|ld)$)' | sed 's/^-I//' | grep -v "^$2/\|^$3\$" > others
	[ ! -s others ]
	result $? "also uses:" others
	contains " $3 " out
}

uses tree/build/tools/uvm "$tmp/tree/tools" "$tmp/tree/build/tools/kernel-library.a"
mv tree moved
uses moved/build/tools/uvm "$tmp/moved/tools" "$tmp/moved/build/tools/kernel-library.a"

mkdir -p usr/bin usr/lib/softuvm
mv moved/build/tools/uvm usr/bin/
mv moved/build/tools/version moved/build/tools/kernel-library.a usr/lib/softuvm/
mv moved/tools usr/lib/softuvm/sources
mv moved/include usr/lib/softuvm/
uses usr/bin/uvm "$tmp/usr/lib/softuvm/sources" "$tmp/usr/lib/softuvm/kernel-library.a"
what="uvm --version, installed"
usr/bin/uvm --version > out 2>&1
contains "^uvm $(cat "$build/version")\$" out

# What is not built is told, with what builds it.
what="uvm cc without libraries"
rm usr/lib/softuvm/kernel-library.a
usr/bin/uvm cc k.c > out 2>&1
status 3 $? out
contains "there is no $tmp/usr/lib/softuvm/kernel-library.a: 'make tools'" out
printf '__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n' > k.cu
usr/bin/uvm cc k.cu -o k > out 2>&1
status 3 $? out
contains "there is no $tmp/usr/lib/softuvm/libcublas.a: 'make tools'" out
usr/bin/uvm cc -c k.cu -o k.o > out 2>&1
status 3 $? out
contains "there is no $tmp/usr/lib/softuvm/cuda/device.symbols: 'make tools'" out
summary places
