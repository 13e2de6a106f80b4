#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What our CUDA programs say is CUDA: NVIDIA's own compiler takes each, where it is installed.
# Nothing needs it, and elsewhere this is skipped.  What it has taken once is not asked again: compiling all
# takes five minutes.
# host: timeout=1200 when=full
. ./lib.sh
. "$QEMU_TESTS/lib/store.sh"
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
mkdir -p "$store/nvcc"
find "$store/nvcc" -type f -mtime +30 -delete

# taken SOURCE: the file that is there if it was taken, with the same headers and options by the same nvcc.
taken()
{
	local folder

	folder=$(dirname "$1")
	cat version "$TEST/host.sh" "$1" "$folder"/*.h "$folder"/*.cuh | sha256sum - | cut -c 1-20 | sed "s,^,$store/nvcc/,"
}

for source in "$QEMU_TESTS"/tests/cuda-*/*.cu "$top"/tools/cuda/examples/*.cu; do
	if grep -q '^texture<' "$source" && grep -q 'release 1[2-9]' version; then
		skip "${source#"$top"/}: nvcc takes it" "CUDA 12 has no references to textures"
		continue
	fi
	mark=$(taken "$source")
	if [ ! -e "$mark" ]; then
		# shellcheck disable=SC2046
		"$nvcc" -c -arch=sm_90 -std=c++17 -w --extended-lambda \
			$(sed -n 's,^// options: ,,p' "$source") "$source" -o one.o > out 2>&1 && touch "$mark"
	fi
	expect "${source#"$top"/}: nvcc takes it" "taken" "$([ -e "$mark" ] && echo taken || head -n 5 out)"
done
finish
