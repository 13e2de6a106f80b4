// SPDX-License-Identifier: GPL-2.0
/*
 * Shared memory: each kernel has its own, so variables of different kernels have the same addresses, as
 * with nvcc.  A file with a library's templates has dozens of kernels.
 *
 * Variables have offsets from __sgpu_shared_start, each behind those that some kernel uses together with
 * it.  What is "extern" is behind all that its kernels have, at __sgpu_dynamic_shared; so far goes the
 * section .shared.  The constant "__sgpu_shared$NAME" says how far goes kernel NAME.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "retarget.h"

#define DYNAMIC_SHARED	"__sgpu_dynamic_shared"	/* device.ld */
#define SHARED_START	"__sgpu_shared_start"
#define ALIGNMENT	16

/**
 * struct variable - a shared variable
 * @value: it
 * @bytes: 0: it is extern
 * @alignment: a power of two
 * @offset: from the start
 */
struct variable {
	LLVMValueRef value;
	unsigned long long bytes, alignment, offset;
};

/**
 * struct node - a function
 * @function: it
 * @calls: numbers of functions that it names
 * @call_count: of them
 * @uses: whether it names the n-th variable
 * @indirect: it calls by a pointer
 * @taken: a pointer may point to it; to kernels none can that is called
 * @seen: the last kernel that got to it, as its number + 1
 */
struct node {
	LLVMValueRef function;
	unsigned int *calls, call_count, seen;
	bool *uses, indirect, taken;
};

struct layout {
	struct retarget *r;
	struct variable *variables;
	struct node *nodes;
	unsigned int variable_count, node_count;
};

static int compare(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	return x->function < y->function ? -1 : x->function > y->function;
}

/* Is it named other than in calls of it? */
static bool is_taken(struct layout *l, LLVMValueRef f)
{
	LLVMUseRef use;

	if (retarget_is_kernel(l->r, f))
		return false;
	for (use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f)
			return true;
		for (unsigned int i = 0; i < LLVMGetNumArgOperands(user); i++)
			if (LLVMGetOperand(user, i) == f)
				return true;
	}
	return false;
}

static void count_functions(struct layout *l)
{
	LLVMValueRef f;

	for (f = LLVMGetFirstFunction(l->r->module); f; f = LLVMGetNextFunction(f))
		l->node_count++;
	l->nodes = retarget_need(calloc(l->node_count + 1, sizeof(*l->nodes)));
	l->node_count = 0;
	for (f = LLVMGetFirstFunction(l->r->module); f; f = LLVMGetNextFunction(f))
		l->nodes[l->node_count++] = (struct node){
			.function = f, .taken = is_taken(l, f),
			.uses = retarget_need(calloc(l->variable_count + 1, sizeof(bool))),
		};
	qsort(l->nodes, l->node_count, sizeof(*l->nodes), compare);
}

static struct node *find_node(struct layout *l, LLVMValueRef function)
{
	struct node key = { .function = function };

	return bsearch(&key, l->nodes, l->node_count, sizeof(key), compare);
}

/* What an operand names: functions, shared variables, also inside of constants. */
static void name_operand(struct layout *l, struct node *n, LLVMValueRef value)
{
	unsigned int i, count;

	if (LLVMIsAFunction(value)) {
		n->calls = retarget_need(realloc(n->calls,
						 (n->call_count + 1) * sizeof(*n->calls)));
		n->calls[n->call_count++] = find_node(l, value) - l->nodes;
		return;
	}
	for (i = 0; i < l->variable_count; i++)
		if (l->variables[i].value == value)
			n->uses[i] = true;
	if (!LLVMIsAConstant(value) || LLVMIsAGlobalValue(value))
		return;
	count = LLVMGetNumOperands(value);
	for (i = 0; i < count; i++)
		if (LLVMGetOperand(value, i))
			name_operand(l, n, LLVMGetOperand(value, i));
}

static void read_function(struct layout *l, struct node *n)
{
	LLVMBasicBlockRef block;
	LLVMValueRef i, called;

	for (block = LLVMGetFirstBasicBlock(n->function); block; block = LLVMGetNextBasicBlock(block))
		for (i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
			unsigned int k, count = LLVMGetNumOperands(i);

			called = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
			if (called && !LLVMIsAFunction(called) && !LLVMIsAInlineAsm(called))
				n->indirect = true;
			for (k = 0; k < count; k++)
				if (LLVMIsAConstant(LLVMGetOperand(i, k)))
					name_operand(l, n, LLVMGetOperand(i, k));
		}
}

/* All that a kernel may use: a pointer is to any function whose address is taken. */
static void reach(struct layout *l, struct node *n, unsigned int mark, bool *uses)
{
	unsigned int i;

	if (n->seen == mark)
		return;
	n->seen = mark;
	for (i = 0; i < l->variable_count; i++)
		uses[i] |= n->uses[i];
	for (i = 0; n->indirect && i < l->node_count; i++)
		if (l->nodes[i].taken)
			reach(l, l->nodes + i, mark, uses);
	for (i = 0; i < n->call_count; i++)
		reach(l, l->nodes + n->calls[i], mark, uses);
}

static unsigned long long align(unsigned long long offset, unsigned long long to)
{
	return (offset + to - 1) & ~(to - 1);
}

/* How far what a kernel uses goes; with @dynamic, if it uses some of that, up to its end. */
static unsigned long long end_of(struct layout *l, const bool *uses, unsigned int count,
				 unsigned long long dynamic)
{
	unsigned long long end = 0;

	for (unsigned int i = 0; i < count; i++) {
		struct variable *v = l->variables + i;

		if (uses[i] && (v->bytes ? v->offset + v->bytes : dynamic) > end)
			end = v->bytes ? v->offset + v->bytes : dynamic;
	}
	return end;
}

