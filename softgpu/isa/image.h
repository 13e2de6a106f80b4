/* SPDX-License-Identifier: GPL-2.0 */
/* Kernel images: ELF64 RISC-V executables, checked and decoded at load. */
#ifndef SOFTGPU_IMAGE_H
#define SOFTGPU_IMAGE_H

#include <linux/kref.h>
#include <linux/types.h>
#include <softgpu/rm.h>
#include "isa/isa.h"

/**
 * struct sgpu_image - a loaded image, immutable
 * @ref: handle and launches
 * @mem: what the image window shows
 * @mem_bytes: its size
 * @code_base: address of the first instruction
 * @code_count: instructions
 * @code: decoded, followed by one illegal instruction
 * @used: float registers that any instruction reads or writes, a bit each
 * @doubles: any is of double precision: float registers have 64 bits
 * @stack_bytes: stack per thread
 * @registers: registers per thread, for occupancy
 * @shared_bytes: static shared memory
 * @charge: of all its memory
 * @elf: the file, kept for its symbols
 * @elf_bytes: its size
 * @symtab: file offset of the symbol table
 * @symbols: entries in it
 * @strtab: file offset of its strings
 * @strtab_bytes: their size, the last byte is NUL
 */
struct sgpu_image {
	struct kref ref;
	u8 *mem;
	u32 mem_bytes;
	u64 code_base;
	u32 code_count;
	struct sgpu_insn *code;
	u32 used;
	bool doubles;
	u32 stack_bytes;
	u32 registers;
	u32 shared_bytes;
	struct rm_charge charge;
	u8 *elf;
	size_t elf_bytes;
	u64 symtab;
	u64 symbols;
	u64 strtab;
	u64 strtab_bytes;
};

/**
 * sgpu_image_load - check, place and decode an image
 * @elf: the file, kvmalloc'ed; the image's if this succeeds, else the caller's
 * @bytes: its size
 * @image: out
 * @where: out: with -ENOEXEC, file offset or address of what was refused
 *
 * Return: 0, -ENOEXEC, -ENOMEM or -EINTR (killed).
 */
int sgpu_image_load(u8 *elf, size_t bytes, struct sgpu_image **image, u64 *where);

/**
 * sgpu_image_get - one more reference on an image
 * @image: the image
 *
 * Return: @image.
 */
struct sgpu_image *sgpu_image_get(struct sgpu_image *image);

/**
 * sgpu_image_put - give a reference on an image back
 * @image: the image
 *
 * Context: may sleep: the last one frees it.
 */
void sgpu_image_put(struct sgpu_image *image);

/**
 * sgpu_image_find_symbols - find the symbol table; part of loading
 * @image: its @elf has section headers that were checked: inside the file, aligned
 * @where: out: with -ENOEXEC, file offset of the header that was refused
 *
 * Return: 0 (also: it has none) or -ENOEXEC.
 */
int sgpu_image_find_symbols(struct sgpu_image *image, u64 *where);

/**
 * sgpu_image_entry - where a kernel begins
 * @image: the image
 * @name: of a global function
 * @index: out: of its first instruction
 *
 * Return: 0 or -ENOENT.
 */
int sgpu_image_entry(const struct sgpu_image *image, const char *name, u32 *index);

/**
 * sgpu_image_constant - value of an absolute symbol
 * @image: the image
 * @name: of the symbol
 * @value: out
 *
 * Return: true; false: there is none.
 */
bool sgpu_image_constant(const struct sgpu_image *image, const char *name, u64 *value);

#endif
