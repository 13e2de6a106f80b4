// SPDX-License-Identifier: GPL-2.0
/*
 * softgpu instruction decoder: every instruction, every class of reserved
 * encoding.  Words come from an assembler; the rules are those of the RISC-V
 * unprivileged ISA manual, 20191213, chapters 2, 5, 7, 8, 11 and 24.
 */
#include <kunit/test.h>
#include "softgpu/isa/decode.h"
#include "softgpu/isa/isa.h"

/* Where the rows below stand: for LUI/AUIPC values and for targets. */
#define DECODE_PC	0x1000
#define DECODE_INDEX	100
#define DECODE_COUNT	2000

/**
 * struct decode_case - a word and what it means
 * @name: assembly
 * @word: encoding
 * @op: operation
 * @need: scoreboard mask
 * @insn: fields; register numbers are compared where not 0
 */
struct decode_case {
	const char *name;
	u32 word;
	enum sgpu_op op;
	u64 need;
	struct sgpu_insn insn;
};

static const struct decode_case decode_cases[] = {
	{ "nop", 0x00000013, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "lui x5, 0x80000", 0x800002b7, SGPU_OP_LI, 0x20,
	  { .rd = 5, .imm = -2147483648 } },
	{ "lui x5, 1", 0x000012b7, SGPU_OP_LI, 0x20,
	  { .rd = 5, .imm = 4096 } },
	{ "auipc x6, 0x12345", 0x12345317, SGPU_OP_LI, 0x40,
	  { .rd = 6, .imm = 305422336 } },
	{ "auipc x6, 0xfffff", 0xfffff317, SGPU_OP_LI, 0x40,
	  { .rd = 6 } },
	{ "li x7, -2048", 0x80000393, SGPU_OP_LI, 0x80,
	  { .rd = 7, .imm = -2048 } },
	{ "addi x10, x11, -1", 0xfff58513, SGPU_OP_ADDI, 0xc00,
	  { .rd = 10, .rs1 = 11, .imm = -1 } },
	{ "addi x31, x1, 2047", 0x7ff08f93, SGPU_OP_ADDI, 0x80000002,
	  { .rd = 31, .rs1 = 1, .imm = 2047 } },
	{ "addi x0, x1, 2047", 0x7ff08013, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "slti x10, x11, -1", 0xfff5a513, SGPU_OP_SLTI, 0xc00,
	  { .rd = 10, .rs1 = 11, .imm = -1 } },
	{ "slti x31, x1, 2047", 0x7ff0af93, SGPU_OP_SLTI, 0x80000002,
	  { .rd = 31, .rs1 = 1, .imm = 2047 } },
	{ "slti x0, x1, 2047", 0x7ff0a013, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "sltiu x10, x11, -1", 0xfff5b513, SGPU_OP_SLTIU, 0xc00,
	  { .rd = 10, .rs1 = 11, .imm = -1 } },
	{ "sltiu x31, x1, 2047", 0x7ff0bf93, SGPU_OP_SLTIU, 0x80000002,
	  { .rd = 31, .rs1 = 1, .imm = 2047 } },
	{ "sltiu x0, x1, 2047", 0x7ff0b013, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "xori x10, x11, -1", 0xfff5c513, SGPU_OP_XORI, 0xc00,
	  { .rd = 10, .rs1 = 11, .imm = -1 } },
	{ "xori x31, x1, 2047", 0x7ff0cf93, SGPU_OP_XORI, 0x80000002,
	  { .rd = 31, .rs1 = 1, .imm = 2047 } },
	{ "xori x0, x1, 2047", 0x7ff0c013, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "ori x10, x11, -1", 0xfff5e513, SGPU_OP_ORI, 0xc00,
	  { .rd = 10, .rs1 = 11, .imm = -1 } },
	{ "ori x31, x1, 2047", 0x7ff0ef93, SGPU_OP_ORI, 0x80000002,
	  { .rd = 31, .rs1 = 1, .imm = 2047 } },
	{ "ori x0, x1, 2047", 0x7ff0e013, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "andi x10, x11, -1", 0xfff5f513, SGPU_OP_ANDI, 0xc00,
	  { .rd = 10, .rs1 = 11, .imm = -1 } },
	{ "andi x31, x1, 2047", 0x7ff0ff93, SGPU_OP_ANDI, 0x80000002,
	  { .rd = 31, .rs1 = 1, .imm = 2047 } },
	{ "andi x0, x1, 2047", 0x7ff0f013, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "slli x10, x11, 63", 0x03f59513, SGPU_OP_SLLI, 0xc00,
	  { .rd = 10, .rs1 = 11, .imm = 63 } },
	{ "slli x10, x11, 0", 0x00059513, SGPU_OP_SLLI, 0xc00,
	  { .rd = 10, .rs1 = 11 } },
	{ "srli x10, x11, 63", 0x03f5d513, SGPU_OP_SRLI, 0xc00,
	  { .rd = 10, .rs1 = 11, .imm = 63 } },
	{ "srli x10, x11, 0", 0x0005d513, SGPU_OP_SRLI, 0xc00,
	  { .rd = 10, .rs1 = 11 } },
	{ "srai x10, x11, 63", 0x43f5d513, SGPU_OP_SRAI, 0xc00,
	  { .rd = 10, .rs1 = 11, .imm = 63 } },
	{ "srai x10, x11, 0", 0x4005d513, SGPU_OP_SRAI, 0xc00,
	  { .rd = 10, .rs1 = 11 } },
	{ "addiw x10, x11, -7", 0xff95851b, SGPU_OP_ADDIW, 0xc00,
	  { .rd = 10, .rs1 = 11, .imm = -7 } },
	{ "sext.w x10, x11", 0x0005851b, SGPU_OP_ADDIW, 0xc00,
	  { .rd = 10, .rs1 = 11 } },
	{ "slliw x10, x11, 31", 0x01f5951b, SGPU_OP_SLLIW, 0xc00,
	  { .rd = 10, .rs1 = 11, .imm = 31 } },
	{ "srliw x10, x11, 31", 0x01f5d51b, SGPU_OP_SRLIW, 0xc00,
	  { .rd = 10, .rs1 = 11, .imm = 31 } },
	{ "sraiw x10, x11, 31", 0x41f5d51b, SGPU_OP_SRAIW, 0xc00,
	  { .rd = 10, .rs1 = 11, .imm = 31 } },
	{ "add x3, x17, x30", 0x01e881b3, SGPU_OP_ADD, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "add x0, x17, x30", 0x01e88033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "sub x3, x17, x30", 0x41e881b3, SGPU_OP_SUB, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "sub x0, x17, x30", 0x41e88033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "sll x3, x17, x30", 0x01e891b3, SGPU_OP_SLL, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "sll x0, x17, x30", 0x01e89033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "slt x3, x17, x30", 0x01e8a1b3, SGPU_OP_SLT, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "slt x0, x17, x30", 0x01e8a033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "sltu x3, x17, x30", 0x01e8b1b3, SGPU_OP_SLTU, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "sltu x0, x17, x30", 0x01e8b033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "xor x3, x17, x30", 0x01e8c1b3, SGPU_OP_XOR, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "xor x0, x17, x30", 0x01e8c033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "srl x3, x17, x30", 0x01e8d1b3, SGPU_OP_SRL, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "srl x0, x17, x30", 0x01e8d033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "sra x3, x17, x30", 0x41e8d1b3, SGPU_OP_SRA, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "sra x0, x17, x30", 0x41e8d033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "or x3, x17, x30", 0x01e8e1b3, SGPU_OP_OR, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "or x0, x17, x30", 0x01e8e033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "and x3, x17, x30", 0x01e8f1b3, SGPU_OP_AND, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "and x0, x17, x30", 0x01e8f033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "addw x3, x17, x30", 0x01e881bb, SGPU_OP_ADDW, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "addw x0, x17, x30", 0x01e8803b, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "subw x3, x17, x30", 0x41e881bb, SGPU_OP_SUBW, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "subw x0, x17, x30", 0x41e8803b, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "sllw x3, x17, x30", 0x01e891bb, SGPU_OP_SLLW, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "sllw x0, x17, x30", 0x01e8903b, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "srlw x3, x17, x30", 0x01e8d1bb, SGPU_OP_SRLW, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "srlw x0, x17, x30", 0x01e8d03b, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "sraw x3, x17, x30", 0x41e8d1bb, SGPU_OP_SRAW, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "sraw x0, x17, x30", 0x41e8d03b, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "mul x3, x17, x30", 0x03e881b3, SGPU_OP_MUL, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "mul x0, x17, x30", 0x03e88033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "mulh x3, x17, x30", 0x03e891b3, SGPU_OP_MULH, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "mulh x0, x17, x30", 0x03e89033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "mulhsu x3, x17, x30", 0x03e8a1b3, SGPU_OP_MULHSU, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "mulhsu x0, x17, x30", 0x03e8a033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "mulhu x3, x17, x30", 0x03e8b1b3, SGPU_OP_MULHU, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "mulhu x0, x17, x30", 0x03e8b033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "div x3, x17, x30", 0x03e8c1b3, SGPU_OP_DIV, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "div x0, x17, x30", 0x03e8c033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "divu x3, x17, x30", 0x03e8d1b3, SGPU_OP_DIVU, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "divu x0, x17, x30", 0x03e8d033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "rem x3, x17, x30", 0x03e8e1b3, SGPU_OP_REM, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "rem x0, x17, x30", 0x03e8e033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "remu x3, x17, x30", 0x03e8f1b3, SGPU_OP_REMU, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "remu x0, x17, x30", 0x03e8f033, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "mulw x3, x17, x30", 0x03e881bb, SGPU_OP_MULW, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "mulw x0, x17, x30", 0x03e8803b, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "divw x3, x17, x30", 0x03e8c1bb, SGPU_OP_DIVW, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "divw x0, x17, x30", 0x03e8c03b, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "divuw x3, x17, x30", 0x03e8d1bb, SGPU_OP_DIVUW, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "divuw x0, x17, x30", 0x03e8d03b, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "remw x3, x17, x30", 0x03e8e1bb, SGPU_OP_REMW, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "remw x0, x17, x30", 0x03e8e03b, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "remuw x3, x17, x30", 0x03e8f1bb, SGPU_OP_REMUW, 0x40020008,
	  { .rd = 3, .rs1 = 17, .rs2 = 30 } },
	{ "remuw x0, x17, x30", 0x03e8f03b, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "beq x5, x6, 8", 0x00628463, SGPU_OP_BEQ, 0x60,
	  { .rs1 = 5, .rs2 = 6, .imm = 102 } },
	{ "beq x5, x0, -400", 0xe60288e3, SGPU_OP_BEQ, 0x20,
	  { .rs1 = 5 } },
	{ "bne x5, x6, 8", 0x00629463, SGPU_OP_BNE, 0x60,
	  { .rs1 = 5, .rs2 = 6, .imm = 102 } },
	{ "bne x5, x0, -400", 0xe60298e3, SGPU_OP_BNE, 0x20,
	  { .rs1 = 5 } },
	{ "blt x5, x6, 8", 0x0062c463, SGPU_OP_BLT, 0x60,
	  { .rs1 = 5, .rs2 = 6, .imm = 102 } },
	{ "blt x5, x0, -400", 0xe602c8e3, SGPU_OP_BLT, 0x20,
	  { .rs1 = 5 } },
	{ "bge x5, x6, 8", 0x0062d463, SGPU_OP_BGE, 0x60,
	  { .rs1 = 5, .rs2 = 6, .imm = 102 } },
	{ "bge x5, x0, -400", 0xe602d8e3, SGPU_OP_BGE, 0x20,
	  { .rs1 = 5 } },
	{ "bltu x5, x6, 8", 0x0062e463, SGPU_OP_BLTU, 0x60,
	  { .rs1 = 5, .rs2 = 6, .imm = 102 } },
	{ "bltu x5, x0, -400", 0xe602e8e3, SGPU_OP_BLTU, 0x20,
	  { .rs1 = 5 } },
	{ "bgeu x5, x6, 8", 0x0062f463, SGPU_OP_BGEU, 0x60,
	  { .rs1 = 5, .rs2 = 6, .imm = 102 } },
	{ "bgeu x5, x0, -400", 0xe602f8e3, SGPU_OP_BGEU, 0x20,
	  { .rs1 = 5 } },
	{ "bne x1, x2, 4092", 0x7e209ee3, SGPU_OP_BNE, 0x6,
	  { .rs1 = 1, .rs2 = 2, .imm = 1123 } },
	{ "jal x1, 2048", 0x001000ef, SGPU_OP_JAL, 0x2,
	  { .rd = 1, .imm = 612 } },
	{ "jal x0, -400", 0xe71ff06f, SGPU_OP_JAL, 0x0,
	  { 0 } },
	{ "jal x0, 4096", 0x0000106f, SGPU_OP_JAL, 0x0,
	  { .imm = 1124 } },
	{ "jalr x1, -4(x5)", 0xffc280e7, SGPU_OP_JALR, 0x22,
	  { .rd = 1, .rs1 = 5, .imm = -4 } },
	{ "ret", 0x00008067, SGPU_OP_JALR, 0x2,
	  { .rs1 = 1 } },
	{ "lb x9, -2048(x8)", 0x80040483, SGPU_OP_LOAD, 0x300,
	  { .rd = 9, .rs1 = 8, .imm = -2048, .fn = 1 } },
	{ "lh x9, -2048(x8)", 0x80041483, SGPU_OP_LOAD, 0x300,
	  { .rd = 9, .rs1 = 8, .imm = -2048, .size = 1, .fn = 1 } },
	{ "lw x9, -2048(x8)", 0x80042483, SGPU_OP_LOAD, 0x300,
	  { .rd = 9, .rs1 = 8, .imm = -2048, .size = 2, .fn = 1 } },
	{ "ld x9, -2048(x8)", 0x80043483, SGPU_OP_LOAD, 0x300,
	  { .rd = 9, .rs1 = 8, .imm = -2048, .size = 3, .fn = 1 } },
	{ "lbu x9, -2048(x8)", 0x80044483, SGPU_OP_LOAD, 0x300,
	  { .rd = 9, .rs1 = 8, .imm = -2048 } },
	{ "lhu x9, -2048(x8)", 0x80045483, SGPU_OP_LOAD, 0x300,
	  { .rd = 9, .rs1 = 8, .imm = -2048, .size = 1 } },
	{ "lwu x9, -2048(x8)", 0x80046483, SGPU_OP_LOAD, 0x300,
	  { .rd = 9, .rs1 = 8, .imm = -2048, .size = 2 } },
	{ "lw x0, 0(x8)", 0x00042003, SGPU_OP_LOAD, 0x100,
	  { .rs1 = 8, .size = 2, .fn = 1 } },
	{ "sb x9, -2047(x8)", 0x809400a3, SGPU_OP_STORE, 0x300,
	  { .rs1 = 8, .rs2 = 9, .imm = -2047 } },
	{ "sb x9, 2047(x8)", 0x7e940fa3, SGPU_OP_STORE, 0x300,
	  { .rs1 = 8, .rs2 = 9, .imm = 2047 } },
	{ "sh x9, -2047(x8)", 0x809410a3, SGPU_OP_STORE, 0x300,
	  { .rs1 = 8, .rs2 = 9, .imm = -2047, .size = 1 } },
	{ "sh x9, 2047(x8)", 0x7e941fa3, SGPU_OP_STORE, 0x300,
	  { .rs1 = 8, .rs2 = 9, .imm = 2047, .size = 1 } },
	{ "sw x9, -2047(x8)", 0x809420a3, SGPU_OP_STORE, 0x300,
	  { .rs1 = 8, .rs2 = 9, .imm = -2047, .size = 2 } },
	{ "sw x9, 2047(x8)", 0x7e942fa3, SGPU_OP_STORE, 0x300,
	  { .rs1 = 8, .rs2 = 9, .imm = 2047, .size = 2 } },
	{ "sd x9, -2047(x8)", 0x809430a3, SGPU_OP_STORE, 0x300,
	  { .rs1 = 8, .rs2 = 9, .imm = -2047, .size = 3 } },
	{ "sd x9, 2047(x8)", 0x7e943fa3, SGPU_OP_STORE, 0x300,
	  { .rs1 = 8, .rs2 = 9, .imm = 2047, .size = 3 } },
	{ "flw f9, 8(x8)", 0x00842487, SGPU_OP_FLOAD, 0x20000000100,
	  { .rd = 9, .rs1 = 8, .imm = 8, .size = 2 } },
	{ "fsw f0, -4(x8)", 0xfe042e27, SGPU_OP_FSTORE, 0x100000100,
	  { .rs1 = 8, .imm = -4, .size = 2 } },
	{ "amoswap.w x9, x10, (x11)", 0x08a5a4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 2 } },
	{ "amoswap.d x9, x10, (x11)", 0x08a5b4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 3 } },
	{ "amoadd.w x9, x10, (x11)", 0x00a5a4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 2, .fn = 1 } },
	{ "amoadd.d x9, x10, (x11)", 0x00a5b4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 3, .fn = 1 } },
	{ "amoxor.w x9, x10, (x11)", 0x20a5a4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 2, .fn = 2 } },
	{ "amoxor.d x9, x10, (x11)", 0x20a5b4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 3, .fn = 2 } },
	{ "amoand.w x9, x10, (x11)", 0x60a5a4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 2, .fn = 3 } },
	{ "amoand.d x9, x10, (x11)", 0x60a5b4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 3, .fn = 3 } },
	{ "amoor.w x9, x10, (x11)", 0x40a5a4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 2, .fn = 4 } },
	{ "amoor.d x9, x10, (x11)", 0x40a5b4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 3, .fn = 4 } },
	{ "amomin.w x9, x10, (x11)", 0x80a5a4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 2, .fn = 5 } },
	{ "amomin.d x9, x10, (x11)", 0x80a5b4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 3, .fn = 5 } },
	{ "amomax.w x9, x10, (x11)", 0xa0a5a4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 2, .fn = 6 } },
	{ "amomax.d x9, x10, (x11)", 0xa0a5b4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 3, .fn = 6 } },
	{ "amominu.w x9, x10, (x11)", 0xc0a5a4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 2, .fn = 7 } },
	{ "amominu.d x9, x10, (x11)", 0xc0a5b4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 3, .fn = 7 } },
	{ "amomaxu.w x9, x10, (x11)", 0xe0a5a4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 2, .fn = 8 } },
	{ "amomaxu.d x9, x10, (x11)", 0xe0a5b4af, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 3, .fn = 8 } },
	{ "amofadd.s x9, x10, (x11)", 0x00a5a4ab, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 2, .fn = 9 } },
	{ "amofadd.d x9, x10, (x11)", 0x00a5b4ab, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 3, .fn = 9 } },
	{ "amoinc.w x9, x10, (x11)", 0x08a5a4ab, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 2, .fn = 10 } },
	{ "amodec.w x9, x10, (x11)", 0x10a5a4ab, SGPU_OP_AMO, 0xe00,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 2, .fn = 11 } },
	{ "amoadd.w.aqrl x0, x10, (x11)", 0x06a5a02f, SGPU_OP_AMO, 0xc00,
	  { .rs1 = 11, .rs2 = 10, .size = 2, .fn = 1 } },
	{ "lr.w x9, (x11)", 0x1005a4af, SGPU_OP_LR, 0xa01,
	  { .rd = 9, .rs1 = 11, .size = 2 } },
	{ "lr.d.aq x9, (x11)", 0x1405b4af, SGPU_OP_LR, 0xa01,
	  { .rd = 9, .rs1 = 11, .size = 3 } },
	{ "sc.w x9, x10, (x11)", 0x18a5a4af, SGPU_OP_SC, 0xe01,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 2 } },
	{ "sc.d.rl x9, x10, (x11)", 0x1aa5b4af, SGPU_OP_SC, 0xe01,
	  { .rd = 9, .rs1 = 11, .rs2 = 10, .size = 3 } },
	{ "fence", 0x0ff0000f, SGPU_OP_FENCE, 0x0,
	  { 0 } },
	{ "fence rw, rw", 0x0330000f, SGPU_OP_FENCE, 0x0,
	  { 0 } },
	{ "fence.tso", 0x8330000f, SGPU_OP_FENCE, 0x0,
	  { 0 } },
	{ "ecall", 0x00000073, SGPU_OP_ECALL, 0x20400,
	  { 0 } },
	{ "ebreak", 0x00100073, SGPU_OP_TRAP, 0x0,
	  { 0 } },
	{ "unimp", 0xc0001073, SGPU_OP_TRAP, 0x0,
	  { 0 } },
	{ "fadd.s f1, f2, f3", 0x003170d3, SGPU_OP_FADD, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fadd.s f1, f2, f3, rne", 0x003100d3, SGPU_OP_FADD, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fsub.s f1, f2, f3", 0x083170d3, SGPU_OP_FSUB, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fsub.s f1, f2, f3, rne", 0x083100d3, SGPU_OP_FSUB, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fmul.s f1, f2, f3", 0x103170d3, SGPU_OP_FMUL, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fmul.s f1, f2, f3, rne", 0x103100d3, SGPU_OP_FMUL, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fdiv.s f1, f2, f3", 0x183170d3, SGPU_OP_FDIV, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fdiv.s f1, f2, f3, rne", 0x183100d3, SGPU_OP_FDIV, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fsqrt.s f1, f2", 0x580170d3, SGPU_OP_FSQRT, 0x600000000,
	  { .rd = 1, .rs1 = 2 } },
	{ "fmadd.s f1, f2, f3, f31", 0xf83170c3, SGPU_OP_FMADD, 0x8000000e00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .rs3 = 31 } },
	{ "fmsub.s f1, f2, f3, f31", 0xf83170c7, SGPU_OP_FMSUB, 0x8000000e00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .rs3 = 31 } },
	{ "fnmsub.s f1, f2, f3, f31", 0xf83170cb, SGPU_OP_FNMSUB, 0x8000000e00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .rs3 = 31 } },
	{ "fnmadd.s f1, f2, f3, f31", 0xf83170cf, SGPU_OP_FNMADD, 0x8000000e00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .rs3 = 31 } },
	{ "fsgnj.s f1, f2, f3", 0x203100d3, SGPU_OP_FSGNJ, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fsgnjn.s f1, f2, f3", 0x203110d3, SGPU_OP_FSGNJN, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fsgnjx.s f1, f2, f3", 0x203120d3, SGPU_OP_FSGNJX, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fmin.s f1, f2, f3", 0x283100d3, SGPU_OP_FMIN, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fmax.s f1, f2, f3", 0x283110d3, SGPU_OP_FMAX, 0xe00000000,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "feq.s x1, f2, f3", 0xa03120d3, SGPU_OP_FEQ, 0xc00000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "feq.s x0, f2, f3", 0xa0312053, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "flt.s x1, f2, f3", 0xa03110d3, SGPU_OP_FLT, 0xc00000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "flt.s x0, f2, f3", 0xa0311053, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "fle.s x1, f2, f3", 0xa03100d3, SGPU_OP_FLE, 0xc00000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fle.s x0, f2, f3", 0xa0310053, SGPU_OP_NOP, 0x0,
	  { 0 } },
	{ "fclass.s x1, f2", 0xe00110d3, SGPU_OP_FCLASS, 0x400000002,
	  { .rd = 1, .rs1 = 2 } },
	{ "fmv.x.w x1, f2", 0xe00100d3, SGPU_OP_FMV_X_W, 0x400000002,
	  { .rd = 1, .rs1 = 2 } },
	{ "fmv.w.x f1, x2", 0xf00100d3, SGPU_OP_FMV_W_X, 0x200000004,
	  { .rd = 1, .rs1 = 2 } },
	{ "fcvt.w.s x1, f2, rtz", 0xc00110d3, SGPU_OP_FCVT_W_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .fn = 1 } },
	{ "fcvt.w.s x1, f2, dyn", 0xc00170d3, SGPU_OP_FCVT_W_S, 0x400000002,
	  { .rd = 1, .rs1 = 2 } },
	{ "fcvt.w.s x1, f2, rne", 0xc00100d3, SGPU_OP_FCVT_W_S, 0x400000002,
	  { .rd = 1, .rs1 = 2 } },
	{ "fcvt.w.s x1, f2, rdn", 0xc00120d3, SGPU_OP_FCVT_W_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .fn = 2 } },
	{ "fcvt.w.s x1, f2, rup", 0xc00130d3, SGPU_OP_FCVT_W_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .fn = 3 } },
	{ "fcvt.w.s x1, f2, rmm", 0xc00140d3, SGPU_OP_FCVT_W_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .fn = 4 } },
	{ "fcvt.s.w f1, x2", 0xd00170d3, SGPU_OP_FCVT_S_W, 0x200000004,
	  { .rd = 1, .rs1 = 2 } },
	{ "fcvt.wu.s x1, f2, rtz", 0xc01110d3, SGPU_OP_FCVT_WU_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 1, .fn = 1 } },
	{ "fcvt.wu.s x1, f2, dyn", 0xc01170d3, SGPU_OP_FCVT_WU_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 1 } },
	{ "fcvt.wu.s x1, f2, rne", 0xc01100d3, SGPU_OP_FCVT_WU_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 1 } },
	{ "fcvt.wu.s x1, f2, rdn", 0xc01120d3, SGPU_OP_FCVT_WU_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 1, .fn = 2 } },
	{ "fcvt.wu.s x1, f2, rup", 0xc01130d3, SGPU_OP_FCVT_WU_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 1, .fn = 3 } },
	{ "fcvt.wu.s x1, f2, rmm", 0xc01140d3, SGPU_OP_FCVT_WU_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 1, .fn = 4 } },
	{ "fcvt.s.wu f1, x2", 0xd01170d3, SGPU_OP_FCVT_S_WU, 0x200000004,
	  { .rd = 1, .rs1 = 2, .rs2 = 1 } },
	{ "fcvt.l.s x1, f2, rtz", 0xc02110d3, SGPU_OP_FCVT_L_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 2, .fn = 1 } },
	{ "fcvt.l.s x1, f2, dyn", 0xc02170d3, SGPU_OP_FCVT_L_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 2 } },
	{ "fcvt.l.s x1, f2, rne", 0xc02100d3, SGPU_OP_FCVT_L_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 2 } },
	{ "fcvt.l.s x1, f2, rdn", 0xc02120d3, SGPU_OP_FCVT_L_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 2, .fn = 2 } },
	{ "fcvt.l.s x1, f2, rup", 0xc02130d3, SGPU_OP_FCVT_L_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 2, .fn = 3 } },
	{ "fcvt.l.s x1, f2, rmm", 0xc02140d3, SGPU_OP_FCVT_L_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 2, .fn = 4 } },
	{ "fcvt.s.l f1, x2", 0xd02170d3, SGPU_OP_FCVT_S_L, 0x200000004,
	  { .rd = 1, .rs1 = 2, .rs2 = 2 } },
	{ "fcvt.lu.s x1, f2, rtz", 0xc03110d3, SGPU_OP_FCVT_LU_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .fn = 1 } },
	{ "fcvt.lu.s x1, f2, dyn", 0xc03170d3, SGPU_OP_FCVT_LU_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fcvt.lu.s x1, f2, rne", 0xc03100d3, SGPU_OP_FCVT_LU_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
	{ "fcvt.lu.s x1, f2, rdn", 0xc03120d3, SGPU_OP_FCVT_LU_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .fn = 2 } },
	{ "fcvt.lu.s x1, f2, rup", 0xc03130d3, SGPU_OP_FCVT_LU_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .fn = 3 } },
	{ "fcvt.lu.s x1, f2, rmm", 0xc03140d3, SGPU_OP_FCVT_LU_S, 0x400000002,
	  { .rd = 1, .rs1 = 2, .rs2 = 3, .fn = 4 } },
	{ "fcvt.s.lu f1, x2", 0xd03170d3, SGPU_OP_FCVT_S_LU, 0x200000004,
	  { .rd = 1, .rs1 = 2, .rs2 = 3 } },
};

