// SPDX-License-Identifier: GPL-2.0
/*
 * PTX in asm(), instructions in a row with registers of their own (NVIDIA, "Parallel Thread Execution
 * ISA").  Here are registers, predicates, vectors, "mov" and "cvt"; all other instructions are functions
 * of the library (tools/cuda/device/inline/ptx.c), and what has none stays, to be refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

#define CARRY	"ptx.carry"
#define ASIDE_WORDS	4	/* the widest access is of four times 8 bytes */

static struct ptx_register *find(struct ptx *x, const char *name)
{
	for (unsigned int i = 0; i < x->count; i++)
		if (!strcmp(x->registers[i].name, name))
			return x->registers + i;
	return NULL;
}

static bool add(struct ptx *x, const char *name, LLVMTypeRef type, LLVMValueRef value)
{
	struct ptx_register *g = x->registers + x->count;

	if (x->count == PTX_REGISTERS_MAX || !*name || strlen(name) >= sizeof(g->name) || strchr(name, '<'))
		return false;
	snprintf(g->name, sizeof(g->name), "%s", name);
	g->type = type;
	g->value = value;
	x->count++;
	return true;
}

/* "f32" and the like; those without a letter for it are integers.  NULL for what has no such type. */
static LLVMTypeRef type_named(struct ptx *x, const char *name)
{
	int bits = 0;

	if (!strcmp(name, "pred"))
		return LLVMInt1TypeInContext(x->r->context);
	if (!*name || !strchr("busf", *name) || sscanf(name + 1, "%d", &bits) != 1)
		return NULL;
	if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
		return NULL;
	if (*name == 'f' && bits >= 32)
		return bits == 32 ? LLVMFloatTypeInContext(x->r->context) :
				    LLVMDoubleTypeInContext(x->r->context);
	return LLVMIntTypeInContext(x->r->context, bits);
}

static unsigned int bits_of(struct ptx *x, LLVMTypeRef type)
{
	return LLVMSizeOfTypeInBits(x->r->layout, type);
}

