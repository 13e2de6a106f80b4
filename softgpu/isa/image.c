// SPDX-License-Identifier: GPL-2.0
/*
 * Image loader.  Everything is checked here, once: the interpreter trusts what
 * an image holds.  Each check has its place in the file as @where.
 *
 * What is done and allocated is bounded by the size of the file, whatever its headers say:
 * together segments, and together code sections, hold no more than it does, and code spans
 * no more, gaps included.  Who is killed meanwhile is gone soon.
 */
#include <kunit/visibility.h>
#include <linux/elf.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <linux/softgpu_kernel_abi.h>
#include "isa/decode.h"
#include "isa/image.h"

#define IMAGE_MACHINE		243		/* EM_RISCV */
#define IMAGE_FLAG_RVC		0x1
#define IMAGE_FLAG_FLOAT	0x6
#define IMAGE_FLAG_FLOAT_QUAD	0x6
#define IMAGE_SEGMENTS_MAX	64		/* linkers make a handful */
#define IMAGE_GFP		(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)
#define IMAGE_STRIDE		4096U		/* instructions between looks at signals */
#define IMAGE_SHARED_MAX	0x8000000	/* of the window; the launch checks the machine's */

static const struct elf64_hdr *image_header(const struct sgpu_image *image)
{
	return (const void *)image->elf;
}

static const struct elf64_phdr *image_segments(const struct sgpu_image *image)
{
	return (const void *)(image->elf + image_header(image)->e_phoff);
}

static const struct elf64_shdr *image_sections(const struct sgpu_image *image)
{
	return (const void *)(image->elf + image_header(image)->e_shoff);
}

/* A table of @count entries at @offset lies inside the file, aligned. */
static bool image_table_ok(const struct sgpu_image *image, u64 offset, u32 count, size_t entry)
{
	return !(offset & 7) && offset <= image->elf_bytes &&
	       (u64)count * entry <= image->elf_bytes - offset;
}

static int image_check_header(const struct sgpu_image *image, u64 *where)
{
	const struct elf64_hdr *h = image_header(image);

	*where = 0;
	if (image->elf_bytes < sizeof(*h) || memcmp(h->e_ident, ELFMAG, SELFMAG))
		return -ENOEXEC;
	*where = EI_CLASS;
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
	    h->e_ident[EI_VERSION] != EV_CURRENT)
		return -ENOEXEC;
	*where = offsetof(struct elf64_hdr, e_type);
	if (h->e_type != ET_EXEC || h->e_machine != IMAGE_MACHINE || h->e_version != EV_CURRENT)
		return -ENOEXEC;
	*where = offsetof(struct elf64_hdr, e_flags);
	if (h->e_flags & IMAGE_FLAG_RVC || (h->e_flags & IMAGE_FLAG_FLOAT) == IMAGE_FLAG_FLOAT_QUAD)
		return -ENOEXEC;
	*where = offsetof(struct elf64_hdr, e_phoff);
	if (h->e_phentsize != sizeof(struct elf64_phdr) || !h->e_phnum ||
	    h->e_phnum > IMAGE_SEGMENTS_MAX ||
	    !image_table_ok(image, h->e_phoff, h->e_phnum, sizeof(struct elf64_phdr)))
		return -ENOEXEC;
	*where = offsetof(struct elf64_hdr, e_shoff);
	if (h->e_shentsize != sizeof(struct elf64_shdr) || !h->e_shnum ||
	    !image_table_ok(image, h->e_shoff, h->e_shnum, sizeof(struct elf64_shdr)))
		return -ENOEXEC;
	return 0;
}

/* Static shared memory: zeros at the start of the shared window. */
static int image_shared_segment(struct sgpu_image *image, const struct elf64_phdr *p)
{
	u64 end = p->p_vaddr - SGPU_WINDOW_SHARED + p->p_memsz;

	if (p->p_flags & PF_X || end > IMAGE_SHARED_MAX)
		return -ENOEXEC;
	if (memchr_inv(image->elf + p->p_offset, 0, p->p_filesz))
		return -ENOEXEC;
	image->shared_bytes = max_t(u32, image->shared_bytes, ALIGN(end, 16));
	return 0;
}

