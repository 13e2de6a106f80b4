// SPDX-License-Identifier: GPL-2.0
/*
 * Modules: what the compiler registers before main(), and what becomes of it on a GPU.  Writable
 * variables are linked where no memory is; a module that is loaded gets device memory for them, and
 * words of the image that point there are moved along.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

#define MODULE_MAGIC	0x466243b1	/* of clang's wrapper of an image */

/**
 * struct rt_variable - __device__, __constant__ or __managed__
 * @next: list
 * @host: what the program calls it
 * @module: where it is
 * @name: mangled
 * @bytes: its size
 */
struct rt_variable {
	struct rt_variable *next;
	const void *host;
	struct rt_module *module;
	const char *name;
	size_t bytes;
};

/**
 * struct rt_loaded - a module on a GPU
 * @loaded: it is there
 * @image: handle
 * @variables: where they are
 */
struct rt_loaded {
	bool loaded;
	uint32_t image;
	void *variables;
};

/**
 * struct rt_module - an image that is part of the program
 * @next: list, oldest first
 * @data: ELF file
 * @bytes: its size
 * @elf: the same, for libelf
 * @facts: what is known of it
 * @on: by device
 */
struct rt_module {
	struct rt_module *next;
	const void *data;
	size_t bytes;
	Elf *elf;
	struct rt_image facts;
	struct rt_loaded on[UVM_GPU_MAX];
};

/* What clang makes for an image. */
struct module_wrapper {
	uint32_t magic;
	uint32_t version;
	const void *data;
	void *unused;
};

static struct rt_module *module_list;
static struct rt_function *module_functions;
static struct rt_variable *module_variables;

/* ---- registration ----------------------------------------------------- */

/* Some words of the image are bounds and addresses that only the linker knows. */
static void module_read_facts(struct rt_module *m)
{
	struct rt_image *f = &m->facts;
	Elf_Scn *section = NULL;
	Elf64_Shdr *h;

	f->stack_bytes = image_value(m->elf, "__softgpu_stack_bytes", 1024);
	f->registers = image_value(m->elf, "__softgpu_registers", 32);
	while ((section = elf_nextscn(m->elf, section))) {
		size_t names;
		const char *name = NULL;

		h = elf64_getshdr(section);
		if (h && !elf_getshdrstrndx(m->elf, &names))
			name = elf_strptr(m->elf, names, h->sh_name);
		if (name && !strcmp(name, ".shared"))
			f->shared_bytes = h->sh_size;
		if (name && !strcmp(name, ".rodata"))
			f->constant_bytes = h->sh_size;
	}
}

/* @data: NULL if it is no image of ours.  NULL: no memory; the program goes on, but not with us. */
static struct rt_module *module_new(const void *data)
{
	struct rt_module *m = calloc(1, sizeof(*m)), **link;

	if (!m) {
		rt.incomplete = true;
		return NULL;
	}
	for (link = &module_list; *link; link = &(*link)->next)
		;
	*link = m;
	if (data)
		m->bytes = image_bytes(data);
	if (!m->bytes)
		return m;
	m->data = data;
	elf_version(EV_CURRENT);
	m->elf = elf_memory((char *)m->data, m->bytes);
	if (m->elf)
		module_read_facts(m);
	else
		rt.incomplete = true;
	return m;
}

void **__cudaRegisterFatBinary(void *wrapper);
void **__cudaRegisterFatBinary(void *wrapper)
{
	const struct module_wrapper *w = wrapper;

	return (void **)module_new(w->magic == MODULE_MAGIC ? w->data : NULL);
}

/* For each file of a device link (uvm cc -rdc=true), which all have one image. */
void __cudaRegisterLinkedBinary(void (*registers)(void **handle), const void *image);
void __cudaRegisterLinkedBinary(void (*registers)(void **handle), const void *image)
{
	struct rt_module *m;

	for (m = module_list; m && m->data != image; m = m->next)
		;
	registers((void **)(m ? m : module_new(image)));
}

void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFatBinaryEnd(void **handle)
{
	(void)handle;
}

/* At the end of the program, before what is registered with atexit(): there it is all given back. */
void __cudaUnregisterFatBinary(void **handle);
void __cudaUnregisterFatBinary(void **handle)
{
	(void)handle;
}

