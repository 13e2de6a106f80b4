# SPDX-License-Identifier: GPL-2.0
#
# How GPU kernels are compiled: shared by tools/Makefile, `uvm cc` (which gets
# these strings compiled in) and anybody's own Makefile.
# include/softgpu/kernel_abi.h says why.

KERNEL_CLANG	?= clang
KERNEL_LLD	?= ld.lld

KERNEL_CFLAGS	:= --target=riscv64 -march=rv64imaf -mabi=lp64f -mcmodel=medany -std=gnu11 \
		   -O2 -ffreestanding -ffp-contract=off -fno-pic -mno-relax \
		   -fno-math-errno -msmall-data-limit=0 -fno-asynchronous-unwind-tables \
		   -fno-jump-tables -Xclang -fconvergent-functions \
		   -Wall -Wextra -Wno-unused-function
KERNEL_LDFLAGS	:= -static -nostdlib --no-dynamic-linker -z norelro --entry=0