static void decode_desc(const struct decode_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s (%#x)", c->name, c->word);
}

KUNIT_ARRAY_PARAM(decode, decode_cases, decode_desc);

static void decode_word(struct kunit *test)
{
	const struct decode_case *c = test->param_value;
	struct sgpu_insn insn;

	KUNIT_ASSERT_EQ(test, 0,
			sgpu_decode(c->word, DECODE_PC, DECODE_INDEX, DECODE_COUNT, &insn));
	KUNIT_EXPECT_STREQ(test, sgpu_op_name(c->op), sgpu_op_name(insn.op));
	KUNIT_EXPECT_EQ(test, c->op, insn.op);
	KUNIT_EXPECT_EQ(test, c->need, insn.need);
	KUNIT_EXPECT_EQ(test, c->insn.rd, c->op == SGPU_OP_NOP ? 0 : insn.rd);
	if (c->insn.rs1)
		KUNIT_EXPECT_EQ(test, c->insn.rs1, insn.rs1);
	if (c->insn.rs2)
		KUNIT_EXPECT_EQ(test, c->insn.rs2, insn.rs2);
	if (c->insn.rs3)
		KUNIT_EXPECT_EQ(test, c->insn.rs3, insn.rs3);
	if (c->op != SGPU_OP_NOP)
		KUNIT_EXPECT_EQ(test, c->insn.imm, insn.imm);
	KUNIT_EXPECT_EQ(test, c->insn.size, insn.size);
	KUNIT_EXPECT_EQ(test, c->insn.fn, insn.fn);
}

/**
 * struct decode_bad - words that must be refused: @word with any bits of @vary
 * @name: why
 * @word: encoding
 * @vary: bits that make no difference
 */
struct decode_bad {
	const char *name;
	u32 word;
	u32 vary;
};

static const struct decode_bad decode_bads[] = {
	/* 1.5, table 24.1: all zeros, all ones, compressed and longer encodings */
	{ "all zeros", 0x00000000, 0 },
	{ "all ones", 0xffffffff, 0 },
	{ "compressed, quadrant 0", 0x00000000, 0xfffffffc },
	{ "compressed, quadrant 1", 0x00000001, 0xfffffffc },
	{ "compressed, quadrant 2", 0x00000002, 0xfffffffc },
	{ "custom-0", 0x0000000b, 0xffffff80 },
	{ "48-bit encoding", 0x0000001f, 0xffffff80 },
	{ "atomics of CUDA's, of 1 byte", 0x0000002b, 0xffff8f80 },
	{ "atomics of CUDA's, of 2 bytes", 0x0000102b, 0xffff8f80 },
	{ "atomics of CUDA's, of 16 bytes", 0x0000402b, 0xffffbf80 },
	{ "amofadd with another function", 0x1800202b, 0xe7ff8f80 },
	{ "amoinc of 8 bytes", 0x0800302b, 0x07ff8f80 },
	{ "amodec of 8 bytes", 0x1000302b, 0x07ff8f80 },
	{ "64-bit encoding", 0x0000003f, 0xffffff80 },
	{ "reserved opcode 10 101", 0x00000057, 0xffffff80 },
	{ "custom-2", 0x0000005b, 0xffffff80 },
	{ "reserved opcode 11 010", 0x0000006b, 0xffffff80 },
	{ "reserved opcode 11 101", 0x00000077, 0xffffff80 },
	{ "custom-3", 0x0000007b, 0xffffff80 },
	{ "80-bit encoding", 0x0000007f, 0xffffff80 },
	/* 5.2: shifts by an immediate have a 6-bit amount, other bits are fixed */
	{ "slli, bit 26", 0x04001013, 0x03ff8f80 },
	{ "slli, bit 30", 0x40001013, 0x03ff8f80 },
	{ "srli, bit 27", 0x08005013, 0x03ff8f80 },
	{ "srai, bit 31", 0xc0005013, 0x03ff8f80 },
	{ "slliw, bit 25: amount of 32", 0x0200101b, 0x01ff8f80 },
	{ "srliw, bit 25", 0x0200501b, 0x01ff8f80 },
	{ "sraiw, bit 25", 0x4200501b, 0x01ff8f80 },
	{ "addiw, funct3 2", 0x0000201b, 0xffff8f80 },
	{ "addiw, funct3 3", 0x0000301b, 0xffff8f80 },
	{ "addiw, funct3 4", 0x0000401b, 0xffff8f80 },
	{ "addiw, funct3 6", 0x0000601b, 0xffff8f80 },
	{ "addiw, funct3 7", 0x0000701b, 0xffff8f80 },
	/* 2.4, 7: register operations with an unknown funct7 */
	{ "op, funct7 2", 0x04000033, 0x01ffff80 },
	{ "op, funct7 0x21", 0x42000033, 0x01ffff80 },
	{ "sll with bit 30", 0x40001033, 0x01ff8f80 },
	{ "slt with bit 30", 0x40002033, 0x01ff8f80 },
	{ "sltu with bit 30", 0x40003033, 0x01ff8f80 },
	{ "xor with bit 30 (xnor)", 0x40004033, 0x01ff8f80 },
	{ "or with bit 30 (orn)", 0x40006033, 0x01ff8f80 },
	{ "and with bit 30 (andn)", 0x40007033, 0x01ff8f80 },
	{ "op-32, funct7 2", 0x0400003b, 0x01ffff80 },
	{ "op-32, funct3 2", 0x0000203b, 0x01ff8f80 },
	{ "op-32, funct3 3", 0x0000303b, 0x01ff8f80 },
	{ "op-32, funct3 4", 0x0000403b, 0x01ff8f80 },
	{ "mulhw does not exist", 0x0200103b, 0x01ff8f80 },
	{ "mulhsuw does not exist", 0x0200203b, 0x01ff8f80 },
	{ "mulhuw does not exist", 0x0200303b, 0x01ff8f80 },
	{ "sllw with bit 30", 0x4000103b, 0x01ff8f80 },
	/* 2.5, 2.6: branches, loads, stores */
	{ "branch, funct3 2", 0x00002063, 0x01ff8000 },
	{ "branch, funct3 3", 0x00003063, 0x01ff8000 },
	{ "jalr, funct3 1", 0x00001067, 0xffff8f80 },
	{ "jalr, funct3 7", 0x00007067, 0xffff8f80 },
	{ "load, funct3 7", 0x00007003, 0xffff8f80 },
	{ "store, funct3 4", 0x00004023, 0xffff8f80 },
	{ "store, funct3 7", 0x00007023, 0xffff8f80 },
	{ "flq", 0x00004007, 0xffff8f80 },
	{ "flh", 0x00001007, 0xffff8f80 },
	{ "vector load", 0x00000007, 0xffff8f80 },
	{ "fsq", 0x00004027, 0xffff8f80 },
	{ "fsh", 0x00001027, 0xffff8f80 },
	/* 2.7: fence.i is an extension; fence modes other than none and tso */
	{ "fence.i", 0x0000100f, 0xffff8f80 },
	{ "fence, fm 1", 0x1000000f, 0x0fff8f80 },
	{ "fence, fm 7", 0x7000000f, 0x0fff8f80 },
	{ "cbo and others: funct3 2", 0x0000200f, 0xffff8f80 },
	/* 8: atomics */
	{ "lr with rs2", 0x1010202f, 0x060f8f80 },
	{ "amo, funct5 5", 0x2800202f, 0x07ff8f80 },
	{ "amo, funct5 0x1d", 0xe800202f, 0x07ff8f80 },
	{ "amo of a byte", 0x0000002f, 0x07ff8f80 },
	{ "amo of 16 bytes", 0x0000402f, 0x07ff8f80 },
	/* no control registers, no privileged instructions */
	{ "csrrw fcsr", 0x00301073, 0x000f8f80 },
	{ "csrrs (frflags)", 0x00102073, 0x000f8f80 },
	{ "csrrs (rdcycle)", 0xc0002073, 0x00000f80 },
	{ "csrrwi", 0x00205073, 0x000f8f80 },
	{ "uret", 0x00200073, 0 },
	{ "mret", 0x30200073, 0 },
	{ "wfi", 0x10500073, 0 },
	{ "ecall with rd", 0x000000f3, 0 },
	{ "ecall with rs1", 0x00008073, 0 },
	{ "sfence.vma", 0x12000073, 0x01ff8000 },
	/* 11.2: rounding modes: only to nearest even, static or dynamic */
	{ "fadd.s rtz", 0x00001053, 0x01ff8f80 },
	{ "fadd.s rdn", 0x00002053, 0x01ff8f80 },
	{ "fadd.s rup", 0x00003053, 0x01ff8f80 },
	{ "fadd.s rmm", 0x00004053, 0x01ff8f80 },
	{ "fadd.s reserved mode 5", 0x00005053, 0x01ff8f80 },
	{ "fmul.s reserved mode 6", 0x10006053, 0x01ff8f80 },
	{ "fmadd.s rtz", 0x00001043, 0xf9ff8f80 },
	{ "fcvt.s.w rtz", 0xd0001053, 0x000f8f80 },
	{ "fcvt.w.s mode 5", 0xc0005053, 0x000f8f80 },
	{ "fcvt.w.s mode 6", 0xc0006053, 0x000f8f80 },
	/* 11: other formats and reserved fields */
	{ "fadd.d rtz", 0x02001053, 0x01ff8f80 },
	{ "fadd.h", 0x04000053, 0x01ff8f80 },
	{ "fadd.q", 0x06000053, 0x01ff8f80 },
	{ "fmadd.d rup", 0x02003043, 0xf9ff8f80 },
	{ "fmadd.h", 0x04000043, 0xf9ff8f80 },
	{ "fnmadd.q", 0x0600004f, 0xf9ff8f80 },
	{ "fsqrt.s with rs2", 0x58100053, 0x000f8f80 },
	{ "fsqrt.d with rs2", 0x5a100053, 0x000f8f80 },
	{ "fcvt.s.s", 0x40000053, 0x000fff80 },
	{ "fcvt.s.h", 0x40200053, 0x000fff80 },
	{ "fcvt.s.d rtz", 0x40101053, 0x000f8f80 },
	{ "fcvt.d.d", 0x42100053, 0x000fff80 },
	{ "fcvt.d.s mode 5", 0x42005053, 0x000f8f80 },
	{ "fcvt.d.w mode 6", 0xd2006053, 0x000f8f80 },
	{ "fcvt.d.l rtz", 0xd2201053, 0x000f8f80 },
	{ "fcvt.w.d mode 5", 0xc2005053, 0x000f8f80 },
	{ "fmv.x.d with rs2", 0xe2100053, 0x000f8f80 },
	{ "fmv.d.x, funct3 1", 0xf2001053, 0x000f8f80 },
	{ "fcvt.w.s with rs2 4", 0xc0400053, 0x000f8f80 },
	{ "fcvt.s.w with rs2 4", 0xd0400053, 0x000f8f80 },
	{ "fsgnj.s, funct3 3", 0x20003053, 0x01ff8f80 },
	{ "fminm.s", 0x28002053, 0x01ff8f80 },
	{ "fleq.s", 0xa0004053, 0x01ff8f80 },
	{ "fcmp, funct3 3", 0xa0003053, 0x01ff8f80 },
	{ "fmv.x.w with rs2", 0xe0100053, 0x000f8f80 },
	{ "fmv.x.w, funct3 2", 0xe0002053, 0x000f8f80 },
	{ "fmv.w.x, funct3 1", 0xf0001053, 0x000f8f80 },
	{ "fmv.w.x with rs2", 0xf0100053, 0x000f8f80 },
	{ "unknown funct7", 0x50000053 + 0x04000000, 0x01ff8f80 },
	/* refused at load: targets outside the code, or in the middle of a word */
	{ "jal 2 bytes ahead", 0x0020006f, 0x00000f80 },
	{ "beq 2 bytes ahead", 0x00000163, 0x01ff8000 },
	{ "jal before the code (-404)", 0xe6dff06f, 0x00000f80 },
	{ "beq before the code (-404)", 0xe60006e3, 0x01ff8000 },
	{ "jal to the end of the code", 0x5b10106f, 0x00000f80 },
};

static void decode_bad_desc(const struct decode_bad *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(decode_bad, decode_bads, decode_bad_desc);

/* The word itself, with all free bits set, and each of them alone. */
static void decode_refused(struct kunit *test)
{
	const struct decode_bad *c = test->param_value;
	struct sgpu_insn insn;
	int bit;

	KUNIT_EXPECT_EQ(test, -ENOEXEC, sgpu_decode(c->word, DECODE_PC, DECODE_INDEX, DECODE_COUNT,
						    &insn));
	KUNIT_EXPECT_EQ(test, -ENOEXEC, sgpu_decode(c->word | c->vary, DECODE_PC, DECODE_INDEX,
						    DECODE_COUNT, &insn));
	for (bit = 0; bit < 32; bit++)
		if (c->vary & BIT(bit))
			KUNIT_EXPECT_EQ_MSG(test, -ENOEXEC,
					    sgpu_decode(c->word ^ BIT(bit), DECODE_PC,
							DECODE_INDEX, DECODE_COUNT, &insn),
					    "bit %d", bit);
}

/* The last instruction is a target, the one after it is not; so is the first. */
static void decode_targets(struct kunit *test)
{
	const u32 jal_8 = 0x0080006f, jal_back_8 = 0xff9ff06f;
	struct sgpu_insn insn;

	KUNIT_EXPECT_EQ(test, 0, sgpu_decode(jal_8, 0, 0, 3, &insn));
	KUNIT_EXPECT_EQ(test, 2, insn.imm);
	KUNIT_EXPECT_EQ(test, -ENOEXEC, sgpu_decode(jal_8, 0, 0, 2, &insn));
	KUNIT_EXPECT_EQ(test, 0, sgpu_decode(jal_back_8, 0, 2, 3, &insn));
	KUNIT_EXPECT_EQ(test, 0, insn.imm);
	KUNIT_EXPECT_EQ(test, -ENOEXEC, sgpu_decode(jal_back_8, 0, 1, 3, &insn));
}

/* Whatever the word, the decoder stays within its tables and names a class. */
static void decode_any_word(struct kunit *test)
{
	struct sgpu_insn insn;
	u32 word = 1, i;
	int ret;

	for (i = 0; i < 200000; i++) {
		word = word * 1664525 + 1013904223;
		ret = sgpu_decode(word | 3, 0, DECODE_INDEX, DECODE_COUNT, &insn);
		if (ret) {
			KUNIT_ASSERT_EQ(test, -ENOEXEC, ret);
			continue;
		}
		KUNIT_ASSERT_LT(test, insn.op, SGPU_OP_COUNT);
		KUNIT_ASSERT_LT(test, insn.class, SGPU_CLASS_ILLEGAL);
		KUNIT_ASSERT_LT(test, insn.rd | insn.rs1 | insn.rs2 | insn.rs3, 32);
		KUNIT_ASSERT_EQ(test, insn.op == SGPU_OP_LR || insn.op == SGPU_OP_SC,
				insn.need & SGPU_RESERVATION);
		if (insn.class == SGPU_CLASS_BRANCH || insn.class == SGPU_CLASS_JAL)
			KUNIT_ASSERT_LT(test, (u64)insn.imm, DECODE_COUNT);
		if (insn.class == SGPU_CLASS_INT && insn.op != SGPU_OP_NOP)
			KUNIT_ASSERT_NE(test, 0, insn.rd);
	}
}

static struct kunit_case decode_suite_cases[] = {
	KUNIT_CASE_PARAM(decode_word, decode_gen_params),
	KUNIT_CASE_PARAM(decode_refused, decode_bad_gen_params),
	KUNIT_CASE(decode_targets),
	KUNIT_CASE(decode_any_word),
	{}
};

struct kunit_suite softgpu_decode_suite = {
	.name = "softgpu_decode",
	.test_cases = decode_suite_cases,
};
