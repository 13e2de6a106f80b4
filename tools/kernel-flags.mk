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
# Of kernels in this tree: a failure names the line, below the place where the compiler is run.
KERNEL_LINES	:= -gline-tables-only -fdebug-compilation-dir=.
KERNEL_LDFLAGS	:= -static -nostdlib --no-dynamic-linker -z norelro --entry=0

# The library that 'uvm cc' links: string.c and math.c of kernel-library/, and newlib's float
# functions from Debian's newlib-source.  Its other implementations compute in double.
KERNEL_NEWLIB	:= math/sf_sin math/sf_cos math/sf_tan math/kf_sin math/kf_cos math/kf_tan \
		   math/kf_rem_pio2 math/ef_rem_pio2 math/sf_atan math/ef_atan2 math/sf_tanh \
		   math/ef_exp math/ef_log math/ef_log10 math/ef_pow math/ef_fmod math/sf_floor \
		   math/sf_ceil common/sf_expm1 common/sf_log1p common/sf_round common/sf_rint \
		   common/sf_trunc common/sf_scalbn
KERNEL_NEWLIB_CFLAGS := -D__OBSOLETE_MATH_DEFAULT=1 -w
