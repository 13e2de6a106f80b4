// SPDX-License-Identifier: GPL-2.0
/*
 * uvm-retarget OUT.bc INLINE.bc SYMBOLS IN.bc...: NVPTX's IR, not optimised, to the IR of an image.
 *
 * SYMBOLS names the functions of the device library, one a line, which the linker adds.  Several IN.bc
 * are the files of one device link.
 *
 * CUDA's device code is compiled by clang for NVPTX, since only that target of clang has CUDA's
 * language; clang then compiles what this makes of it for RISC-V as it does IR of any language.
 */
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>

#include "retarget.h"

/* With a line's end before each name and behind it, so that "\nNAME\n" is found. */
static char *read_symbols(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;

	if (!file || getdelim(&text, &room, '\0', file) < 0) {
		fprintf(stderr, "uvm-retarget: %s cannot be read\n", path);
		exit(2);
	}
	fclose(file);
	return text;
}

/* What the program does not need of the library is not linked to it. */
static void link_library(struct retarget *r)
{
	LLVMValueRef f;

	for (f = LLVMGetFirstFunction(r->library); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
	LLVMSetTarget(r->module, LLVMGetTarget(r->library));
	LLVMSetDataLayout(r->module, LLVMGetDataLayoutStr(r->library));
	if (LLVMLinkModules2(r->module, r->library))
		exit(2);
}

int main(int argc, char **argv)
{
	struct retarget r = { .context = LLVMContextCreate() };

	if (argc < 5) {
		fprintf(stderr, "usage: uvm-retarget OUT.bc INLINE.bc SYMBOLS IN.bc...\n");
		return 2;
	}
	r.module = retarget_files(&r, argv + 4);
	r.library = retarget_read(r.context, argv[2]);
	r.symbols = read_symbols(argv[3]);
	r.layout = LLVMCreateTargetData(LLVMGetDataLayoutStr(r.module));

	retarget_shared(&r);
	retarget_kernels(&r);
	retarget_globals(&r);
	retarget_replace(&r);
	retarget_check(&r);
	retarget_functions(&r);
	retarget_pointers(&r);
	if (r.refused)
		return 1;

	link_library(&r);
	if (LLVMWriteBitcodeToFile(r.module, argv[1])) {
		fprintf(stderr, "uvm-retarget: %s cannot be written\n", argv[1]);
		return 2;
	}
	return 0;
}
