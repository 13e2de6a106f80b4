// SPDX-License-Identifier: GPL-2.0
/*
 * Variables: NVPTX has an address space for each kind, the GPU has one for all.
 *
 *   shared			gone when these are placed (shared.c)
 *   __device__, __constant__	global symbols, so that code takes their addresses from a table
 *				that the runtime corrects: where they are is known when they are
 *				allocated
 *   what nobody can write	in the image
 */
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Comdat.h>

#include "retarget.h"

static unsigned int space_of(LLVMValueRef v)
{
	return LLVMGetPointerAddressSpace(LLVMTypeOf(v));
}

/* In the one address space; constants that hold the old one's address follow. */
static void replace(LLVMValueRef old, LLVMValueRef by)
{
	LLVMReplaceAllUsesWith(old, LLVMConstAddrSpaceCast(by, LLVMTypeOf(old)));
	LLVMDeleteGlobal(old);
}

/* A variable like @old with its name. */
static LLVMValueRef renew(struct retarget *r, LLVMValueRef old)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(old);
	LLVMValueRef v = LLVMAddGlobal(r->module, type, "");
	const char *name;
	size_t length;
	char *copy;

	name = LLVMGetValueName2(old, &length);
	copy = retarget_need(strndup(name, length));
	LLVMSetValueName2(old, "", 0);
	LLVMSetValueName2(v, copy, length);
	free(copy);
	LLVMSetAlignment(v, LLVMGetAlignment(old));
	LLVMSetGlobalConstant(v, LLVMIsGlobalConstant(old));
	if (LLVMGetInitializer(old))
		LLVMSetInitializer(v, LLVMGetInitializer(old));
	return v;
}

/* The host can write to what is "externally initialized", whether the source says const or not. */
static bool is_read_only(LLVMValueRef v)
{
	return LLVMIsGlobalConstant(v) && !LLVMIsExternallyInitialized(v) && !LLVMIsDeclaration(v);
}

static void place_variable(struct retarget *r, LLVMValueRef old)
{
	bool constant = is_read_only(old);
	LLVMValueRef v = renew(r, old);

	LLVMSetGlobalConstant(v, constant);
	LLVMSetLinkage(v, constant ? LLVMInternalLinkage : LLVMExternalLinkage);
	replace(old, v);
}

/* What shared.c has placed, or left to the linker. */
static bool is_shared(LLVMValueRef v)
{
	return !strncmp(LLVMGetValueName(v), "__sgpu_", 7);
}

void retarget_globals(struct retarget *r)
{
	static const char * const lists[] = { "llvm.used", "llvm.compiler.used" };
	LLVMValueRef v, next, last;

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		v = LLVMGetNamedGlobal(r->module, lists[i]);
		if (v)
			LLVMDeleteGlobal(v);
	}
	/* New ones come behind the last. */
	last = LLVMGetLastGlobal(r->module);
	for (v = LLVMGetFirstGlobal(r->module); v; v = next) {
		next = v == last ? NULL : LLVMGetNextGlobal(v);
		LLVMSetComdat(v, NULL);
		if (LLVMIsDeclaration(v) && !LLVMGetFirstUse(v))
			LLVMDeleteGlobal(v);
		else if (!is_shared(v) && (space_of(v) || !LLVMIsGlobalConstant(v)))
			place_variable(r, v);
	}
}

/**
 * struct pointers - words that hold addresses of writable variables
 * @at: their addresses
 * @count: how many
 */
struct pointers {
	LLVMValueRef *at;
	unsigned int count;
};

/* The variable in whose storage a constant points, or NULL. */
static LLVMValueRef pointed(LLVMValueRef constant)
{
	while (LLVMIsAConstantExpr(constant))
		constant = LLVMGetOperand(constant, 0);
	return LLVMIsAGlobalVariable(constant) && !LLVMIsGlobalConstant(constant) ? constant : NULL;
}

static void add_pointer(struct retarget *r, struct pointers *list, LLVMValueRef in,
			unsigned long long offset)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(r->context);
	LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(r->context), offset, false);
	LLVMValueRef base = LLVMConstPointerCast(in, LLVMPointerType(byte, 0));

	list->at = retarget_need(realloc(list->at, (list->count + 1) * sizeof(*list->at)));
	list->at[list->count++] = LLVMConstGEP2(byte, base, &index, 1);
}

static void walk(struct retarget *r, struct pointers *list, LLVMValueRef in, LLVMValueRef part,
		 unsigned long long offset)
{
	LLVMTypeRef type = LLVMTypeOf(part);
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	int i, count = LLVMGetNumOperands(part);

	if (pointed(part))
		add_pointer(r, list, in, offset);
	if (LLVMIsAConstantExpr(part) || (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind))
		return;
	for (i = 0; i < count; i++)
		walk(r, list, in, LLVMGetOperand(part, i), offset + (kind == LLVMStructTypeKind ?
		     LLVMOffsetOfElement(r->layout, type, i) :
		     i * LLVMABISizeOfType(r->layout, LLVMGetElementType(type))));
}

void retarget_pointers(struct retarget *r)
{
	struct pointers list = { 0 };
	LLVMValueRef v, table;

	for (v = LLVMGetFirstGlobal(r->module); v; v = LLVMGetNextGlobal(v))
		if (LLVMGetInitializer(v))
			walk(r, &list, v, LLVMGetInitializer(v), 0);
	if (!list.count)
		return;
	table = LLVMConstArray(LLVMTypeOf(list.at[0]), list.at, list.count);
	v = LLVMAddGlobal(r->module, LLVMTypeOf(table), "__sgpu_relocations");
	LLVMSetInitializer(v, table);
	LLVMSetGlobalConstant(v, true);
	LLVMSetSection(v, ".softgpu_relocations");
	LLVMSetAlignment(v, 8);
	free(list.at);
}
