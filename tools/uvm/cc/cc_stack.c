// SPDX-License-Identifier: GPL-2.0
/*
 * How much stack a kernel takes, with all that it calls.
 *
 * Frames are what clang says of each function (-fstack-size-section), calls what the linked code
 * has: "auipc X; jalr ra, X" and "jal ra", or with x0 for ra where a call is the last thing that
 * a function does, whose frame is gone by then.  Calls through pointers are not followed.
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/softgpu_kernel_abi.h>

#include "../../lib/internal.h"
#include "cc/cc_refuse.h"

enum stack_state { STACK_NEW, STACK_OPEN, STACK_DONE };

/**
 * struct stack_function - a function of the image
 * @name: its symbol
 * @start: first address
 * @bytes: of code
 * @frame: bytes of stack of its own
 * @known: @frame is; it is not if the source chooses it when it runs
 * @deep: with what it calls, from @state STACK_DONE on
 * @above: calls on the walk's way to it whose caller's frame stays
 * @next: whose frames come below its own; NULL if there is none
 * @tail: @next has its frame in place of this one's
 * @state: of the walk
 */
struct stack_function {
	const char *name;
	uint64_t start, bytes, frame, deep, above;
	const struct stack_function *next;
	bool known, tail;
	enum stack_state state;
};

/**
 * struct stack_image - what is read from an image
 * @elf: the file
 * @list: its functions, in the order of symbols
 * @count: how many
 * @have: stack of a thread
 * @warned: what is not known has been said
 * @silent: do not say it
 */
struct stack_image {
	Elf *elf;
	struct stack_function *list;
	size_t count;
	uint64_t have;
	bool warned, silent;
};

static struct stack_function *stack_find(struct stack_image *image, uint64_t start)
{
	for (size_t i = 0; i < image->count; i++)
		if (image->list[i].start == start)
			return &image->list[i];
	return NULL;
}

static bool stack_read_symbols(struct stack_image *image, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t i, count = header->sh_size / header->sh_entsize;
	GElf_Sym symbol;

	image->list = calloc(count, sizeof(*image->list));
	for (i = 0; image->list && i < count && gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(image->elf, header->sh_link, symbol.st_name);

		if (name && !strcmp(name, "__softgpu_stack_bytes"))
			image->have = symbol.st_value;
		if (name && GELF_ST_TYPE(symbol.st_info) == STT_FUNC)
			image->list[image->count++] = (struct stack_function){
				.name = name, .start = symbol.st_value, .bytes = symbol.st_size,
			};
	}
	return image->list;
}

/* Entries of an address and a LEB128 number. */
static void stack_read_frames(struct stack_image *image, const uint8_t *p, const uint8_t *end)
{
	while (p + sizeof(uint64_t) < end) {
		struct stack_function *f;
		unsigned int shift = 0;
		uint64_t start, frame = 0;

		memcpy(&start, p, sizeof(start));
		p += sizeof(start);
		do
			frame |= (uint64_t)(*p & 0x7f) << shift;
		while (shift += 7, p < end && *p++ & 0x80);
		f = stack_find(image, start);
		if (f) {
			f->frame = frame;
			f->known = true;
		}
	}
}

/* The section of a type, by name too if @name; NULL if there is none. */
static Elf_Scn *stack_section(const struct stack_image *image, uint32_t type, const char *name,
			      GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(image->elf, &names))
		return NULL;
	while ((section = elf_nextscn(image->elf, section)) && gelf_getshdr(section, header)) {
		const char *its = elf_strptr(image->elf, names, header->sh_name);

		if (header->sh_type == type && (!name || (its && !strcmp(its, name))))
			return section;
	}
	return NULL;
}

/* Instructions at an address, up to the end of their section; NULL if there are none. */
static const uint32_t *stack_code(const struct stack_image *image, uint64_t start, uint64_t bytes)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf_Data *data;

	while ((section = elf_nextscn(image->elf, section)) && gelf_getshdr(section, &header)) {
		if (!(header.sh_flags & SHF_EXECINSTR) || start < header.sh_addr ||
		    start + bytes > header.sh_addr + header.sh_size)
			continue;
		data = elf_getdata(section, NULL);
		return data ? (const uint32_t *)((char *)data->d_buf + start - header.sh_addr) : NULL;
	}
	return NULL;
}