static bool is_integer(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

/* Registers have bits, whatever they mean.  NULL if @value has more or fewer than @type. */
static LLVMValueRef as_type(struct ptx *x, LLVMValueRef value, LLVMTypeRef type)
{
	LLVMTypeRef from = LLVMTypeOf(value);

	if (from == type)
		return value;
	if (LLVMIsAConstantInt(value) && is_integer(type))
		return LLVMConstInt(type, LLVMConstIntGetSExtValue(value), true);
	if (LLVMIsAConstantInt(value) && LLVMGetTypeKind(type) != LLVMPointerTypeKind) {
		from = LLVMIntTypeInContext(x->r->context, bits_of(x, type));
		return LLVMBuildBitCast(x->b, as_type(x, value, from), type, "");
	}
	if (LLVMGetTypeKind(from) == LLVMPointerTypeKind)
		return as_type(x, LLVMBuildPtrToInt(x->b, value, LLVMInt64TypeInContext(x->r->context), ""),
			       type);
	if (bits_of(x, from) != bits_of(x, type))
		return NULL;
	return LLVMBuildBitCast(x->b, value, type, "");
}

/* Loads and stores of few bits have registers that may be wider. */
static LLVMValueRef resize(struct ptx *x, LLVMValueRef value, LLVMTypeRef type, bool with_sign)
{
	return is_integer(LLVMTypeOf(value)) && is_integer(type) ?
		LLVMBuildIntCast2(x->b, value, type, with_sign, "") : as_type(x, value, type);
}

/* A call of the library's @name, whose result or lack of it is the PTX's; NULL if it has no such one. */
static LLVMValueRef call_library(struct ptx *x, const char *name, LLVMValueRef *values, unsigned int count)
{
	LLVMValueRef own = LLVMGetNamedFunction(x->r->library, name), args[PTX_OPERANDS_MAX], function;
	LLVMTypeRef type, types[PTX_OPERANDS_MAX];

	if (!own || LLVMCountParams(own) != count)
		return NULL;
	type = LLVMGlobalGetValueType(own);
	LLVMGetParamTypes(type, types);
	for (unsigned int i = 0; i < count; i++) {
		bool stored = i && !strncmp(name, "__ptx_st_", 9);

		args[i] = stored ? resize(x, values[i], types[i], false) : as_type(x, values[i], types[i]);
		if (!args[i])
			return NULL;
	}
	function = LLVMGetNamedFunction(x->r->module, name) ?: LLVMAddFunction(x->r->module, name, type);
	return LLVMBuildCall2(x->b, type, function, args, count, "");
}

static LLVMValueRef special_register(struct ptx *x, const char *name)
{
	char function[64];

	snprintf(function, sizeof(function), "__nvvm_read_ptx_sreg_%s", name);
	for (char *c = function; *c; c++)
		*c = *c == '.' ? '_' : *c;
	return call_library(x, function, NULL, 0);
}

static LLVMValueRef value_of(struct ptx *x, const char *operand);

/* "0f3f800000" and "0d...": the bits of a number. */
static LLVMValueRef real(struct ptx *x, const char *operand)
{
	size_t digits = operand[1] == 'f' || operand[1] == 'F' ? 8 : 16;
	char *end;
	unsigned long long bits = strtoull(operand + 2, &end, 16);

	if (*end || end != operand + 2 + digits)
		return NULL;
	return LLVMConstInt(digits == 8 ? LLVMInt32TypeInContext(x->r->context) :
			    LLVMInt64TypeInContext(x->r->context), bits, false);
}

/* "a+4", of an address. */
static LLVMValueRef sum_of(struct ptx *x, const char *operand)
{
	LLVMTypeRef word = LLVMInt64TypeInContext(x->r->context);
	LLVMValueRef values[2];
	char base[24];
	size_t length = strcspn(operand, "+ ");

	if (length >= sizeof(base))
		return NULL;
	snprintf(base, sizeof(base), "%.*s", (int)length, operand);
	operand += strcspn(operand, "+") + 1;
	values[0] = value_of(x, base);
	values[1] = value_of(x, operand + strspn(operand, " "));
	/* Of shared memory a register may have 32 bits; a number may be negative. */
	values[0] = values[0] ? resize(x, values[0], word, false) : NULL;
	values[1] = values[1] ? as_type(x, values[1], word) : NULL;
	return values[0] && values[1] ? LLVMBuildAdd(x->b, values[0], values[1], "") : NULL;
}

/* What an operand holds: a register, one of the GPU's, or a number; NULL for others. */
static LLVMValueRef value_of(struct ptx *x, const char *operand)
{
	struct ptx_register *g = find(x, operand);
	unsigned long long number;
	char *end;

	if (g)
		return g->value;
	if (strchr(operand, '+'))
		return sum_of(x, operand);
	if (*operand == '%')
		return special_register(x, operand + 1);
	if (!strcmp(operand, "WARP_SZ"))
		return LLVMConstInt(LLVMInt32TypeInContext(x->r->context), 32, false);
	if (*operand == '0' && operand[1] && strchr("fFdD", operand[1]))
		return real(x, operand);
	number = strtoull(operand, &end, 0);
	end += *end == 'U';
	if (end == operand || *end)
		return NULL;
	return LLVMConstInt(LLVMInt64TypeInContext(x->r->context), number, false);
}

/* Under a predicate that does not hold, a register keeps what it has. */
static bool assign(struct ptx *x, const struct ptx_statement *s, const char *operand, LLVMValueRef value)
{
	struct ptx_register *g = find(x, operand), *guard = *s->guard ? find(x, s->guard) : NULL;

	if (!strcmp(operand, "_"))
		return true;
	value = g && value ? as_type(x, value, g->type) : NULL;
	if (!value || (*s->guard && (!guard || !guard->value)))
		return false;
	if (guard && !g->value)
		g->value = LLVMGetUndef(g->type);
	if (guard)
		value = LLVMBuildSelect(x->b, guard->value, s->negated ? g->value : value,
					s->negated ? value : g->value, "");
	g->value = value;
	return true;
}

/* ---- instructions ----------------------------------------------------- */

/* "a", or "a<3>": a0, a1 and a2. */
static bool declare_one(struct ptx *x, char *name, LLVMTypeRef type)
{
	char *several = strchr(name, '<'), one[40];
	unsigned int n;

	if (!several)
		return add(x, name, type, NULL);
	*several++ = 0;
	if (sscanf(several, "%u>", &n) != 1 || n > PTX_REGISTERS_MAX)
		return false;
	for (unsigned int i = 0; i < n; i++) {
		snprintf(one, sizeof(one), "%.24s%u", name, i);
		if (!add(x, one, type, NULL))
			return false;
	}
	return true;
}

/* ".reg .u32 a, b": the first operand has the type before it. */
static bool declare(struct ptx *x, struct ptx_statement *s)
{
	char *name = s->count ? strchr(s->operand[0], ' ') : NULL;
	LLVMTypeRef type;

	if (!name || *s->operand[0] != '.')
		return false;
	*name++ = 0;
	name += strspn(name, " ");
	type = type_named(x, s->operand[0] + 1);
	for (unsigned int i = 0; i < s->count; i++)
		if (!type || !declare_one(x, i ? s->operand[i] : name, type))
			return false;
	return true;
}

/* The halves of a register, or one of the halves: "mov.b64 {lo, hi}, x" and "mov.b64 x, {lo, hi}". */
static bool move_halves(struct ptx *x, struct ptx_statement *s, unsigned int bits)
{
	LLVMTypeRef whole = LLVMIntTypeInContext(x->r->context, bits);
	LLVMTypeRef half = LLVMIntTypeInContext(x->r->context, bits / 2);
	LLVMValueRef shift = LLVMConstInt(whole, bits / 2, false), low, high;
	bool takes_apart = s->vector[0] == 2;

	low = value_of(x, s->operand[takes_apart ? 2 : 1]);
	high = takes_apart ? low : value_of(x, s->operand[2]);
	low = low ? as_type(x, low, takes_apart ? whole : half) : NULL;
	high = high ? as_type(x, high, takes_apart ? whole : half) : NULL;
	if (!low || !high)
		return false;
	if (takes_apart)
		return assign(x, s, s->operand[0], LLVMBuildTrunc(x->b, low, half, "")) &&
		       assign(x, s, s->operand[1],
			      LLVMBuildTrunc(x->b, LLVMBuildLShr(x->b, high, shift, ""), half, ""));
	high = LLVMBuildShl(x->b, LLVMBuildZExt(x->b, high, whole, ""), shift, "");
	low = LLVMBuildZExt(x->b, low, whole, "");
	return assign(x, s, s->operand[0], LLVMBuildOr(x->b, high, low, ""));
}

static bool move(struct ptx *x, struct ptx_statement *s)
{
	if (s->count == 3 && s->vector[0] + s->vector[1] == 2)
		return (!strcmp(s->name, "mov_b64") && move_halves(x, s, 64)) ||
		       (!strcmp(s->name, "mov_b32") && move_halves(x, s, 32));
	return s->count == 2 && !s->vector[0] && !s->vector[1] &&
	       assign(x, s, s->operand[0], value_of(x, s->operand[1]));
}

/* Between integers: "cvt_u16_u8".  The others have a rounding, or are of the library. */
static bool convert(struct ptx *x, struct ptx_statement *s, bool *done)
{
	char to[8], from[8];
	LLVMValueRef value;
	LLVMTypeRef type, of;
	int end = 0;

	*done = sscanf(s->name, "cvt_%7[a-z0-9]_%7[a-z0-9]%n", to, from, &end) == 2 && !s->name[end] &&
		*to != 'f' && *from != 'f' && s->count == 2;
	if (!*done)
		return true;
	type = type_named(x, to);
	of = type_named(x, from);
	value = value_of(x, s->operand[1]);
	if (!type || !of || !value || !is_integer(LLVMTypeOf(value)))
		return false;
	value = LLVMBuildIntCast2(x->b, value, of, false, "");
	value = LLVMBuildIntCast2(x->b, value, type, *from == 's', "");
	/* A register may be wider than what it is given. */
	if (find(x, s->operand[0]) && is_integer(find(x, s->operand[0])->type))
		value = LLVMBuildIntCast2(x->b, value, find(x, s->operand[0])->type, *to == 's', "");
	return assign(x, s, s->operand[0], value);
}

/* What can be done and its result not taken: it changes nothing, and no lane waits for it. */
static bool has_no_effect(const char *name)
{
	static const char * const names[] = { "abs_", "add_", "and_", "bfe_", "bfi_", "fma_", "mad_", "max_",
					      "min_", "mul_", "neg_", "not_", "or_", "selp_", "setp_",
					      "shl_", "shr_", "sub_", "xor_", "cvt_" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

/* In the function's first block, which later ones see. */
static LLVMValueRef variable_of(struct ptx *x, LLVMTypeRef type, const char *name)
{
	LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInsertBlock(x->b)), variable;
	LLVMBuilderRef b = LLVMCreateBuilderInContext(x->r->context);

	LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
	variable = LLVMBuildAlloca(b, type, name);
	LLVMBuildStore(b, LLVMConstNull(type), variable);
	LLVMDisposeBuilder(b);
	return variable;
}

/*
 * Where an access goes: shared memory may have 32 bits of its address, and under a predicate that does
 * not hold it is one of some bytes of the stack.
 */
static LLVMValueRef address_of(struct ptx *x, const struct ptx_statement *s, LLVMValueRef address,
			       bool shared)
{
	LLVMTypeRef word = LLVMInt64TypeInContext(x->r->context);
	struct ptx_register *guard = *s->guard ? find(x, s->guard) : NULL;
	LLVMValueRef aside;

	address = shared ? resize(x, address, word, false) : as_type(x, address, word);
	if (shared && address)
		address = call_library(x, "__ptx_cvta_shared_u64", &address, 1);
	if (!address || !*s->guard)
		return address;
	if (!guard || !guard->value)
		return NULL;
	aside = variable_of(x, LLVMArrayType(word, ASIDE_WORDS), "");
	aside = LLVMBuildPtrToInt(x->b, aside, word, "");
	return LLVMBuildSelect(x->b, guard->value, s->negated ? aside : address,
			       s->negated ? address : aside, "");
}

/* The operands from the @first on. */
static bool values_of(struct ptx *x, struct ptx_statement *s, unsigned int first, LLVMValueRef *values)
{
	for (unsigned int i = first; i < s->count; i++) {
		values[i] = value_of(x, s->operand[i]);
		if (values[i] && i == first && ptx_has_address(s->name))
			values[i] = address_of(x, s, values[i], s->shared);
		/* A copy has another one, of GPU memory. */
		if (values[i] && i == first + 1 && !strcmp(s->name, "cp_async"))
			values[i] = address_of(x, s, values[i], false);
		if (!values[i])
			return false;
	}
	return true;
}

/* "ld_v2_u64" is two of "ld_u64", and so are stores. */
static bool access_vector(struct ptx *x, struct ptx_statement *s)
{
	bool load = !strncmp(s->name, "ld_", 3);
	unsigned int n = s->vector[load ? 0 : 1], i;
	char name[sizeof(s->name)], *v = strstr(s->name, "_v"), *letters = strrchr(s->name, '_');
	LLVMTypeRef type = letters ? type_named(x, letters + 1) : NULL, word = LLVMInt64TypeInContext(x->r->context);
	LLVMValueRef values[2], result, address;

	for (; v && (unsigned int)(v[2] - '0') != n; v = strstr(v + 1, "_v"))
		;
	address = v && v[3] == '_' && type && s->count == n + 1 ? value_of(x, s->operand[load ? n : 0]) : NULL;
	address = address ? address_of(x, s, address, s->shared) : NULL;
	if (!address)
		return false;
	snprintf(name, sizeof(name), "__ptx_%.*s%s", (int)(v - s->name), s->name, v + 3);
	for (i = 0; i < n; i++) {
		values[0] = LLVMBuildAdd(x->b, address, LLVMConstInt(word, i * bits_of(x, type) / 8, false), "");
		values[1] = load ? NULL : value_of(x, s->operand[1 + i]);
		result = load || values[1] ? call_library(x, name, values, load ? 1 : 2) : NULL;
		if (!result || (load && !assign(x, s, s->operand[i], result)))
			return false;
	}
	return true;
}

/* "NAME r|p, ...": the register's value is __ptx_NAME()'s, the predicate's that of __ptx_NAME_p(). */
static bool call(struct ptx *x, struct ptx_statement *s)
{
	LLVMValueRef values[PTX_OPERANDS_MAX], own, result, predicate = NULL;
	char name[96], *second;
	unsigned int first;

	snprintf(name, sizeof(name), "__ptx_%s%s", s->name,
		 !strcmp(s->name, "cp_async") && s->count == 4 ? "_zero" : "");
	own = LLVMGetNamedFunction(x->r->library, name);
	if (!own || (*s->guard && !has_no_effect(s->name) && !ptx_has_address(s->name)))
		return false;
	first = LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(own))) != LLVMVoidTypeKind;
	if (s->count < first || !values_of(x, s, first, values))
		return false;
	result = call_library(x, name, values + first, s->count - first);
	if (result && first && !strncmp(s->name, "ld_", 3) && find(x, s->operand[0]))
		result = resize(x, result, find(x, s->operand[0])->type, strstr(s->name, "_s"));
	second = first ? strchr(s->operand[0], '|') : NULL;
	if (second) {
		*second++ = 0;
		strcat(name, "_p");
		predicate = strncmp(s->name, "setp_", 5) ? call_library(x, name, values + 1, s->count - 1) :
			    result ? LLVMBuildNot(x->b, result, "") : NULL;
	}
	return result && (!first || assign(x, s, s->operand[0], result)) &&
	       (!second || (predicate && assign(x, s, second, predicate)));
}

