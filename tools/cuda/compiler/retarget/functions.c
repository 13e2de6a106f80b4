// SPDX-License-Identifier: GPL-2.0
/* No trace of NVPTX in functions; its intrinsics become calls of the library. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Comdat.h>

#include "retarget.h"

/* Of functions of both targets: what differs is taken from the library's. */
static const char * const target_attributes[] = { "target-cpu", "target-features", "tune-cpu",
						  "frame-pointer" };

/*
 * "llvm.nvvm.atomic.load.inc.32.p0i32" is __nvvm_atomic_load_inc_32: the types of pointers, at the
 * end, differ between LLVM's versions.
 */
bool retarget_intrinsic(LLVMValueRef function, char *text, size_t bytes)
{
	size_t length, end, i;
	const char *name = LLVMGetValueName2(function, &length);

	if (strncmp(name, "llvm.nvvm.", 10))
		return false;
	end = length;
	for (i = length; i > 10; i--)
		if (name[i] == '.') {
			if (name[i + 1] != 'p' || !isdigit(name[i + 2]))
				break;
			end = i;
		}
	snprintf(text, bytes, "__%.*s", (int)(end - 5), name + 5);
	for (; *text; text++)
		if (*text == '.')
			*text = '_';
	return true;
}

/* The first function of the library that has a body: all have the same. */
static LLVMValueRef pattern(const struct retarget *r)
{
	LLVMValueRef f = LLVMGetFirstFunction(r->library);

	while (f && LLVMIsDeclaration(f))
		f = LLVMGetNextFunction(f);
	return f;
}

static void take_attributes(LLVMValueRef f, LLVMValueRef from)
{
	for (size_t i = 0; i < sizeof(target_attributes) / sizeof(*target_attributes); i++) {
		const char *name = target_attributes[i];
		LLVMAttributeRef attribute;

		LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, strlen(name));
		attribute = from ? LLVMGetStringAttributeAtIndex(from, LLVMAttributeFunctionIndex,
								 name, strlen(name)) : NULL;
		if (attribute)
			LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
	}
}

/*
 * All calls of one function have its convention: kernels are called by their entries only.  Attributes
 * are also those of declarations: LLVM asks the first function of a module what the target can do.
 */
void retarget_functions(struct retarget *r)
{
	LLVMValueRef like = pattern(r), f, next;
	char name[128];

	for (f = LLVMGetFirstFunction(r->module); f; f = next) {
		next = LLVMGetNextFunction(f);
		LLVMSetFunctionCallConv(f, LLVMCCallConv);
		take_attributes(f, like);
		if (!LLVMIsDeclaration(f)) {
			LLVMSetComdat(f, NULL);
			if (strncmp(LLVMGetValueName(f), "__cuda_entry_", 13))
				LLVMSetLinkage(f, LLVMInternalLinkage);
		} else if (!LLVMGetFirstUse(f)) {
			LLVMDeleteFunction(f);
		} else if (retarget_intrinsic(f, name, sizeof(name))) {
			LLVMSetValueName2(f, name, strlen(name));
		}
	}
}