/* Behind all variables before it that a kernel uses with it. */
static void place(struct layout *l, bool **uses, unsigned int kernels, unsigned int n)
{
	struct variable *v = l->variables + n;
	unsigned long long end;

	for (unsigned int k = 0; k < kernels; k++) {
		end = uses[k][n] ? align(end_of(l, uses[k], n, 0), v->alignment) : 0;
		v->offset = end > v->offset ? end : v->offset;
	}
}

static unsigned long long dynamic_start(struct layout *l, bool **uses, unsigned int kernels)
{
	unsigned long long start = 0, end, alignment = ALIGNMENT;

	for (unsigned int k = 0; k < kernels; k++) {
		bool any = false;

		for (unsigned int i = 0; i < l->variable_count; i++)
			any |= uses[k][i] && !l->variables[i].bytes;
		for (unsigned int i = 0; i < l->variable_count; i++)
			if (!l->variables[i].bytes && l->variables[i].alignment > alignment)
				alignment = l->variables[i].alignment;
		end = any ? end_of(l, uses[k], l->variable_count, 0) : 0;
		start = end > start ? end : start;
	}
	return align(start, alignment);
}

/* ---- into the image --------------------------------------------------- */

static LLVMValueRef symbol(struct retarget *r, const char *name)
{
	LLVMValueRef v = LLVMGetNamedGlobal(r->module, name);

	if (!v) {
		v = LLVMAddGlobal(r->module, LLVMInt8TypeInContext(r->context), name);
		LLVMSetVisibility(v, LLVMHiddenVisibility);
		LLVMSetAlignment(v, ALIGNMENT);
	}
	return v;
}

static void replace_variable(struct retarget *r, struct variable *v)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(r->context);
	LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(r->context), v->offset, false);
	LLVMValueRef at = symbol(r, v->bytes ? SHARED_START : DYNAMIC_SHARED);

	if (v->bytes)
		at = LLVMConstGEP2(byte, at, &offset, 1);
	at = LLVMConstPointerCast(at, LLVMPointerType(LLVMGlobalGetValueType(v->value), 0));
	LLVMReplaceAllUsesWith(v->value, LLVMConstAddrSpaceCast(at, LLVMTypeOf(v->value)));
	LLVMDeleteGlobal(v->value);
}

/* So far goes the section, behind which the linker puts what is dynamic. */
static void add_section(struct retarget *r, unsigned long long bytes)
{
	LLVMTypeRef type = LLVMArrayType(LLVMInt8TypeInContext(r->context), bytes);
	LLVMValueRef v;

	if (!bytes)
		return;
	v = LLVMAddGlobal(r->module, type, "__sgpu_shared_static");
	LLVMSetInitializer(v, LLVMConstNull(type));
	LLVMSetVisibility(v, LLVMHiddenVisibility);
	LLVMSetSection(v, ".shared");
	LLVMSetAlignment(v, ALIGNMENT);
}

static void collect_variables(struct layout *l)
{
	unsigned int count = 0;
	LLVMValueRef v;

	for (v = LLVMGetFirstGlobal(l->r->module); v; v = LLVMGetNextGlobal(v))
		count++;
	l->variables = retarget_need(calloc(count + 1, sizeof(*l->variables)));
	for (v = LLVMGetFirstGlobal(l->r->module); v; v = LLVMGetNextGlobal(v)) {
		LLVMTypeRef type = LLVMGlobalGetValueType(v);
		unsigned long long least;

		if (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) != NVPTX_SPACE_SHARED)
			continue;
		least = LLVMIsDeclaration(v) ? 1 : LLVMABIAlignmentOfType(l->r->layout, type);
		l->variables[l->variable_count++] = (struct variable){
			.value = v,
			.bytes = LLVMIsDeclaration(v) ? 0 : LLVMABISizeOfType(l->r->layout, type),
			.alignment = LLVMGetAlignment(v) > least ? LLVMGetAlignment(v) : least,
		};
	}
}

void retarget_shared(struct retarget *r)
{
	struct layout l = { .r = r };
	LLVMValueRef f, *kernels;
	unsigned int i, count = 0;
	unsigned long long start;
	bool **uses;

	collect_variables(&l);
	count_functions(&l);
	for (i = 0; i < l.node_count; i++)
		read_function(&l, l.nodes + i);
	uses = retarget_need(calloc(l.node_count + 1, sizeof(*uses)));
	kernels = retarget_need(calloc(l.node_count + 1, sizeof(LLVMValueRef)));
	for (f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f)) {
		if (!retarget_is_kernel(r, f))
			continue;
		kernels[count] = f;
		uses[count] = retarget_need(calloc(l.variable_count + 1, sizeof(bool)));
		reach(&l, find_node(&l, f), count + 1, uses[count]);
		count++;
	}
	for (i = 0; i < l.variable_count; i++)
		place(&l, uses, count, i);
	start = dynamic_start(&l, uses, count);
	for (i = 0; i < count; i++)
		retarget_say(r, "__sgpu_shared", kernels[i],
			     LLVMConstInt(LLVMInt32TypeInContext(r->context),
					  end_of(&l, uses[i], l.variable_count, start), false),
			     ".softgpu_shared");
	for (i = 0; i < l.variable_count; i++)
		replace_variable(r, l.variables + i);
	add_section(r, start);
}