/*
 * The carry lives from one asm() of a function to the next, so it is a variable of that.  Whoever reads
 * it before anything has set it is refused: it would have to come from another function.
 */
static LLVMValueRef carry_variable(struct ptx *x, bool make)
{
	LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInsertBlock(x->b)));
	LLVMValueRef variable = NULL, seen;

	for (seen = LLVMGetFirstInstruction(first); seen && !variable; seen = LLVMGetNextInstruction(seen))
		if (LLVMIsAAllocaInst(seen) && !strcmp(LLVMGetValueName(seen), CARRY))
			variable = seen;
	return variable || !make ? variable : variable_of(x, LLVMInt32TypeInContext(x->r->context), CARRY);
}

/*
 * "addc.cc.u32" is __ptx_carry_add_u32(), whose last argument is the carry, and that of what it gives
 * is the result of __ptx_carry_add_u32_p().
 */
static bool carry(struct ptx *x, struct ptx_statement *s)
{
	LLVMTypeRef type = LLVMInt32TypeInContext(x->r->context);
	bool takes = s->name[3] == 'c', gives = strstr(s->name, "_cc");
	LLVMValueRef variable = carry_variable(x, gives && !takes), values[PTX_OPERANDS_MAX], result;
	LLVMValueRef next = NULL;
	char name[96], *cut;

	snprintf(name, sizeof(name), "__ptx_carry_%.3s%s", s->name, s->name + 3 + takes);
	cut = strstr(name, "_cc");
	if (cut)
		memmove(cut, cut + 3, strlen(cut + 3) + 1);
	if (*s->guard || s->count < 3 || !variable)
		return false;
	for (unsigned int i = 1; i < s->count; i++) {
		values[i - 1] = value_of(x, s->operand[i]);
		if (!values[i - 1])
			return false;
	}
	values[s->count - 1] = takes ? LLVMBuildLoad2(x->b, type, variable, "") :
				       LLVMConstInt(type, 0, false);
	result = call_library(x, name, values, s->count);
	if (gives) {
		strcat(name, "_p");
		next = call_library(x, name, values, s->count);
	}
	if (next)
		LLVMBuildStore(x->b, next, variable);
	return result && (!gives || next) && assign(x, s, s->operand[0], result);
}