/* What the image says of a kernel under "PREFIX$NAME"; false if it is not there. */
static bool module_says(const struct rt_module *m, const char *prefix, const char *name,
			Elf64_Sym *found)
{
	char *symbol = NULL;
	bool there;

	if (!m->elf)
		return false;
	if (asprintf(&symbol, "%s$%s", prefix, name) < 0) {
		rt.incomplete = true;
		return false;
	}
	there = image_symbol(m->elf, symbol, found);
	free(symbol);
	return there;
}

/* The description of a kernel: its entry, how many parameters, and of each size and sort. */
static const uint32_t *module_kernel(const struct rt_module *m, const char *name)
{
	const uint32_t *words = NULL;
	Elf64_Sym found;

	if (module_says(m, "__sgpu_kernel", name, &found))
		words = image_at(m->elf, found.st_value, 2 * sizeof(*words));
	if (words && !image_at(m->elf, found.st_value, (2 + 2UL * words[1]) * sizeof(*words)))
		words = NULL;
	return words;
}

/* A word that the image says of a kernel, or what holds if it does not. */
static uint32_t module_word(const struct rt_module *m, const char *prefix, const char *name,
			    uint32_t otherwise)
{
	const uint32_t *word = NULL;
	Elf64_Sym found;

	if (module_says(m, prefix, name, &found))
		word = image_at(m->elf, found.st_value, sizeof(*word));
	return word ? *word : otherwise;
}

/* Of the C++ library, if the program has it. */
char *__cxa_demangle(const char *name, char *room, size_t *length, int *status)
	__attribute__((weak));

static const char *module_demangled(const char *name)
{
	char *shown = NULL;
	int status = -1;

	if (__cxa_demangle)
		shown = __cxa_demangle(name, NULL, NULL, &status);
	return shown && !status ? shown : name;
}

int __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
			   int threads, void *tid, void *bid, void *block, void *grid, int *warp);
int __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
			   int threads, void *tid, void *bid, void *block, void *grid, int *warp)
{
	struct rt_module *m = (struct rt_module *)handle;
	const uint32_t *words = m ? module_kernel(m, name) : NULL;
	uint32_t count = words ? words[1] : 0;
	struct rt_function *f = m ? calloc(1, sizeof(*f) + count * sizeof(f->params[0])) : NULL;

	if (!f) {
		rt.incomplete = true;
		return 0;
	}
	(void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
	f->host = host;
	f->module = m;
	f->name = name;
	f->shown = module_demangled(name);
	f->param_count = count;
	f->shared_bytes = module_word(m, "__sgpu_shared", name, (uint32_t)m->facts.shared_bytes);
	f->threads = module_word(m, "__sgpu_threads", name, RT_BLOCK_THREADS);
	f->carveout = cudaSharedmemCarveoutDefault;
	if (words) {
		snprintf(f->entry, sizeof(f->entry), "__cuda_entry_%u", words[0]);
		memcpy(f->params, words + 2, count * sizeof(f->params[0]));
	}
	f->next = module_functions;
	module_functions = f;
	return 0;
}

static struct rt_variable *module_add_variable(void **handle, const void *host, const char *name,
					       size_t bytes)
{
	struct rt_variable *v = handle ? calloc(1, sizeof(*v)) : NULL;

	if (!v) {
		rt.incomplete = true;
		return NULL;
	}
	v->host = host;
	v->module = (struct rt_module *)handle;
	v->name = name;
	v->bytes = bytes;
	v->next = module_variables;
	module_variables = v;
	return v;
}

/*
 * __managed__ variables are in a section of the program, which becomes managed memory when the GPUs
 * are opened.  The linker puts what is defined here behind those of the program, on a page of its own.
 */
__attribute__((section("softuvm_managed"), aligned(UVM_PAGE_SIZE), used))
static char module_managed_end[16];
extern char __start_softuvm_managed[];

static bool module_is_managed(const struct rt_variable *v)
{
	return (const char *)v->host >= __start_softuvm_managed &&
	       (const char *)v->host < module_managed_end;
}

/* The compiler gives the value to the variable of the GPU; here it is the program's, too. */
static void module_initialize(const struct rt_variable *v)
{
	const void *value = NULL;
	Elf64_Sym s;

	if (v->module->elf && image_symbol(v->module->elf, v->name, &s))
		value = image_at(v->module->elf, s.st_value, v->bytes);
	if (value)
		memcpy((void *)v->host, value, v->bytes);
}

cudaError_t rt_manage_variables(void)
{
	size_t bytes = module_managed_end - __start_softuvm_managed;

	if (!bytes)
		return cudaSuccess;
	if (uvm_manage(rt.u, __start_softuvm_managed, bytes, "__managed__")) {
		rt_complain("__managed__ variables");
		return cudaErrorMemoryAllocation;
	}
	return rt_remember(__start_softuvm_managed, bytes, RT_MANAGED, cudaMemAttachGlobal);
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
		       size_t bytes, int constant, int global);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
		       size_t bytes, int constant, int global)
{
	struct rt_variable *v = module_add_variable(handle, host, name, bytes);

	(void)device, (void)external, (void)constant, (void)global;
	if (v && module_is_managed(v))
		module_initialize(v);
}

