// SPDX-License-Identifier: GPL-2.0
/* Says, with the source's line, what the GPU has not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "retarget.h"

#define CALLERS_MAX	16

static LLVMValueRef function_of(LLVMValueRef instruction)
{
	return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

/* clang's headers and ours: whose line says nothing to the reader. */
static bool in_headers(LLVMValueRef instruction)
{
	unsigned int length;
	const char *file = LLVMGetDebugLocFilename(instruction, &length);

	return file && (strstr(file, "__clang_cuda") || strstr(file, "cuda/include/"));
}

static LLVMValueRef some_caller(LLVMValueRef function)
{
	LLVMUseRef use;

	for (use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
		if (LLVMIsACallInst(LLVMGetUser(use)))
			return LLVMGetUser(use);
	return NULL;
}

static void complain(struct retarget *r, LLVMValueRef instruction, const char *what,
		     const char *detail, const char *why)
{
	LLVMValueRef at = instruction;
	const char *name, *file;
	unsigned int i, length;
	char *plain;

	for (i = 0; i < CALLERS_MAX && at && in_headers(at); i++)
		at = some_caller(function_of(at));
	if (!at)
		at = instruction;
	name = LLVMGetValueName(function_of(at));
	plain = __cxa_demangle(name, NULL, NULL, NULL);
	file = LLVMGetDebugLocFilename(at, &length);
	fprintf(stderr, "%s:%u: error: %s%s%s%s, in '%s', is not %s\n", file ? file : "?",
		LLVMGetDebugLocLine(at), what, *detail ? " '" : "", detail, *detail ? "'" : "",
		plain ? plain : name, why);
	free(plain);
	r->refused++;
}

void refuse(struct retarget *r, LLVMValueRef instruction, const char *what, const char *detail)
{
	complain(r, instruction, what, detail, "available on this GPU");
}

/* Of the module, of the device library, or the compiler's own. */
static bool is_known(const struct retarget *r, LLVMValueRef function)
{
	const char *name = LLVMGetValueName(function);
	LLVMValueRef own = LLVMGetNamedFunction(r->library, name);
	char line[256];

	if (own && !LLVMIsDeclaration(own))
		return true;
	if (!LLVMIsDeclaration(function) || !strncmp(name, "llvm.", 5))
		return true;
	/* the library has no longer names */
	return (size_t)snprintf(line, sizeof(line), "\n%s\n", name) < sizeof(line) &&
	       strstr(r->symbols, line);
}

/*
 * A function that clang's headers call by libdevice's name has CUDA's without the prefix.  Others are
 * the program's own, which says that another file has them.
 */
static void refuse_function(struct retarget *r, LLVMValueRef call, LLVMValueRef function)
{
	const char *name = LLVMGetValueName(function);
	char *plain = __cxa_demangle(name, NULL, NULL, NULL);

	if (strncmp(name, "__nv_", 5))
		complain(r, call, "the function", plain ? plain : name,
			 "defined; to call that of another file takes -rdc=true");
	else
		refuse(r, call, "the function", name + 5);
	free(plain);
}

static void check_call(struct retarget *r, LLVMValueRef call)
{
	LLVMValueRef called = LLVMGetCalledValue(call), known;
	char name[128];

	if (LLVMIsAInlineAsm(called)) {
		retarget_asm_text(called, name, sizeof(name));
		/* Text of no instruction keeps the compiler from moving accesses. */
		if (!name[strspn(name, " ")] && !LLVMGetNumArgOperands(call))
			return;
		refuse(r, call, "PTX in asm()", name);
	} else if (LLVMIsAFunction(called) && retarget_intrinsic(called, name, sizeof(name))) {
		known = LLVMGetNamedFunction(r->library, name);
		if (!known || LLVMIsDeclaration(known))
			refuse(r, call, "the intrinsic", LLVMGetValueName(called));
	} else if (LLVMIsAFunction(called) && !is_known(r, called)) {
		refuse_function(r, call, called);
	}
}

/* Pointers to other than the one address space are left only where the source asks for them. */
static bool has_space(LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type);
}

static void check_instruction(struct retarget *r, LLVMValueRef i)
{
	int n, count = LLVMGetNumOperands(i);
	bool space = has_space(i);

	for (n = 0; n < count; n++)
		space |= has_space(LLVMGetOperand(i, n));
	if (space)
		refuse(r, i, "a pointer with an address space of its own", "");
	if (LLVMIsACallInst(i))
		check_call(r, i);
}

void retarget_check(struct retarget *r)
{
	LLVMBasicBlockRef block;
	LLVMValueRef f, i;

	for (f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f))
		for (block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
			for (i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
				check_instruction(r, i);
}