#define INSN_OPCODE(i)	((i) & 0x7f)
#define INSN_RD(i)	((i) >> 7 & 31)
#define INSN_RS1(i)	((i) >> 15 & 31)
#define REGISTER_RA	1	/* a jump there returns */
#define OPCODE_AUIPC	0x17
#define OPCODE_JALR	0x67
#define OPCODE_JAL	0x6f

static int64_t insn_jal_offset(uint32_t i)
{
	uint32_t v = (i >> 31 & 1) << 20 | (i >> 12 & 0xff) << 12 | (i >> 20 & 1) << 11 |
		     (i >> 21 & 0x3ff) << 1;

	return (int32_t)(v << 11) >> 11;
}

/* Where instruction @at of @code at @pc goes, 0 if to no place that it names. */
static uint64_t insn_target(const uint32_t *code, uint64_t at, uint64_t pc)
{
	uint32_t i = code[at], before = at ? code[at - 1] : 0;

	if (INSN_OPCODE(i) == OPCODE_JAL)
		return pc + insn_jal_offset(i);
	if (INSN_OPCODE(i) == OPCODE_JALR && INSN_OPCODE(before) == OPCODE_AUIPC &&
	    INSN_RD(before) == INSN_RS1(i))
		return pc - 4 + (int32_t)(before & 0xfffff000) + ((int32_t)i >> 20);
	return 0;
}

static void stack_warn(struct stack_image *image, const struct stack_function *f, const char *why)
{
	if (!image->warned && !image->silent)
		fprintf(stderr, "uvm cc: warning: '%s' %s: what that takes of the stack is not "
			"checked\n", f->name, why);
	image->warned = true;
}

static void stack_walk(struct stack_image *image, struct stack_function *f);

static void stack_follow(struct stack_image *image, struct stack_function *f,
			 struct stack_function *callee, bool tail)
{
	uint64_t deep;

	/* Round in a circle of last calls no frame stays. */
	if (callee->state == STACK_OPEN && (!tail || f->above != callee->above))
		stack_warn(image, callee, "calls itself");
	if (callee->state == STACK_OPEN)
		return;
	if (callee->state == STACK_NEW)
		callee->above = f->above + !tail;
	stack_walk(image, callee);
	deep = callee->deep + (tail ? 0 : f->frame);
	if (deep <= f->deep)
		return;
	f->deep = deep;
	f->next = callee;
	f->tail = tail;
}

static void stack_walk(struct stack_image *image, struct stack_function *f)
{
	const uint32_t *code = stack_code(image, f->start, f->bytes);
	uint64_t i, count = code ? f->bytes / sizeof(*code) : 0;

	if (f->state == STACK_DONE)
		return;
	f->state = STACK_OPEN;
	f->deep = f->frame;
	if (!f->known)
		stack_warn(image, f, "chooses the size of an array when it runs");
	for (i = 0; i < count; i++) {
		uint64_t target = insn_target(code, i, f->start + i * sizeof(*code));
		struct stack_function *callee = target ? stack_find(image, target) : NULL;
		bool jalr = INSN_OPCODE(code[i]) == OPCODE_JALR;

		if (!target && jalr && (INSN_RD(code[i]) || INSN_RS1(code[i]) != REGISTER_RA))
			stack_warn(image, f, "calls through a pointer");
		if (callee && (callee != f || INSN_RD(code[i])))
			stack_follow(image, f, callee, !INSN_RD(code[i]));
	}
	f->state = STACK_DONE;
}

/* Frames from the kernel on, a function each, and where bodies begin: "k 64, f 700 at k.c:3". */
static void stack_say_chain(const struct stack_image *image, const struct stack_function *kernel)
{
	const struct stack_function *f;
	const char *separator = " (";
	char place[256];
	size_t bytes = 0;
	const void *file = elf_rawfile(image->elf, &bytes);

	for (f = kernel; f; f = f->next) {
		if (f->next && f->tail)
			continue;
		fprintf(stderr, "%s%s %lu", separator, f->name, (unsigned long)f->frame);
		separator = ", ";
		if (f != kernel && uvm_source_line(file, bytes, f->start, place, sizeof(place)) &&
		    strchr(place, ':'))
			fprintf(stderr, " at %.*s", (int)strcspn(place, " "), place);
	}
	fprintf(stderr, ")");
}