/* A texture reference is a word of the GPU's memory (texture.c). */
void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
			   int type, int normalized, int external);
void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
			   int type, int normalized, int external)
{
	(void)device, (void)type, (void)normalized, (void)external;
	module_add_variable(handle, (char *)host, name, sizeof(uint64_t));
}

/* ---- variables -------------------------------------------------------- */

static uint64_t module_globals(const struct rt_module *m, uint64_t *bytes)
{
	uint64_t start = image_value(m->elf, "__sgpu_globals_start", 0);

	*bytes = image_value(m->elf, "__sgpu_globals_end", start) - start;
	return start;
}

/**
 * struct module_move - a module on its way to a GPU
 * @module: the module
 * @data: a copy of its image
 * @elf: the same, for libelf
 * @from: where variables are linked
 * @bytes: of them
 * @to: where they are
 */
struct module_move {
	struct rt_module *module;
	void *data;
	Elf *elf;
	uint64_t from;
	uint64_t bytes;
	uint64_t to;
};

/* Where an address in the image's variables is on the GPU. */
static uint64_t module_moved(const struct module_move *move, uint64_t address)
{
	struct rt_variable *v;
	Elf64_Sym s;

	for (v = module_variables; v; v = v->next)
		if (v->module == move->module && module_is_managed(v) &&
		    image_symbol(move->elf, v->name, &s) && address >= s.st_value &&
		    address - s.st_value < v->bytes)
			return (uintptr_t)v->host + (address - s.st_value);
	return address - move->from + move->to;
}

static void module_move_word(const struct module_move *move, uint64_t at)
{
	uint64_t *word = image_at(move->elf, at, sizeof(*word));

	if (word && *word >= move->from && *word <= move->from + move->bytes)
		*word = module_moved(move, *word);
}

/* Words of the table, and those that the list names. */
static void module_move_words(const struct module_move *move)
{
	uint64_t got = image_value(move->elf, "__sgpu_got_start", 0);
	uint64_t got_end = image_value(move->elf, "__sgpu_got_end", got);
	uint64_t list = image_value(move->elf, "__sgpu_relocations_start", 0);
	uint64_t list_end = image_value(move->elf, "__sgpu_relocations_end", list);
	uint64_t *address;

	for (; got < got_end; got += sizeof(uint64_t))
		module_move_word(move, got);
	for (; list < list_end; list += sizeof(*address)) {
		address = image_at(move->elf, list, sizeof(*address));
		if (address)
			module_move_word(move, *address);
	}
}

/* What has a value gets it; the rest is zero, also if somebody had that memory before. */
static cudaError_t module_fill(const struct module_move *move, int gpu)
{
	cudaError_t error = rt_fill(gpu, (char *)move->to, 0, move->bytes);
	Elf_Scn *section = NULL;
	int err = 0;

	while (!error && !err && (section = elf_nextscn(move->elf, section))) {
		Elf64_Shdr *h = elf64_getshdr(section);
		void *data;

		if (!h || h->sh_type != SHT_PROGBITS || !h->sh_size || h->sh_addr < move->from ||
		    h->sh_addr - move->from > move->bytes ||
		    h->sh_size > move->bytes - (h->sh_addr - move->from))
			continue;
		data = image_at(move->elf, h->sh_addr, h->sh_size);
		if (data)
			err = uvm_memcpy(rt.u, gpu, (char *)move->to + (h->sh_addr - move->from), data,
					 h->sh_size, SOFTGPU_COPY_HTOD);
	}
	return error ? error : rt_error(err);
}

