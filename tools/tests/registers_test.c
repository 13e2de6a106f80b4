// SPDX-License-Identifier: GPL-2.0
/*
 * What kernel images declare with SGPU_REGISTERS() is what their code uses: two
 * 32-bit registers for each x register and one for each f register, rounded up to
 * a multiple of 8.  Another version of the compiler may need a step more or fewer.
 */
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "../lib/uvm.h"
#include "test.h"

#define STEP	8U

/**
 * struct registers - registers of an image
 * @x: bit i: xi is used
 * @f: bit i: fi is used
 * @unknown: instructions that this test does not know
 */
struct registers {
	uint32_t x, f;
	unsigned int unknown;
};

/* Which operands an instruction has: an x register, an f register, or none. */
enum operand { NONE, X, F };

struct operands {
	enum operand rd, rs1, rs2, rs3;
};

/* Floating-point arithmetic, by the upper seven bits. */
static struct operands decode_float(uint32_t insn)
{
	switch (insn >> 25) {
	case 0x60:	/* fcvt.w.s and the like */
	case 0x70:	/* fmv.x.w, fclass.s */
		return (struct operands){ X, F, NONE, NONE };
	case 0x68:	/* fcvt.s.w and the like */
	case 0x78:	/* fmv.w.x */
		return (struct operands){ F, X, NONE, NONE };
	case 0x50:	/* comparisons */
		return (struct operands){ X, F, F, NONE };
	case 0x2c:	/* fsqrt.s */
		return (struct operands){ F, F, NONE, NONE };
	default:
		return (struct operands){ F, F, F, NONE };
	}
}

static struct operands decode(uint32_t insn, struct registers *r)
{
	switch (insn & 0x7f) {
	case 0x37:	/* lui */
	case 0x17:	/* auipc */
	case 0x6f:	/* jal */
		return (struct operands){ X, NONE, NONE, NONE };
	case 0x67:	/* jalr */
	case 0x03:	/* loads */
	case 0x13:	/* with a constant */
	case 0x1b:
		return (struct operands){ X, X, NONE, NONE };
	case 0x63:	/* branches */
	case 0x23:	/* stores */
		return (struct operands){ NONE, X, X, NONE };
	case 0x33:	/* of two registers */
	case 0x3b:
	case 0x2f:	/* atomics */
	case 0x2b:
		return (struct operands){ X, X, X, NONE };
	case 0x07:	/* flw */
		return (struct operands){ F, X, NONE, NONE };
	case 0x27:	/* fsw */
		return (struct operands){ NONE, X, F, NONE };
	case 0x43:	/* fused */
	case 0x47:
	case 0x4b:
	case 0x4f:
		return (struct operands){ F, F, F, F };
	case 0x53:
		return decode_float(insn);
	case 0x0f:	/* fence */
	case 0x73:	/* ecall: what it takes and gives, others write and read */
		return (struct operands){ NONE, NONE, NONE, NONE };
	}
	r->unknown++;
	return (struct operands){ NONE, NONE, NONE, NONE };
}

static void use(struct registers *r, enum operand what, uint32_t number)
{
	if (what == X)
		r->x |= 1U << (number & 31);
	else if (what == F)
		r->f |= 1U << (number & 31);
}

static void count_code(struct registers *r, const unsigned char *code, uint64_t bytes)
{
	for (; bytes >= 4; code += 4, bytes -= 4) {
		struct operands o;
		uint32_t insn;

		memcpy(&insn, code, sizeof(insn));
		o = decode(insn, r);
		use(r, o.rd, insn >> 7);
		use(r, o.rs1, insn >> 15);
		use(r, o.rs2, insn >> 20);
		use(r, o.rs3, insn >> 27);
	}
}

/* Registers of all code of an image. */
static struct registers image_registers(const unsigned char *elf)
{
	const Elf64_Ehdr *head = (const void *)elf;
	const Elf64_Shdr *section = (const void *)(elf + head->e_shoff);
	struct registers r = { 0 };
	unsigned int i;

	for (i = 0; i < head->e_shnum; i++)
		if (section[i].sh_flags & SHF_EXECINSTR)
			count_code(&r, elf + section[i].sh_offset, section[i].sh_size);
	return r;
}

/* The value of __softgpu_registers, or 0. */
static unsigned int image_declared(const unsigned char *elf)
{
	const Elf64_Ehdr *head = (const void *)elf;
	const Elf64_Shdr *section = (const void *)(elf + head->e_shoff);
	unsigned int i, at;

	for (i = 0; i < head->e_shnum; i++) {
		const Elf64_Sym *symbol = (const void *)(elf + section[i].sh_offset);
		const char *names;

		if (section[i].sh_type != SHT_SYMTAB)
			continue;
		names = (const char *)elf + section[section[i].sh_link].sh_offset;
		for (at = 0; at < section[i].sh_size / sizeof(*symbol); at++)
			if (!strcmp(names + symbol[at].st_name, "__softgpu_registers"))
				return (unsigned int)symbol[at].st_value;
	}
	return 0;
}

int main(void)
{
	const struct uvm_image *image;
	unsigned int declaring = 0;

	for (image = uvm_images(); image->name; image++) {
		unsigned int declared = image_declared(image->data), need;
		struct registers r;

		if (!declared)
			continue;
		declaring++;
		r = image_registers(image->data);
		need = 2 * (unsigned int)__builtin_popcount(r.x & ~1U) +
		       (unsigned int)__builtin_popcount(r.f);
		need = (need + STEP - 1) / STEP * STEP;
		CHECK(!r.unknown, "%s: %u instructions", image->name, r.unknown);
		CHECK(declared + STEP >= need && declared <= need + STEP,
		      "%s declares %u registers and needs %u", image->name, declared, need);
	}
	CHECK(declaring >= 11, "%u images declare registers", declaring);
	return test_end("registers");
}