static bool execute(struct ptx *x, struct ptx_statement *s)
{
	bool done = true, right;

	if (!strcmp(s->name, "_reg"))
		return !*s->guard && declare(x, s);
	if (!strncmp(s->name, "mov_", 4))
		return move(x, s);
	if (!strncmp(s->name, "cvt_", 4)) {
		right = convert(x, s, &done);
		if (done)
			return right;
	}
	if (s->vector[0] || s->vector[1])
		return (!strncmp(s->name, "ld_", 3) || !strncmp(s->name, "st_", 3)) && access_vector(x, s);
	if (ptx_carries(s->name))
		return carry(x, s);
	return call(x, s);
}

/* ---- asm() ------------------------------------------------------------ */

/* Operands by number: results, then arguments; one whose constraint is a number is that result before, too. */
static bool add_operands(struct ptx *x, LLVMValueRef asm_call, char *constraints, unsigned int *results)
{
	LLVMTypeRef type = LLVMTypeOf(asm_call);
	bool several = LLVMGetTypeKind(type) == LLVMStructTypeKind;
	unsigned int n = 0, argument = 0, tied;
	char name[16], *word, *rest;
	LLVMValueRef value;

	for (word = strtok_r(constraints, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
		if (*word == '~')
			continue;
		snprintf(name, sizeof(name), "$%u", n);
		if (strchr(word, '*'))
			return false;
		if (*word == '=') {
			if (!add(x, name, several ? LLVMStructGetTypeAtIndex(type, n) : type, NULL))
				return false;
			*results = ++n;
			continue;
		}
		value = LLVMGetOperand(asm_call, argument++);
		if (sscanf(word, "%u", &tied) == 1) {
			if (tied >= *results)
				return false;
			value = as_type(x, value, x->registers[tied].type);
			x->registers[tied].value = value;
			if (!value)
				return false;
		}
		if (!add(x, name, LLVMTypeOf(value), value))
			return false;
		n++;
	}
	return true;
}

static LLVMValueRef collect(struct ptx *x, LLVMValueRef asm_call, unsigned int results)
{
	LLVMTypeRef type = LLVMTypeOf(asm_call);
	LLVMValueRef all = LLVMGetUndef(type);

	for (unsigned int i = 0; i < results; i++) {
		LLVMValueRef value = x->registers[i].value;

		if (!value)
			return NULL;
		all = LLVMGetTypeKind(type) == LLVMStructTypeKind ?
			LLVMBuildInsertValue(x->b, all, value, i, "") : value;
	}
	return all;
}

/* What asm() says to change in memory the compiler does not move over it, nor keep from before. */
static void keep_order(struct ptx *x)
{
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(x->r->context), NULL, 0, false);
	char text[] = "", clobbers[] = "~{memory}";
	LLVMValueRef barrier = LLVMGetInlineAsm(type, text, 0, clobbers, strlen(clobbers), true, false,
						LLVMInlineAsmDialectATT, false);

	LLVMBuildCall2(x->b, type, barrier, NULL, 0, "");
}

bool retarget_ptx(struct retarget *r, LLVMValueRef asm_call, char *text, char *constraints)
{
	struct ptx x = { .r = r, .b = LLVMCreateBuilderInContext(r->context) };
	unsigned int results = 0, done = 0;
	struct ptx_statement s;
	LLVMValueRef value;
	bool right, ordered = strstr(constraints, "~{memory}"), blank = !text[strspn(text, " \t\n;")];
	char *rest;

	LLVMPositionBuilderBefore(x.b, asm_call);
	if (ordered)
		keep_order(&x);
	right = add_operands(&x, asm_call, constraints, &results);
	for (text = strtok_r(text, ";", &rest); text && right; text = strtok_r(NULL, ";", &rest)) {
		right = ptx_read(text, &s) && (!*s.name || execute(&x, &s));
		done += !!*s.name;
	}
	if (ordered)
		keep_order(&x);
	value = right && (done || (blank && results)) ? collect(&x, asm_call, results) : NULL;
	if (value && results)
		LLVMReplaceAllUsesWith(asm_call, value);
	if (value)
		LLVMInstructionEraseFromParent(asm_call);
	LLVMDisposeBuilder(x.b);
	return value;
}
