#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What our CUDA programs say is CUDA: NVIDIA's own compiler takes each, where it is installed.
# Nothing needs it, and elsewhere this is skipped.
# host: timeout=1200 when=full
. ./lib.sh
shopt -s nullglob

top=$(dirname "$QEMU_TESTS")
nvcc=$(command -v nvcc) || nvcc=/usr/local/cuda/bin/nvcc
# A program of two cents: an nvcc without its headers or a compiler that it knows is none.
echo '__global__ void k() {} int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }' > try.cu
if ! "$nvcc" -c try.cu -o try.o > try.log 2>&1; then
	skip "nvcc takes our programs" "no nvcc that works is here"
	finish
fi
"$nvcc" --version > version
for source in "$QEMU_TESTS"/tests/cuda-*/*.cu "$top"/tools/cuda/examples/*.cu; do
	if grep -q '^texture<' "$source" && grep -q 'release 1[2-9]' version; then
		skip "${source#"$top"/}: nvcc takes it" "CUDA 12 has no references to textures"
		continue
	fi
	# shellcheck disable=SC2046
	"$nvcc" -c -arch=sm_90 -std=c++17 -w --extended-lambda $(sed -n 's,^// options: ,,p' "$source") \
		"$source" -o one.o > out 2>&1
	expect "${source#"$top"/}: nvcc takes it" "0" "$?$(head -n 5 out)"
done
finish
