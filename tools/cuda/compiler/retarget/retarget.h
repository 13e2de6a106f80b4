/* SPDX-License-Identifier: GPL-2.0 */
/* From the LLVM IR of clang's CUDA for NVPTX to IR for the GPU's own RISC-V. */
#ifndef RETARGET_H
#define RETARGET_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* What malloc() and its like gave; without memory the compiler ends. */
static inline void *retarget_need(void *memory)
{
	if (!memory) {
		fputs("uvm-retarget: out of memory\n", stderr);
		exit(2);
	}
	return memory;
}

/* Of the C++ library: a symbol as people wrote it, NULL: it is no such symbol. */
char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status);

/* LLVM's numbers (llvm/IR/CallingConv.h, the NVPTX backend's address spaces). */
#define NVPTX_KERNEL_CALL	71
#define NVPTX_SPACE_SHARED	3

/**
 * struct retarget - one device image on its way
 * @context: of all modules
 * @module: what is compiled
 * @library: tools/cuda/device/inline, compiled for the GPU: what NVVM's intrinsics do there
 * @symbols: of the device library, one a line, and a line's end before the first
 * @layout: of NVPTX, as the host side of the program has it too
 * @refused: how many things the GPU has not
 */
struct retarget {
	LLVMContextRef context;
	LLVMModuleRef module, library;
	const char *symbols;
	LLVMTargetDataRef layout;
	unsigned int refused;
};

/* files.c: @paths ends with NULL; they become one module. */
LLVMModuleRef retarget_files(struct retarget *r, char **paths);
LLVMModuleRef retarget_read(LLVMContextRef context, const char *path);

/* shared.c: places shared memory, for each kernel its own; before kernels have entries. */
void retarget_shared(struct retarget *r);

/* kernels.c: whether a launch can name @f. */
bool retarget_is_kernel(const struct retarget *r, LLVMValueRef f);

/* kernels.c: the runtime finds words about a kernel under the name "PREFIX$KERNEL". */
void retarget_say(struct retarget *r, const char *prefix, LLVMValueRef kernel, LLVMValueRef constant,
		  const char *section);

/* kernels.c: an entry and a description for each kernel; before functions and globals change. */
void retarget_kernels(struct retarget *r);

/* globals.c: variables into the one address space and into the sections of device.ld. */
void retarget_globals(struct retarget *r);

/* globals.c: lists the pointers to writable variables in what is initialised. */
void retarget_pointers(struct retarget *r);

/* replace.c: __ldg() and its like are plain loads; registers read in asm() are calls of the library. */
void retarget_replace(struct retarget *r);
void retarget_asm_text(LLVMValueRef called, char *text, size_t bytes);

/*
 * ptx.c: instead of an asm(), which goes, what its @text does; false if that is not known.  Both texts
 * are written to.
 */
bool retarget_ptx(struct retarget *r, LLVMValueRef asm_call, char *text, char *constraints);

/* ptx_carry.c: what hands a carry from one asm() to the next becomes one function. */
void retarget_carries(struct retarget *r);

/* functions.c: no trace of NVPTX in functions; its intrinsics become calls of the library. */
void retarget_functions(struct retarget *r);

/* refuse.c: says, with the source's line, what the GPU has not. */
void retarget_check(struct retarget *r);
void refuse(struct retarget *r, LLVMValueRef instruction, const char *what, const char *detail);

/* functions.c: as the library names it, in @text; false if it is no intrinsic of NVVM. */
bool retarget_intrinsic(LLVMValueRef function, char *text, size_t bytes);

#endif