static int image_check_segment(struct sgpu_image *image, const struct elf64_phdr *p)
{
	u64 offset = p->p_vaddr - SGPU_WINDOW_IMAGE;

	if (p->p_type == PT_DYNAMIC || p->p_type == PT_INTERP || p->p_type == PT_TLS)
		return -ENOEXEC;
	if (p->p_type != PT_LOAD)
		return 0;
	if (p->p_offset > image->elf_bytes || p->p_filesz > image->elf_bytes - p->p_offset ||
	    p->p_filesz > p->p_memsz || p->p_memsz > IMAGE_SHARED_MAX)
		return -ENOEXEC;
	/* nothing in memory, and so nothing in the file: it may be anywhere */
	if (!p->p_memsz)
		return 0;
	if (p->p_vaddr >= SGPU_WINDOW_SHARED &&
	    p->p_vaddr - SGPU_WINDOW_SHARED < IMAGE_SHARED_MAX)
		return image_shared_segment(image, p);
	if (p->p_flags & PF_W || offset >= SGPU_IMAGE_MAX ||
	    p->p_memsz > SGPU_IMAGE_MAX - offset)
		return -ENOEXEC;
	image->mem_bytes = max_t(u32, image->mem_bytes, offset + p->p_memsz);
	return 0;
}

static int image_place_segments(struct sgpu_image *image, u64 *where)
{
	const struct elf64_phdr *p = image_segments(image);
	unsigned int i, count = image_header(image)->e_phnum;
	u64 sum = 0;
	int ret;

	for (i = 0; i < count; i++) {
		ret = image_check_segment(image, &p[i]);
		if (!ret && p[i].p_type == PT_LOAD)
			sum += p[i].p_filesz;
		if (ret || sum > image->elf_bytes) {
			*where = p[i].p_vaddr;
			return ret ?: -ENOEXEC;
		}
	}
	*where = image_header(image)->e_phoff;
	if (!image->mem_bytes)
		return -ENOEXEC;
	if (rm_charge(&image->charge, image->mem_bytes))
		return -ENOMEM;
	image->mem = kvzalloc(image->mem_bytes, IMAGE_GFP);
	if (!image->mem)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_filesz && p[i].p_vaddr < SGPU_WINDOW_SHARED)
			memcpy(image->mem + (p[i].p_vaddr - SGPU_WINDOW_IMAGE),
			       image->elf + p[i].p_offset, p[i].p_filesz);
	return 0;
}

static bool image_is_code(const struct elf64_shdr *s)
{
	return s->sh_flags & SHF_ALLOC && s->sh_flags & SHF_EXECINSTR && s->sh_size;
}

/* @s lies inside an executable segment, so its bytes are in the image window. */
static bool image_executable(const struct sgpu_image *image, const struct elf64_shdr *s)
{
	const struct elf64_phdr *p = image_segments(image);
	unsigned int i, count = image_header(image)->e_phnum;

	for (i = 0; i < count; i++, p++)
		if (p->p_type == PT_LOAD && p->p_flags & PF_X && s->sh_addr >= p->p_vaddr &&
		    s->sh_addr - p->p_vaddr <= p->p_filesz &&
		    s->sh_size <= p->p_filesz - (s->sh_addr - p->p_vaddr))
			return true;
	return false;
}

/* One span of code over all executable sections; relocations left are refused. */
static int image_find_code(struct sgpu_image *image, u64 *where)
{
	const struct elf64_shdr *s = image_sections(image);
	unsigned int i, count = image_header(image)->e_shnum;
	u64 first = U64_MAX, end = 0, sum = 0;

	for (i = 0; i < count; i++, s++) {
		*where = image_header(image)->e_shoff + i * sizeof(*s);
		if ((s->sh_type == SHT_RELA || s->sh_type == SHT_REL) && s->sh_size)
			return -ENOEXEC;
		if (!image_is_code(s))
			continue;
		*where = s->sh_addr;
		if (s->sh_type != SHT_PROGBITS || s->sh_addr & 3 || s->sh_size & 3 ||
		    !image_executable(image, s))
			return -ENOEXEC;
		sum += s->sh_size;
		if (sum > image->elf_bytes)
			return -ENOEXEC;
		first = min(first, s->sh_addr);
		end = max(end, s->sh_addr + s->sh_size);
	}
	*where = image_header(image)->e_shoff;
	if (first >= end || end - first > image->elf_bytes)
		return -ENOEXEC;
	image->code_base = first;
	image->code_count = (end - first) / 4;
	return 0;
}

