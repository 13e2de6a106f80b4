/* SPDX-License-Identifier: GPL-2.0 */
/* PTX of asm(): its text in parts (ptx_read.c), and what these mean (ptx.c). */
#ifndef PTX_H
#define PTX_H

#include "retarget.h"

#define PTX_OPERANDS_MAX	12
#define PTX_REGISTERS_MAX	48

/**
 * struct ptx_statement - an instruction
 * @guard: the predicate under which it is done, or ""
 * @negated: if that does not hold
 * @name: "ld_u32" for "ld.global.u32": accesses have no words for space, order and caches; "" if there
 *	is none
 * @shared: the space was that of shared memory
 * @operand: in their order; those in braces one by one, and addresses without brackets
 * @count: of operands
 * @vector: how many the first and the second had in braces, 0 without
 */
struct ptx_statement {
	char guard[24], name[64];
	bool negated, shared;
	char *operand[PTX_OPERANDS_MAX];
	unsigned int count, vector[2];
};

/**
 * struct ptx_register - what a name stands for
 * @name: "$0" for operands of asm()
 * @type: of all values that it takes
 * @value: that it has now, or NULL
 */
struct ptx_register {
	char name[24];
	LLVMTypeRef type;
	LLVMValueRef value;
};

/**
 * struct ptx - an asm() on its way
 * @r: its image
 * @b: builds before it
 * @registers: operands of asm(), results first, then those that are declared
 * @count: of them
 */
struct ptx {
	struct retarget *r;
	LLVMBuilderRef b;
	struct ptx_register registers[PTX_REGISTERS_MAX];
	unsigned int count;
};

/* The parts of a statement, which points into @text; false for what is not known. */
bool ptx_read(char *text, struct ptx_statement *s);

/* Whether an instruction touches memory: its address is behind its result. */
bool ptx_has_address(const char *name);

/* ptx_carry.c: whether an instruction sets the carry or takes it. */
bool ptx_carries(const char *name);

#endif
