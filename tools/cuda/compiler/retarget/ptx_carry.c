// SPDX-License-Identifier: GPL-2.0
/*
 * The carry of PTX in asm(): "add.cc", "addc" and their like (NVIDIA, "Parallel Thread Execution ISA",
 * Extended-Precision Integer Arithmetic).  Programs have an asm() for each of them, often in a function
 * of its own.  PTX keeps the carry in straight-line code and not across calls, so these are inlined
 * before asm() is looked at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "ptx.h"

bool ptx_carries(const char *name)
{
	bool sum = !strncmp(name, "add", 3) || !strncmp(name, "sub", 3) || !strncmp(name, "mad", 3);

	return sum && (!strncmp(name + 3, "c_", 2) || strstr(name, "_cc_"));
}

static bool text_carries(LLVMValueRef call)
{
	char text[256];

	if (!LLVMIsACallInst(call) || !LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
		return false;
	retarget_asm_text(LLVMGetCalledValue(call), text, sizeof(text));
	return strstr(text, ".cc.") || strstr(text, "addc.") || strstr(text, "subc.") ||
	       strstr(text, "madc.");
}

static bool block_carries(LLVMBasicBlockRef block)
{
	LLVMValueRef i;

	for (i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
		if (text_carries(i))
			return true;
	return false;
}

static bool has_attribute(LLVMValueRef f, const char *name)
{
	unsigned int kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	return LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
}

/*
 * Straight-line code that the program does not keep apart, nor what a launch names.  Its own copy, whose
 * carry nobody gives, goes.  False: it was so already.
 */
static bool inline_always(struct retarget *r, LLVMValueRef f)
{
	unsigned int kind = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));

	if (LLVMCountBasicBlocks(f) != 1 || retarget_is_kernel(r, f) ||
	    !strncmp(LLVMGetValueName(f), "__cuda_entry_", 13) || has_attribute(f, "noinline") ||
	    has_attribute(f, "alwaysinline"))
		return false;
	LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(r->context, kind, 0));
	LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMSetComdat(f, NULL);
	return true;
}

static void run_inliner(struct retarget *r)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(r->module, "always-inline", NULL, options);

	LLVMDisposePassBuilderOptions(options);
	if (!error)
		return;
	fprintf(stderr, "uvm-retarget: %s\n", LLVMGetErrorMessage(error));
	exit(2);
}

static bool function_carries(LLVMValueRef f)
{
	LLVMBasicBlockRef block;

	for (block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
		if (block_carries(block))
			return true;
	return false;
}

/* Whether some function is new among those that are inlined; @any: whether there is a carry. */
static bool mark_all(struct retarget *r, bool *any)
{
	bool more = false;
	LLVMValueRef f;

	for (f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f))
		if (function_carries(f)) {
			*any = true;
			more |= inline_always(r, f);
		}
	return more;
}

/* Who calls what is inlined has the carry then, and may hand it on to its own caller. */
void retarget_carries(struct retarget *r)
{
	bool any = false;

	mark_all(r, &any);
	if (!any)
		return;
	do
		run_inliner(r);
	while (mark_all(r, &any));
}
