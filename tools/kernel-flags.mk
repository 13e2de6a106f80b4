# SPDX-License-Identifier: GPL-2.0
#
# How GPU kernels are compiled: shared by tools/Makefile, `uvm cc` (which gets
# these strings compiled in) and anybody's own Makefile.
# include/uapi/linux/softgpu_kernel_abi.h says why.

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

# CUDA programs: what the device has, and how code for it is compiled from C and from LLVM's IR.
# Position-independent code takes addresses of variables from a table that the runtime corrects.
CUDA_ISA	:= -march=rv64imafd -mabi=lp64d
CUDA_TARGET	:= --target=riscv64 $(CUDA_ISA) -mcmodel=medany -O2 -fPIC -mno-relax
CUDA_CFLAGS	:= $(CUDA_TARGET) -std=gnu11 -ffreestanding -ffp-contract=off -fno-math-errno \
		   -fno-asynchronous-unwind-tables -fno-jump-tables \
		   -Xclang -fconvergent-functions -Wall -Wextra
# Lanes join at the lowest PC: what follows a branch has to lie behind both of its sides.
CUDA_IR_FLAGS	:= $(CUDA_TARGET) -ffunction-sections -fdata-sections -fstack-size-section -c \
		   -mllvm -disable-block-placement -Wno-unused-command-line-argument -Wno-pass-failed

# The device library of CUDA programs has all of that, and more of newlib, in both precisions.
CUDA_NEWLIB	:= $(KERNEL_NEWLIB) \
		   math/ef_asin math/ef_acos math/ef_sinh math/ef_cosh math/ef_acosh math/ef_atanh \
		   math/ef_hypot math/ef_remainder math/ef_j0 math/ef_j1 math/ef_jn math/erf_lgamma \
		   math/sf_asinh math/sf_erf math/sf_frexp common/sf_cbrt \
		   common/sf_logb common/sf_ilogb common/sf_modf common/sf_nextafter \
		   common/sf_remquo common/sf_llround common/sf_llrint \
		   common/sf_finite
CUDA_NEWLIB	+= math/s_sin math/s_cos math/s_tan math/k_sin math/k_cos math/k_tan \
		   math/k_rem_pio2 math/e_rem_pio2 math/s_atan math/e_atan2 math/s_tanh \
		   math/e_exp math/e_log math/e_log10 math/e_pow math/e_fmod math/s_floor \
		   math/s_ceil math/e_asin math/e_acos math/e_sinh math/e_cosh math/e_acosh \
		   math/e_atanh math/e_hypot math/e_remainder math/e_j0 math/e_j1 math/e_jn \
		   math/er_lgamma math/s_asinh math/s_erf math/s_frexp \
		   common/s_expm1 common/s_log1p common/s_round common/s_rint common/s_trunc \
		   common/s_scalbn common/s_cbrt common/s_logb common/s_ilogb common/s_modf \
		   common/s_nextafter common/s_remquo common/s_llround \
		   common/s_llrint common/s_finite
