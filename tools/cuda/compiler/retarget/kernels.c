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
#define PARAMETERS_MAX	512	/* softgpu_launch.args_bytes: 4096, of slots */
#define BYTES_MAX	32764	/* of parameters: CUDA C++ programming guide, since 12.1 */

static LLVMAttributeRef byval(LLVMValueRef kernel, unsigned int parameter)
{
	return LLVMGetEnumAttributeAtIndex(kernel, parameter + 1,
					   LLVMGetEnumAttributeKindForName("byval", 5));
}

static LLVMValueRef word(const struct retarget *r, unsigned long long value)
{
	return LLVMConstInt(LLVMInt32TypeInContext(r->context), value, false);
}

static LLVMTypeRef type_of(LLVMValueRef kernel, unsigned int parameter)
{
	LLVMAttributeRef copied = byval(kernel, parameter);

	return copied ? LLVMGetTypeAttributeValue(copied) :
			LLVMTypeOf(LLVMGetParam(kernel, parameter));
}

/* Names of templates may have thousands of letters. */
void retarget_say(struct retarget *r, const char *prefix, LLVMValueRef kernel, LLVMValueRef constant,
		  const char *section)
{
	LLVMValueRef v;
	char *name;

	if (asprintf(&name, "%s$%s", prefix, LLVMGetValueName(kernel)) < 0)
		retarget_need(NULL);
	v = LLVMAddGlobal(r->module, LLVMTypeOf(constant), name);
	free(name);
	LLVMSetInitializer(v, constant);
	LLVMSetGlobalConstant(v, true);
	LLVMSetSection(v, section);
	LLVMSetAlignment(v, 4);
}

static void describe(struct retarget *r, LLVMValueRef kernel, unsigned int n)
{
	unsigned int i, count = LLVMCountParams(kernel);
	LLVMValueRef *words = retarget_need(calloc(2 + 2 * count, sizeof(*words))), constant;

	words[0] = word(r, n);
	words[1] = word(r, count);
	for (i = 0; i < count; i++) {
		words[2 + 2 * i] = word(r, LLVMABISizeOfType(r->layout, type_of(kernel, i)));
		words[3 + 2 * i] = word(r, !!byval(kernel, i));
	}
	constant = LLVMConstArray(LLVMInt32TypeInContext(r->context), words, 2 + 2 * count);
	free(words);
	retarget_say(r, "__sgpu_kernel", kernel, constant, ".softgpu_kernels");
}

/* What nvcc refuses, too: more parameters than a launch can hand over. */
static void check_size(struct retarget *r, LLVMValueRef kernel)
{
	unsigned int i, align, length = 0, count = LLVMCountParams(kernel);
	LLVMMetadataRef lines = LLVMGetSubprogram(kernel);
	unsigned long long bytes = 0;
	const char *file = NULL;

	for (i = 0; i < count; i++) {
		align = LLVMABIAlignmentOfType(r->layout, type_of(kernel, i));
		bytes = (bytes + align - 1) / align * align;
		bytes += LLVMABISizeOfType(r->layout, type_of(kernel, i));
	}
	if (bytes <= BYTES_MAX && count <= PARAMETERS_MAX)
		return;
	if (lines)
		file = LLVMDIFileGetFilename(LLVMDIScopeGetFile(lines), &length);
	fprintf(stderr, "%.*s:%u: error: a kernel has %u parameters of %llu bytes, a launch takes %u "
		"of %u\n", file ? (int)length : 1, file ? file : "?",
		lines ? LLVMDISubprogramGetLine(lines) : 0, count, bytes, PARAMETERS_MAX, BYTES_MAX);
	r->refused++;
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
	LLVMValueRef entry, call, *args = retarget_need(calloc(count + 1, sizeof(*args)));
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

/* What clang says of a function in "nvvm.annotations" under a name; NULL: nothing. */
static LLVMValueRef annotation(const struct retarget *r, LLVMValueRef f, const char *name)
{
	unsigned int i, length, count = LLVMGetNamedMetadataNumOperands(r->module, "nvvm.annotations");
	LLVMValueRef *nodes = retarget_need(calloc(count + 1, sizeof(*nodes)));
	LLVMValueRef part[3], found = NULL;
	const char *text;

	LLVMGetNamedMetadataOperands(r->module, "nvvm.annotations", nodes);
	for (i = 0; i < count && !found; i++) {
		if (LLVMGetMDNodeNumOperands(nodes[i]) != 3)
			continue;
		LLVMGetMDNodeOperands(nodes[i], part);
		text = part[1] ? LLVMGetMDString(part[1], &length) : NULL;
		if (part[0] == f && text && length == strlen(name) && !memcmp(text, name, length))
			found = part[2];
	}
	free(nodes);
	return found;
}

/* __launch_bounds__: the threads of a block. */
static void say_bound(struct retarget *r, LLVMValueRef kernel)
{
	LLVMValueRef threads = annotation(r, kernel, "maxntidx");

	if (threads && LLVMIsAConstantInt(threads))
		retarget_say(r, "__sgpu_threads", kernel, word(r, LLVMConstIntGetZExtValue(threads)),
			     ".softgpu_kernels");
}

/* clang marks kernels by "nvvm.annotations" (up to 19), or by their calling convention. */
bool retarget_is_kernel(const struct retarget *r, LLVMValueRef f)
{
	return !LLVMIsDeclaration(f) &&
	       (LLVMGetFunctionCallConv(f) == NVPTX_KERNEL_CALL || annotation(r, f, "kernel"));
}

void retarget_kernels(struct retarget *r)
{
	LLVMValueRef f, last = LLVMGetLastFunction(r->module);
	unsigned int n = 0;

	for (f = LLVMGetFirstFunction(r->module); f; f = f == last ? NULL : LLVMGetNextFunction(f))
		if (retarget_is_kernel(r, f)) {
			check_size(r, f);
			say_bound(r, f);
			make_entry(r, f, n);
			describe(r, f, n++);
		}
}