static cudaError_t module_place(struct module_move *move, int device)
{
	struct rt_loaded *on = &move->module->on[device];
	cudaError_t error;

	if (!move->bytes)
		return cudaSuccess;
	error = rt_allocate_own(&on->variables, move->bytes, device);
	if (error)
		return error;
	move->to = (uintptr_t)on->variables;
	module_move_words(move);
	return module_fill(move, rt.devices[device].gpu);
}

static void module_unplace(struct rt_loaded *on)
{
	if (on->variables)
		rt_forget(rt_find(on->variables));
	on->variables = NULL;
}

/* ---- loading ---------------------------------------------------------- */

/* Each GPU has an image of its own: its variables are elsewhere. */
static cudaError_t module_load(struct rt_module *m, int device)
{
	struct module_move move = { .module = m, .data = malloc(m->bytes) };
	struct rt_loaded *on = &m->on[device];
	cudaError_t error = cudaErrorMemoryAllocation;

	if (!move.data)
		return error;
	memcpy(move.data, m->data, m->bytes);
	move.elf = elf_memory(move.data, m->bytes);
	move.from = module_globals(m, &move.bytes);
	if (move.elf)
		error = module_place(&move, device);
	if (!error && uvm_load_image(rt.u, rt.devices[device].gpu, move.data, m->bytes,
				     &on->image)) {
		rt_complain("a module");
		error = cudaErrorInvalidKernelImage;
	}
	elf_end(move.elf);
	free(move.data);
	on->loaded = !error;
	if (error)
		module_unplace(on);
	return error;
}

cudaError_t rt_module_load(struct rt_module *m, int device, uint32_t *image)
{
	cudaError_t error = cudaSuccess;

	if (!m->elf)
		return cudaErrorInvalidKernelImage;
	if (!m->on[device].loaded)
		error = module_load(m, device);
	*image = m->on[device].image;
	return error;
}

const struct rt_image *rt_module_image(const struct rt_module *m)
{
	return &m->facts;
}

void rt_modules_forget(void)
{
	struct rt_module *m;

	for (m = module_list; m; m = m->next) {
		for (int i = 0; i < rt.count; i++)
			if (m->on[i].loaded)
				uvm_unload_image(rt.u, rt.devices[i].gpu, m->on[i].image);
		memset(m->on, 0, sizeof(m->on));
	}
}

struct rt_function *rt_function(const void *host)
{
	struct rt_function *f;

	for (f = module_functions; f && f->host != host; f = f->next)
		;
	return f;
}

/* A failure has the name of its kernel, which may be cut off; all images begin at one address. */
bool rt_failed_in(const struct uvm_failure *failure, const char *function)
{
	size_t room = sizeof(failure->entry) - 1;
	struct rt_function *f;
	Elf64_Sym s;

	for (f = module_functions; f; f = f->next)
		if (f->module->elf && !strncmp(f->shown, failure->entry, room) &&
		    image_symbol(f->module->elf, function, &s) &&
		    failure->wait.pc - s.st_value < s.st_size)
			return true;
	return false;
}

cudaError_t rt_symbol(const void *host, void **at, size_t *bytes)
{
	struct rt_variable *v;
	uint64_t from, all;
	cudaError_t error;
	uint32_t image;
	Elf64_Sym s;

	for (v = module_variables; v && v->host != host; v = v->next)
		;
	if (v && module_is_managed(v)) {
		*at = (void *)v->host;
		*bytes = v->bytes;
		return cudaSuccess;
	}
	if (!v || !v->module->elf || !image_symbol(v->module->elf, v->name, &s))
		return cudaErrorInvalidSymbol;
	error = rt_module_load(v->module, rt_current, &image);
	if (error)
		return error;
	from = module_globals(v->module, &all);
	if (s.st_value < from || s.st_value - from >= all)
		return cudaErrorInvalidSymbol;
	*at = (char *)v->module->on[rt_current].variables + (s.st_value - from);
	*bytes = v->bytes;
	return cudaSuccess;
}
