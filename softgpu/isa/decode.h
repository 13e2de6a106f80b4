/* SPDX-License-Identifier: GPL-2.0 */
/* Instruction decoder; pure. */
#ifndef SOFTGPU_DECODE_H
#define SOFTGPU_DECODE_H

#include "isa/isa.h"

/**
 * sgpu_decode - decode one instruction word
 * @word: the word
 * @pc: its address, for LUI/AUIPC values
 * @index: its index in the code, for targets
 * @count: instructions in the code; a target outside is refused
 * @insn: out
 *
 * Return: 0, or -ENOEXEC for a reserved or unsupported encoding (compressed
 * and quad precision instructions, control registers, static rounding modes
 * other than to nearest even for arithmetic that rounds) or a target outside the code.
 */
int sgpu_decode(u32 word, u64 pc, u32 index, u32 count, struct sgpu_insn *insn);

/**
 * sgpu_decode_illegal - what stands where there is no code
 * @insn: filled; executed, it ends the launch
 */
void sgpu_decode_illegal(struct sgpu_insn *insn);

/**
 * sgpu_op_name - name of an operation, for tests and debugging
 * @op: the operation
 *
 * Return: the name, "?" of none.
 */
const char *sgpu_op_name(enum sgpu_op op);

#endif
