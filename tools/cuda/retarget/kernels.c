// SPDX-License-Identifier: GPL-2.0
/*
 * Kernels: for the n-th, a function __cuda_entry_n(args), which a launch can name, and the
 * constant "__sgpu_kernel$NAME" that tells the runtime how args look: 32-bit words n, number of
 * parameters, and for each its bytes and 1 if its slot holds the address of a copy.  Each parameter
 * has a slot of 8 bytes.
 */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "retarget.h"

#define SLOT_BYTES	8

static LLVMAttributeRef byval(LLVMValueRef kernel, unsigned int parameter)
{
	return LLVMGetEnumAttributeAtIndex(kernel, parameter + 1,
					   LLVMGetEnumAttributeKindForName("byval", 5));
}

static LLVMValueRef word(const struct retarget *r, unsigned long long value)
{
	return LLVMConstInt(LLVMInt32TypeInContext(r->context), value, false);
}

static void describe(struct retarget *r, LLVMValueRef kernel, unsigned int n)
{
	unsigned int i, count = LLVMCountParams(kernel);
	LLVMValueRef *words = calloc(2 + 2 * count, sizeof(*words)), constant, v;
	char name[4096];

	words[0] = word(r, n);
	words[1] = word(r, count);
	for (i = 0; i < count; i++) {
		LLVMAttributeRef copied = byval(kernel, i);
		LLVMTypeRef type = copied ? LLVMGetTypeAttributeValue(copied) :
					    LLVMTypeOf(LLVMGetParam(kernel, i));

		words[2 + 2 * i] = word(r, LLVMABISizeOfType(r->layout, type));
		words[3 + 2 * i] = word(r, !!copied);
	}
	snprintf(name, sizeof(name), "__sgpu_kernel$%s", LLVMGetValueName(kernel));
	constant = LLVMConstArray(LLVMInt32TypeInContext(r->context), words, 2 + 2 * count);
	free(words);
	v = LLVMAddGlobal(r->module, LLVMTypeOf(constant), name);
	LLVMSetInitializer(v, constant);
	LLVMSetGlobalConstant(v, true);
	LLVMSetSection(v, ".softgpu_kernels");
	LLVMSetAlignment(v, 4);
}

/* The kernel's code becomes the entry's, and with it the kernel's lines. */
static void make_inline(const struct retarget *r, LLVMValueRef kernel, LLVMValueRef entry)
{
	unsigned int never = LLVMGetEnumAttributeKindForName("noinline", 8);
	unsigned int always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
	LLVMMetadataRef lines = LLVMGetSubprogram(kernel);

	LLVMRemoveEnumAttributeAtIndex(kernel, LLVMAttributeFunctionIndex, never);
	LLVMAddAttributeAtIndex(kernel, LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(r->context, always, 0));
	if (!lines)
		return;
	LLVMGlobalClearMetadata(kernel);
	LLVMSetSubprogram(entry, lines);
}

static void make_entry(struct retarget *r, LLVMValueRef kernel, unsigned int n)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(r->context), pointer = LLVMPointerType(byte, 0);
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(r->context), &pointer, 1, false);
	unsigned int i, count = LLVMCountParams(kernel);
	LLVMValueRef entry, call, *args = calloc(count + 1, sizeof(*args));
	LLVMBuilderRef b = LLVMCreateBuilderInContext(r->context);
	char name[32];

	snprintf(name, sizeof(name), "__cuda_entry_%u", n);
	entry = LLVMAddFunction(r->module, name, type);
	LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(r->context, entry, ""));
	for (i = 0; i < count; i++) {
		LLVMTypeRef of = LLVMTypeOf(LLVMGetParam(kernel, i));
		LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(r->context), i * SLOT_BYTES, 0);

		at = LLVMBuildGEP2(b, byte, LLVMGetParam(entry, 0), &at, 1, "");
		at = LLVMBuildPointerCast(b, at, LLVMPointerType(of, 0), "");
		args[i] = LLVMBuildLoad2(b, of, at, "");
	}
	call = LLVMBuildCall2(b, LLVMGlobalGetValueType(kernel), kernel, args, count, "");
	for (i = 0; i < count; i++)
		if (byval(kernel, i))
			LLVMAddCallSiteAttribute(call, i + 1, byval(kernel, i));
	LLVMBuildRetVoid(b);
	make_inline(r, kernel, entry);
	LLVMDisposeBuilder(b);
	free(args);
}

/* clang marks kernels by "nvvm.annotations" (up to 19), or by their calling convention. */
static bool is_marked(const struct retarget *r, LLVMValueRef f)
{
	unsigned int i, length, count = LLVMGetNamedMetadataNumOperands(r->module, "nvvm.annotations");
	LLVMValueRef *nodes = calloc(count + 1, sizeof(*nodes)), part[3];
	bool found = false;
	const char *text;

	LLVMGetNamedMetadataOperands(r->module, "nvvm.annotations", nodes);
	for (i = 0; i < count && !found; i++) {
		if (LLVMGetMDNodeNumOperands(nodes[i]) != 3)
			continue;
		LLVMGetMDNodeOperands(nodes[i], part);
		text = part[1] ? LLVMGetMDString(part[1], &length) : NULL;
		found = part[0] == f && text && length == 6 && !memcmp(text, "kernel", 6);
	}
	free(nodes);
	return found;
}

void retarget_kernels(struct retarget *r)
{
	LLVMValueRef f, last = LLVMGetLastFunction(r->module);
	unsigned int n = 0;

	for (f = LLVMGetFirstFunction(r->module); f; f = f == last ? NULL : LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) &&
		    (LLVMGetFunctionCallConv(f) == NVPTX_KERNEL_CALL || is_marked(r, f))) {
			make_entry(r, f, n);
			describe(r, f, n++);
		}
}
