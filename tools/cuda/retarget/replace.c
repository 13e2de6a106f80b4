// SPDX-License-Identifier: GPL-2.0
/* What has another form in IR that every target knows, or in the library: loads, and PTX of one line. */
#include <stdio.h>
#include <string.h>

#include "retarget.h"

/* Loads by way of the read-only cache are loads: their arguments are address and alignment. */
static void load_instead(LLVMValueRef call)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(call)));
	LLVMValueRef load;

	LLVMPositionBuilderBefore(b, call);
	load = LLVMBuildLoad2(b, LLVMTypeOf(call), LLVMGetOperand(call, 0), "");
	LLVMSetAlignment(load, LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1)));
	LLVMReplaceAllUsesWith(call, load);
	LLVMInstructionEraseFromParent(call);
	LLVMDisposeBuilder(b);
}

static void load_all(struct retarget *r)
{
	LLVMValueRef f;
	LLVMUseRef use;

	for (f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f)) {
		if (strncmp(LLVMGetValueName(f), "llvm.nvvm.ldg.global.", 21) &&
		    strncmp(LLVMGetValueName(f), "llvm.nvvm.ldu.global.", 21))
			continue;
		while ((use = LLVMGetFirstUse(f)))
			load_instead(LLVMGetUser(use));
	}
}

/* The text of asm(): the first of the strings that it is printed with. */
void retarget_asm_text(LLVMValueRef called, char *text, size_t bytes)
{
	char *all = LLVMPrintValueToString(called), *start = strchr(all, '"');

	snprintf(text, bytes, "%.*s", start ? (int)strcspn(start + 1, "\"") : 0,
		 start ? start + 1 : "");
	LLVMDisposeMessage(all);
}

/* Programs read special registers so: clang has no other word for some. */
static bool asm_intrinsic(const char *text, char *name, size_t bytes)
{
	char which[32];

	if (sscanf(text, " mov.%*[bu0-9] $0, %%%31[a-z0-9_.];", which) == 1) {
		for (char *c = which; *c; c++)
			*c = *c == '.' ? '_' : *c;
		snprintf(name, bytes, "__nvvm_read_ptx_sreg_%s", which);
		return true;
	}
	snprintf(name, bytes, "__nvvm_activemask");
	return !strncmp(text, "activemask.b32 $0;", 18);
}

static void replace_asm(struct retarget *r, LLVMValueRef call)
{
	LLVMValueRef function, own, by;
	LLVMTypeRef type = LLVMFunctionType(LLVMTypeOf(call), NULL, 0, false);
	char text[256], name[64];
	LLVMBuilderRef b;

	retarget_asm_text(LLVMGetCalledValue(call), text, sizeof(text));
	if (LLVMGetNumArgOperands(call) || !asm_intrinsic(text, name, sizeof(name)))
		return;
	own = LLVMGetNamedFunction(r->library, name);
	if (!own || LLVMGlobalGetValueType(own) != type)
		return;
	function = LLVMGetNamedFunction(r->module, name);
	if (!function)
		function = LLVMAddFunction(r->module, name, type);
	b = LLVMCreateBuilderInContext(r->context);
	LLVMPositionBuilderBefore(b, call);
	by = LLVMBuildCall2(b, type, function, NULL, 0, "");
	LLVMReplaceAllUsesWith(call, by);
	LLVMInstructionEraseFromParent(call);
	LLVMDisposeBuilder(b);
}

static void replace_in(struct retarget *r, LLVMBasicBlockRef block)
{
	LLVMValueRef i, next;

	for (i = LLVMGetFirstInstruction(block); i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
			replace_asm(r, i);
	}
}

void retarget_replace(struct retarget *r)
{
	LLVMBasicBlockRef block;
	LLVMValueRef f;

	load_all(r);
	for (f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f))
		for (block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
			replace_in(r, block);
}