static void stack_refuse(const struct stack_image *image, const struct stack_function *f,
			 const struct cc_definition *kernel)
{
	fprintf(stderr, "%s:%d: error: '%s' takes %lu bytes of stack", kernel->file, kernel->line,
		f->name, (unsigned long)f->deep);
	if (f->next)
		stack_say_chain(image, f);
	fprintf(stderr, ", and threads have %lu; ", (unsigned long)image->have);
	if (f->deep <= SGPU_STACK_MAX)
		fprintf(stderr, "SGPU_STACK_BYTES(%lu) at file scope gives more\n",
			(unsigned long)(f->deep + 15) / 16 * 16);
	else
		fprintf(stderr, "there can be %d: use GPU memory\n", SGPU_STACK_MAX);
}

static bool stack_check(struct stack_image *image, const struct cc_source *source)
{
	bool good = true;

	for (size_t i = 0; i < image->count; i++) {
		struct stack_function *f = &image->list[i];

		for (int d = 0; d < source->count; d++) {
			if (!cc_is_kernel(&source->list[d]) || strcmp(source->list[d].name, f->name))
				continue;
			stack_walk(image, f);
			if (f->deep <= image->have)
				continue;
			stack_refuse(image, f, &source->list[d]);
			good = false;
		}
	}
	return good;
}

static bool stack_open(struct stack_image *image, const char *path, int *fd)
{
	Elf_Scn *symbols, *frames;
	GElf_Shdr header;
	Elf_Data *data;

	*fd = open(path, O_RDONLY | O_CLOEXEC);
	elf_version(EV_CURRENT);
	image->elf = *fd < 0 ? NULL : elf_begin(*fd, ELF_C_READ, NULL);
	symbols = image->elf ? stack_section(image, SHT_SYMTAB, NULL, &header) : NULL;
	if (!symbols || !stack_read_symbols(image, symbols, &header))
		return false;
	frames = stack_section(image, SHT_PROGBITS, ".stack_sizes", &header);
	data = frames ? elf_getdata(frames, NULL) : NULL;
	if (data)
		stack_read_frames(image, data->d_buf, (uint8_t *)data->d_buf + data->d_size);
	return true;
}

static void stack_close(struct stack_image *image, int fd)
{
	free(image->list);
	elf_end(image->elf);
	if (fd >= 0)
		close(fd);
}

bool cc_check_stack(const char *path, const struct cc_source *source)
{
	struct stack_image image = { .have = SGPU_STACK_DEFAULT };
	int fd;
	bool good = !stack_open(&image, path, &fd) || stack_check(&image, source);

	stack_close(&image, fd);
	return good;
}

/* The kernel's line stands for it: entries have numbers. */
static bool stack_too_deep(const struct stack_image *image, const struct stack_function *f)
{
	char place[256] = "?";
	size_t bytes = 0;
	const void *file = elf_rawfile(image->elf, &bytes);

	if (f->deep <= SGPU_STACK_MAX)
		return false;
	uvm_source_line(file, bytes, f->start, place, sizeof(place));
	fprintf(stderr, "%.*s: error: this kernel takes %lu bytes of stack",
		(int)strcspn(place, " "), place, (unsigned long)f->deep);
	if (f->next)
		stack_say_chain(image, f);
	fprintf(stderr, ", and a thread can have %d\n", SGPU_STACK_MAX);
	return true;
}

bool cc_image_stack(const char *path, uint64_t *bytes)
{
	struct stack_image image = { .silent = true };
	uint64_t deepest = 0;
	bool good = true;
	int fd;

	if (!stack_open(&image, path, &fd)) {
		fprintf(stderr, "uvm cc: no memory to read %s\n", path);
		stack_close(&image, fd);
		return false;
	}
	for (size_t i = 0; i < image.count; i++) {
		struct stack_function *f = &image.list[i];

		if (strncmp(f->name, "__cuda_entry_", 13))
			continue;
		stack_walk(&image, f);
		good &= !stack_too_deep(&image, f);
		if (f->deep > deepest)
			deepest = f->deep;
	}
	if (image.warned)
		deepest += SGPU_STACK_DEFAULT;
	if (deepest > SGPU_STACK_MAX)
		deepest = SGPU_STACK_MAX;
	*bytes = deepest > SGPU_STACK_DEFAULT ? (deepest + 15) / 16 * 16 : SGPU_STACK_DEFAULT;
	stack_close(&image, fd);
	return good;
}
