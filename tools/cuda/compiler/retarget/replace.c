// SPDX-License-Identifier: GPL-2.0
/* What has another form in IR that every target knows, or in the library: loads, textures, PTX. */
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

/* A texture's value is the address of its word, which the runtime writes. */
static void address_instead(LLVMValueRef call)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(call)));
	LLVMValueRef word = LLVMGetOperand(call, 0);

	if (LLVMIsAGlobalVariable(word))
		LLVMSetExternallyInitialized(word, true);
	LLVMPositionBuilderBefore(b, call);
	LLVMReplaceAllUsesWith(call, LLVMBuildPtrToInt(b, word, LLVMTypeOf(call), ""));
	LLVMInstructionEraseFromParent(call);
	LLVMDisposeBuilder(b);
}

static void load_all(struct retarget *r)
{
	LLVMValueRef f;
	LLVMUseRef use;

	for (f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f)) {
		const char *name = LLVMGetValueName(f);
		bool load = !strncmp(name, "llvm.nvvm.ldg.global.", 21) ||
			    !strncmp(name, "llvm.nvvm.ldu.global.", 21);

		if (!load && strncmp(name, "llvm.nvvm.texsurf.handle.internal.", 34))
			continue;
		while ((use = LLVMGetFirstUse(f)))
			load ? load_instead(LLVMGetUser(use)) : address_instead(LLVMGetUser(use));
	}
}

/* Blanks instead of comments, of lines and of parts of them; a line's end is "\0A" here. */
static void blank_comments(char *text)
{
	static const char * const kinds[][2] = { { "//", "\\0A" }, { "/*", "*/" } };

	for (int kind = 0; kind < 2; kind++) {
		char *start = text, *end;

		while ((start = strstr(start, kinds[kind][0]))) {
			end = strstr(start + 2, kinds[kind][1]);
			end = !end ? start + strlen(start) : kind ? end + 2 : end;
			memset(start, ' ', end - start);
			start = end;
		}
	}
}

/* Types before it may have quotes in their names, too. */
static char *first_quote(char *all)
{
	char *at = strstr(all, " asm ");

	return strchr(at ? at : all, '"');
}

/* The text of asm(): the first of the strings that it is printed with, where "\09" is a tab. */
void retarget_asm_text(LLVMValueRef called, char *text, size_t bytes)
{
	char *all = LLVMPrintValueToString(called), *start = first_quote(all);

	snprintf(text, bytes, "%.*s", start ? (int)strcspn(start + 1, "\"") : 0,
		 start ? start + 1 : "");
	blank_comments(text);
	for (start = strstr(text, "\\0"); start; start = strstr(start, "\\0"))
		memcpy(start, "   ", start[2] ? 3 : 2);
	LLVMDisposeMessage(all);
}

/* Of an asm(): longer ones are refused. */
#define ASM_BYTES	4096

/* Behind the text, in quotes as well, is where operands are: the constraints. */
static void asm_constraints(LLVMValueRef called, char *text, size_t bytes)
{
	char *all = LLVMPrintValueToString(called), *at = first_quote(all);

	at = at ? strchr(at + 1, '"') : NULL;
	at = at ? strchr(at + 1, '"') : NULL;
	snprintf(text, bytes, "%.*s", at ? (int)strcspn(at + 1, "\"") : 0, at ? at + 1 : "");
	LLVMDisposeMessage(all);
}

static void replace_asm(struct retarget *r, LLVMValueRef call)
{
	char text[ASM_BYTES], constraints[ASM_BYTES];

	retarget_asm_text(LLVMGetCalledValue(call), text, sizeof(text));
	asm_constraints(LLVMGetCalledValue(call), constraints, sizeof(constraints));
	if (strlen(text) < sizeof(text) - 1 && strlen(constraints) < sizeof(constraints) - 1)
		retarget_ptx(r, call, text, constraints);
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
	retarget_carries(r);
	for (f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f))
		for (block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
			replace_in(r, block);
}
