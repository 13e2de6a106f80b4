// SPDX-License-Identifier: GPL-2.0
/*
 * The reference's side, for qemu-riscv64 and for nothing: each thread after the other.
 * Writes a struct isa_result per program, then the tiles, by the plain model.
 */
#include "../isa.h"

#define SYS_WRITE	64
#define SYS_EXIT	93

extern void (*const programs[])(struct isa_thread *own, uint64_t *woven, const uint64_t *table,
				uint64_t index);
extern const uint64_t program_count;

static struct isa_memory memory;
static struct isa_result result;
static struct isa_tile tile;

static long syscall3(long number, long a, long b, long c)
{
	register long a7 __asm__("a7") = number;
	register long a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
	return a0;
}

static void write_all(const void *from, size_t bytes)
{
	const char *at = from;

	while (bytes) {
		long n = syscall3(SYS_WRITE, 1, (long)at, bytes);

		if (n <= 0)
			syscall3(SYS_EXIT, 1, 0, 0);
		at += n;
		bytes -= n;
	}
}

/* What include/uapi/linux/softgpu_kernel_abi.h says of SGPU_ECALL_MMA. */
static void multiply(float *d, unsigned int ldd, const float *a, unsigned int lda,
		     const float *b, unsigned int ldb)
{
	for (unsigned int i = 0; i < 16; i++)
		for (unsigned int j = 0; j < 16; j++)
			for (unsigned int k = 0; k < 16; k++)
				d[i * ldd + j] = d[i * ldd + j] + a[i * lda + k] * b[k * ldb + j];
}

/* SEED comes with the build. */
void reference_main(void)
{
	for (uint64_t p = 0; p < program_count; p++) {
		isa_fill(&memory, SEED, p);
		for (uint64_t i = 0; i < ISA_THREADS; i++)
			programs[p](&memory.thread[i], &memory.woven[0][i], memory.table, i);
		isa_take(&result, &memory);
		write_all(&result, sizeof(result));
	}
	for (unsigned int i = 0; i < ISA_TILES; i++) {
		float *base = (float *)tile.words;

		isa_fill_tile(&tile, SEED, i);
		multiply(base + tile.d, tile.ldd, base + tile.a, tile.lda, base + tile.b,
			 tile.ldb);
		write_all(&tile, sizeof(tile));
	}
	syscall3(SYS_EXIT, 0, 0, 0);
}

__asm__(".globl _start\n_start:\n\tandi sp, sp, -16\n\tcall reference_main\n");
