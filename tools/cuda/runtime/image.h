/* SPDX-License-Identifier: GPL-2.0 */
/* Reading the ELF image of a module; Documentation/cuda-runtime.rst says what is in it. */
#ifndef LIBUVMCUDA_IMAGE_H
#define LIBUVMCUDA_IMAGE_H

#include <libelf.h>

#include "runtime.h"

/* Bytes of an ELF file in memory, from its own header; 0: it is none of ours. */
size_t image_bytes(const void *data);
/* A symbol by name; false: there is none. */
bool image_symbol(Elf *elf, const char *name, Elf64_Sym *out);
/* The value of a symbol, @otherwise: there is none. */
uint64_t image_value(Elf *elf, const char *name, uint64_t otherwise);
/* The bytes in the file behind an address; NULL: fewer than @bytes are there. */
void *image_at(Elf *elf, uint64_t address, size_t bytes);
/* The section that has an address in it, or NULL. */
Elf_Scn *image_section(Elf *elf, uint64_t address, Elf64_Shdr **header);

#endif