static int image_decode_section(struct sgpu_image *image, const struct elf64_shdr *s, u64 *where)
{
	const u8 *bytes = image->mem + (s->sh_addr - SGPU_WINDOW_IMAGE);
	u32 first = (s->sh_addr - image->code_base) / 4;
	u32 i;

	for (i = 0; i < s->sh_size / 4; i++) {
		if (i % IMAGE_STRIDE == 0) {
			if (fatal_signal_pending(current))
				return -EINTR;
			cond_resched();
		}
		*where = s->sh_addr + (u64)i * 4;
		if (sgpu_decode(get_unaligned_le32(bytes + (size_t)i * 4), *where, first + i,
				image->code_count, &image->code[first + i]))
			return -ENOEXEC;
		image->used |= upper_32_bits(image->code[first + i].need);
		image->doubles |= sgpu_insn_is_double(&image->code[first + i]);
	}
	return 0;
}

/*
 * Single precision in registers of 64 bits is another thing than in those of 32.  So that
 * images without double precision have none of the trouble, the others' instructions say so.
 */
static void image_widen(struct sgpu_image *image)
{
	u32 i;

	for (i = 0; i < image->code_count; i++) {
		struct sgpu_insn *insn = &image->code[i];

		if (insn->class == SGPU_CLASS_FLOAT)
			insn->class = SGPU_CLASS_WIDE;
		else if (insn->op == SGPU_OP_FLOAD || insn->op == SGPU_OP_FSTORE)
			insn->fn = 1;
		if (i % IMAGE_STRIDE == 0)
			cond_resched();
	}
}

static int image_decode(struct sgpu_image *image, u64 *where)
{
	const struct elf64_shdr *s = image_sections(image);
	unsigned int i, count = image_header(image)->e_shnum;
	u32 n;
	int ret;

	if (rm_charge(&image->charge, ((u64)image->code_count + 1) * sizeof(*image->code)))
		return -ENOMEM;
	image->code = kvmalloc_array((size_t)image->code_count + 1, sizeof(*image->code),
				     IMAGE_GFP);
	if (!image->code)
		return -ENOMEM;
	for (n = 0; n <= image->code_count; n++)
		sgpu_decode_illegal(&image->code[n]);
	for (i = 0; i < count; i++, s++) {
		if (!image_is_code(s))
			continue;
		ret = image_decode_section(image, s, where);
		if (ret)
			return ret;
	}
	if (image->doubles)
		image_widen(image);
	return 0;
}

static int image_resources(struct sgpu_image *image, u64 *where)
{
	u64 value;

	image->stack_bytes = SGPU_STACK_DEFAULT;
	image->registers = SGPU_REGISTERS_DEFAULT;
	*where = image_header(image)->e_shoff;
	if (sgpu_image_constant(image, "__softgpu_stack_bytes", &value)) {
		if (value > SGPU_STACK_MAX || value & 15)
			return -ENOEXEC;
		image->stack_bytes = value;
	}
	if (sgpu_image_constant(image, "__softgpu_registers", &value)) {
		if (!value || value > SGPU_REGISTERS_MAX)
			return -ENOEXEC;
		image->registers = value;
	}
	return 0;
}

static void image_free(struct sgpu_image *image)
{
	kvfree(image->code);
	kvfree(image->mem);
	kvfree(image->elf);
	rm_uncharge(&image->charge);
	kfree(image);
}

int sgpu_image_load(u8 *elf, size_t bytes, struct sgpu_image **out, u64 *where)
{
	struct sgpu_image *image;
	int ret;

	image = kzalloc(sizeof(*image), GFP_KERNEL_ACCOUNT);
	if (!image)
		return -ENOMEM;
	kref_init(&image->ref);
	image->elf = elf;
	image->elf_bytes = bytes;
	ret = rm_charge(&image->charge, bytes);
	if (!ret)
		ret = image_check_header(image, where);
	if (!ret)
		ret = image_place_segments(image, where);
	if (!ret)
		ret = image_find_code(image, where);
	if (!ret)
		ret = image_decode(image, where);
	if (!ret)
		ret = sgpu_image_find_symbols(image, where);
	if (!ret)
		ret = image_resources(image, where);
	if (ret) {
		image->elf = NULL;
		image_free(image);
		return ret;
	}
	*where = 0;
	*out = image;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_image_load);

struct sgpu_image *sgpu_image_get(struct sgpu_image *image)
{
	kref_get(&image->ref);
	return image;
}

static void image_release(struct kref *ref)
{
	image_free(container_of(ref, struct sgpu_image, ref));
}

void sgpu_image_put(struct sgpu_image *image)
{
	kref_put(&image->ref, image_release);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_image_put);
