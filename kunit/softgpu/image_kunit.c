// SPDX-License-Identifier: GPL-2.0
/*
 * softgpu image loader: a good image, and one defect at a time.  Writable
 * globals, relocations, bad opcodes and jumps are refused at load with their address.
 */
#include <kunit/test.h>
#include <linux/elf.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/softgpu_kernel_abi.h>
#include "softgpu/isa/image.h"
#include "softgpu/isa/isa.h"

#define IMAGE_CODE	(SGPU_WINDOW_IMAGE + 0x1000)
#define IMAGE_WORDS	8
#define INSN_NOP	0x00000013
#define INSN_RET	0x00008067
#define INSN_JAL_8	0x0080006f

enum { SEC_NULL, SEC_TEXT, SEC_EXTRA, SEC_SYMTAB, SEC_STRTAB, SECTIONS };
enum { SEG_RODATA, SEG_TEXT, SEG_EXTRA, SEGMENTS };
enum { SYM_NULL, SYM_KERNEL, SYM_LOCAL, SYM_OBJECT, SYM_STACK, SYM_REGS, SYMBOLS };

/* An image file; the tests change it before it is loaded. */
struct image_file {
	struct elf64_hdr hdr;
	struct elf64_phdr seg[SEGMENTS];
	struct elf64_shdr sec[SECTIONS];
	struct elf64_sym sym[SYMBOLS];
	u64 rodata[4];
	u32 code[IMAGE_WORDS];
	char extra[64];
	char strings[128];
};

#define OFF(member)	offsetof(struct image_file, member)
#define SEC_OFF(i)	(OFF(sec) + (i) * sizeof(struct elf64_shdr))

static u32 image_string(struct image_file *f, const char *name)
{
	u32 at = 1;

	while (f->strings[at])
		at += strlen(f->strings + at) + 1;
	strscpy(f->strings + at, name, sizeof(f->strings) - at);
	return at;
}

static void image_headers(struct image_file *f)
{
	memcpy(f->hdr.e_ident, ELFMAG, SELFMAG);
	f->hdr.e_ident[EI_CLASS] = ELFCLASS64;
	f->hdr.e_ident[EI_DATA] = ELFDATA2LSB;
	f->hdr.e_ident[EI_VERSION] = EV_CURRENT;
	f->hdr.e_type = ET_EXEC;
	f->hdr.e_machine = 243;
	f->hdr.e_version = EV_CURRENT;
	f->hdr.e_flags = 2;
	f->hdr.e_ehsize = sizeof(f->hdr);
	f->hdr.e_phoff = OFF(seg);
	f->hdr.e_phentsize = sizeof(struct elf64_phdr);
	f->hdr.e_phnum = SEGMENTS;
	f->hdr.e_shoff = OFF(sec);
	f->hdr.e_shentsize = sizeof(struct elf64_shdr);
	f->hdr.e_shnum = SECTIONS;
	f->seg[SEG_RODATA] = (struct elf64_phdr) { .p_type = PT_LOAD, .p_flags = PF_R,
		.p_offset = OFF(rodata), .p_vaddr = SGPU_WINDOW_IMAGE,
		.p_filesz = sizeof(f->rodata), .p_memsz = sizeof(f->rodata) };
	f->seg[SEG_TEXT] = (struct elf64_phdr) { .p_type = PT_LOAD, .p_flags = PF_R | PF_X,
		.p_offset = OFF(code), .p_vaddr = IMAGE_CODE,
		.p_filesz = sizeof(f->code), .p_memsz = sizeof(f->code) };
	f->seg[SEG_EXTRA] = (struct elf64_phdr) { .p_type = PT_NULL };
}

static void image_contents(struct image_file *f)
{
	u32 i;

	f->sec[SEC_TEXT] = (struct elf64_shdr) { .sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = IMAGE_CODE,
		.sh_offset = OFF(code), .sh_size = sizeof(f->code) };
	f->sec[SEC_SYMTAB] = (struct elf64_shdr) { .sh_type = SHT_SYMTAB, .sh_link = SEC_STRTAB,
		.sh_offset = OFF(sym), .sh_size = sizeof(f->sym),
		.sh_entsize = sizeof(struct elf64_sym) };
	f->sec[SEC_STRTAB] = (struct elf64_shdr) { .sh_type = SHT_STRTAB, .sh_offset = OFF(strings),
		.sh_size = sizeof(f->strings) };
	f->sym[SYM_KERNEL] = (struct elf64_sym) {
		.st_name = image_string(f, "kernel"), .st_shndx = SEC_TEXT,
		.st_info = STB_GLOBAL << 4 | STT_FUNC, .st_value = IMAGE_CODE + 8 };
	f->sym[SYM_LOCAL] = (struct elf64_sym) {
		.st_name = image_string(f, "local"), .st_shndx = SEC_TEXT,
		.st_info = STB_LOCAL << 4 | STT_FUNC, .st_value = IMAGE_CODE };
	f->sym[SYM_OBJECT] = (struct elf64_sym) {
		.st_name = image_string(f, "table"), .st_shndx = SEC_TEXT,
		.st_info = STB_GLOBAL << 4 | STT_OBJECT, .st_value = IMAGE_CODE };
	for (i = 0; i < IMAGE_WORDS; i++)
		f->code[i] = INSN_NOP;
	f->code[0] = INSN_JAL_8;
	f->code[IMAGE_WORDS - 1] = INSN_RET;
	f->rodata[0] = 0x1122334455667788;
}

static void image_symbol(struct image_file *f, u32 i, const char *name, u64 value)
{
	f->sym[i] = (struct elf64_sym) { .st_name = image_string(f, name), .st_shndx = SHN_ABS,
		.st_info = STB_GLOBAL << 4 | STT_NOTYPE, .st_value = value };
}

static struct image_file *image_make(struct kunit *test)
{
	struct image_file *f = kvzalloc(sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	image_headers(f);
	image_contents(f);
	return f;
}

/* Takes @f. */
static struct sgpu_image *image_load_good(struct kunit *test, struct image_file *f)
{
	struct sgpu_image *image = NULL;
	u64 where = 1;
	int ret = sgpu_image_load((u8 *)f, sizeof(*f), &image, &where);

	if (ret)
		kvfree(f);
	KUNIT_ASSERT_EQ(test, 0, ret);
	KUNIT_EXPECT_EQ(test, 0, where);
	return image;
}

static void image_good(struct kunit *test)
{
	struct sgpu_image *image = image_load_good(test, image_make(test));

	KUNIT_EXPECT_EQ(test, IMAGE_CODE, image->code_base);
	KUNIT_EXPECT_EQ(test, IMAGE_WORDS, image->code_count);
	KUNIT_EXPECT_EQ(test, SGPU_OP_JAL, image->code[0].op);
	KUNIT_EXPECT_EQ(test, 2, image->code[0].imm);
	KUNIT_EXPECT_EQ(test, SGPU_OP_JALR, image->code[IMAGE_WORDS - 1].op);
	KUNIT_EXPECT_EQ(test, SGPU_OP_ILLEGAL, image->code[IMAGE_WORDS].op);
	KUNIT_EXPECT_EQ(test, 0x1000 + IMAGE_WORDS * 4, image->mem_bytes);
	KUNIT_EXPECT_EQ(test, 0x1122334455667788ULL, *(u64 *)image->mem);
	KUNIT_EXPECT_EQ(test, INSN_JAL_8, *(u32 *)(image->mem + 0x1000));
	KUNIT_EXPECT_EQ(test, 1024, image->stack_bytes);
	KUNIT_EXPECT_EQ(test, 32, image->registers);
	KUNIT_EXPECT_EQ(test, 0, image->shared_bytes);
	sgpu_image_put(image);
}

/* What must be zero when a CTA starts: the float registers that instructions name. */
static void image_used(struct kunit *test)
{
	struct image_file *f = image_make(test);
	struct sgpu_image *image;

	f->code[1] = 0xf83170c3;	/* fmadd.s f1, f2, f3, f31 */
	image = image_load_good(test, f);
	KUNIT_EXPECT_EQ(test, image->used, BIT(1) | BIT(2) | BIT(3) | BIT(31));
	sgpu_image_put(image);
}

/* One instruction of double precision, and all floats are in registers of 64 bits. */
static void image_doubles(struct kunit *test)
{
	struct image_file *f = image_make(test);
	struct sgpu_image *image;

	f->code[1] = 0x003170d3;	/* fadd.s f1, f2, f3 */
	image = image_load_good(test, f);
	KUNIT_EXPECT_FALSE(test, image->doubles);
	KUNIT_EXPECT_EQ(test, SGPU_CLASS_FLOAT, image->code[1].class);
	sgpu_image_put(image);

	f = image_make(test);
	f->hdr.e_flags = 4;		/* the ABI that passes them in registers */
	f->code[1] = 0x003170d3;
	f->code[3] = 0x00843487;	/* fld f9, 8(x8) */
	f->code[4] = 0xfe042e27;	/* fsw f0, -4(x8) */
	image = image_load_good(test, f);
	KUNIT_EXPECT_TRUE(test, image->doubles);
	KUNIT_EXPECT_EQ(test, SGPU_CLASS_WIDE, image->code[1].class);
	KUNIT_EXPECT_EQ(test, 1, image->code[3].fn);
	KUNIT_EXPECT_EQ(test, 1, image->code[4].fn);
	sgpu_image_put(image);
}

static void image_entries(struct kunit *test)
{
	static const struct {
		const char *name;
		int ret;
	} cases[] = {
		{ "kernel", 0 }, { "local", -ENOENT }, { "table", -ENOENT }, { "nothing", -ENOENT },
		{ "kerne", -ENOENT }, { "kernell", -ENOENT }, { "", -ENOENT },
	};
	struct image_file *f = image_make(test);
	struct sgpu_image *image;
	u32 index, i;

	image = image_load_good(test, f);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		index = ~0U;
		KUNIT_EXPECT_EQ_MSG(test, cases[i].ret,
				    sgpu_image_entry(image, cases[i].name, &index), "%s",
				    cases[i].name);
	}
	KUNIT_EXPECT_EQ(test, 0, sgpu_image_entry(image, "kernel", &index));
	KUNIT_EXPECT_EQ(test, 2, index);
	sgpu_image_put(image);
}

/* A function symbol that is not on an instruction is no entry. */
static void image_entry_places(struct kunit *test)
{
	static const u64 places[] = { IMAGE_CODE + 2, IMAGE_CODE - 4, IMAGE_CODE + IMAGE_WORDS * 4,
				      0, ~0ULL };
	u32 i, index;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		struct image_file *f = image_make(test);
		struct sgpu_image *image;

		f->sym[SYM_KERNEL].st_value = places[i];
		image = image_load_good(test, f);
		KUNIT_EXPECT_EQ(test, -ENOENT, sgpu_image_entry(image, "kernel", &index));
		sgpu_image_put(image);
	}
}

static void image_declared(struct kunit *test)
{
	struct image_file *f = image_make(test);
	struct sgpu_image *image;

	image_symbol(f, SYM_STACK, "__softgpu_stack_bytes", 4096);
	image_symbol(f, SYM_REGS, "__softgpu_registers", 64);
	f->seg[SEG_EXTRA] = (struct elf64_phdr) { .p_type = PT_LOAD, .p_flags = PF_R | PF_W,
		.p_offset = OFF(extra), .p_vaddr = SGPU_WINDOW_SHARED + 8,
		.p_filesz = 64, .p_memsz = 100 };
	image = image_load_good(test, f);
	KUNIT_EXPECT_EQ(test, 4096, image->stack_bytes);
	KUNIT_EXPECT_EQ(test, 64, image->registers);
	KUNIT_EXPECT_EQ(test, 112, image->shared_bytes);
	sgpu_image_put(image);
}

/* A segment without bytes, in memory or in the file, may have any address. */
static void image_empty_segment(struct kunit *test)
{
	static const u64 places[] = { 0, SGPU_WINDOW_IMAGE - 8, SGPU_WINDOW_IMAGE + SGPU_IMAGE_MAX,
				      SGPU_WINDOW_SHARED, ~0ULL };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		struct image_file *f = image_make(test);
		struct sgpu_image *image;

		f->seg[SEG_EXTRA] = (struct elf64_phdr) { .p_type = PT_LOAD, .p_flags = PF_R,
			.p_vaddr = places[i] };
		image = image_load_good(test, f);
		KUNIT_EXPECT_EQ(test, 0x1000 + IMAGE_WORDS * 4, image->mem_bytes);
		sgpu_image_put(image);
	}
}

static void extra_load(struct image_file *f, u32 flags, u64 va)
{
	f->seg[SEG_EXTRA] = (struct elf64_phdr) { .p_type = PT_LOAD, .p_flags = flags,
		.p_offset = OFF(extra), .p_vaddr = va, .p_filesz = 64, .p_memsz = 64 };
}

static void extra_section(struct image_file *f, u32 type, u64 flags, u64 addr, u64 size)
{
	f->sec[SEC_EXTRA] = (struct elf64_shdr) { .sh_type = type, .sh_flags = flags,
		.sh_addr = addr, .sh_offset = OFF(extra), .sh_size = size };
}

/**
 * struct image_bad - one defect
 * @name: what is wrong
 * @where: what error_offset must say
 * @change: puts it in
 */
struct image_bad {
	const char *name;
	u64 where;
	void (*change)(struct image_file *f);
};

#define BAD(fn, text) static void fn(struct image_file *f) { text; }
BAD(bad_magic, f->hdr.e_ident[0] = 0)
BAD(bad_class, f->hdr.e_ident[EI_CLASS] = ELFCLASS32)
BAD(bad_order, f->hdr.e_ident[EI_DATA] = ELFDATA2MSB)
BAD(bad_dyn, f->hdr.e_type = ET_DYN)
BAD(bad_rel_type, f->hdr.e_type = ET_REL)
BAD(bad_machine, f->hdr.e_machine = EM_X86_64)
BAD(bad_rvc, f->hdr.e_flags |= 1)
BAD(bad_quad, f->hdr.e_flags = 6)
BAD(bad_phoff, f->hdr.e_phoff = sizeof(*f))
BAD(bad_phoff_wrap, f->hdr.e_phoff = -8ULL)
BAD(bad_phnum, f->hdr.e_phnum = 0xffff)
BAD(bad_phnone, f->hdr.e_phnum = 0)
BAD(bad_phsize, f->hdr.e_phentsize = 8)
BAD(bad_phalign, f->hdr.e_phoff += 1)
BAD(bad_shoff, f->hdr.e_shoff = sizeof(*f) - 8)
BAD(bad_shnone, f->hdr.e_shnum = 0)
BAD(bad_shnum, f->hdr.e_shnum = 0xff00)
BAD(bad_writable, extra_load(f, PF_R | PF_W, SGPU_WINDOW_IMAGE + 0x2000))
BAD(bad_wx, f->seg[SEG_TEXT].p_flags |= PF_W)
BAD(bad_below, extra_load(f, PF_R, SGPU_WINDOW_IMAGE - 64))
BAD(bad_low, extra_load(f, PF_R, 0x10000))
BAD(bad_high, extra_load(f, PF_R, SGPU_WINDOW_IMAGE + SGPU_IMAGE_MAX - 63))
BAD(bad_args_window, extra_load(f, PF_R, SGPU_WINDOW_ARGS))
BAD(bad_shared_code, extra_load(f, PF_R | PF_W | PF_X, SGPU_WINDOW_SHARED))
BAD(bad_dynamic, f->seg[SEG_EXTRA].p_type = PT_DYNAMIC)
BAD(bad_interp, f->seg[SEG_EXTRA].p_type = PT_INTERP)
BAD(bad_rela, extra_section(f, SHT_RELA, 0, 0, 24))
BAD(bad_rel, extra_section(f, SHT_REL, 0, 0, 16))
BAD(bad_no_code, f->sec[SEC_TEXT].sh_flags = SHF_ALLOC)
BAD(bad_code_align, f->sec[SEC_TEXT].sh_addr += 2)
BAD(bad_code_size, f->sec[SEC_TEXT].sh_size -= 2)
BAD(bad_code_outside, f->sec[SEC_TEXT].sh_size += 4)
BAD(bad_code_wrap, f->sec[SEC_TEXT].sh_size = -4ULL)
BAD(bad_code_rodata, f->sec[SEC_TEXT].sh_addr = SGPU_WINDOW_IMAGE)
BAD(bad_code_nobits, f->sec[SEC_TEXT].sh_type = SHT_NOBITS)
BAD(bad_word, f->code[3] = 0)
BAD(bad_compressed, f->code[5] = 0x00010001)
BAD(bad_jump, f->code[6] = INSN_JAL_8)
BAD(bad_symtab_size, f->sec[SEC_SYMTAB].sh_size = sizeof(*f))
BAD(bad_symtab_entry, f->sec[SEC_SYMTAB].sh_entsize = 16)
BAD(bad_symtab_link, f->sec[SEC_SYMTAB].sh_link = SECTIONS)
BAD(bad_strtab_end, f->strings[sizeof(f->strings) - 1] = 'x')
BAD(bad_strtab_size, f->sec[SEC_STRTAB].sh_size = -1ULL)
BAD(bad_strtab_type, f->sec[SEC_STRTAB].sh_type = SHT_PROGBITS)
BAD(bad_stack_odd, image_symbol(f, SYM_STACK, "__softgpu_stack_bytes", 1000))
BAD(bad_stack_huge, image_symbol(f, SYM_STACK, "__softgpu_stack_bytes", 65552))
BAD(bad_registers, image_symbol(f, SYM_REGS, "__softgpu_registers", 0))
BAD(bad_registers_many, image_symbol(f, SYM_REGS, "__softgpu_registers", 256))

static void bad_file_end(struct image_file *f)
{
	extra_load(f, PF_R, SGPU_WINDOW_IMAGE + 0x2000);
	f->seg[SEG_EXTRA].p_filesz = sizeof(*f);
	f->seg[SEG_EXTRA].p_memsz = sizeof(*f);
}

static void bad_file_wrap(struct image_file *f)
{
	extra_load(f, PF_R, SGPU_WINDOW_IMAGE + 0x2000);
	f->seg[SEG_EXTRA].p_offset = -32ULL;
}

static void bad_memsz(struct image_file *f)
{
	extra_load(f, PF_R, SGPU_WINDOW_IMAGE + 0x2000);
	f->seg[SEG_EXTRA].p_memsz = 63;
}

/* Once taken for empty, and copied all the same: to where the file said. */
static void bad_memsz_none(struct image_file *f)
{
	extra_load(f, PF_R, SGPU_WINDOW_IMAGE + SGPU_IMAGE_MAX);
	f->seg[SEG_EXTRA].p_memsz = 0;
}

static void bad_memsz_none_file(struct image_file *f)
{
	extra_load(f, PF_R, SGPU_WINDOW_IMAGE);
	f->seg[SEG_EXTRA].p_offset = sizeof(*f) - 32;
	f->seg[SEG_EXTRA].p_memsz = 0;
}

static void bad_memsz_huge(struct image_file *f)
{
	extra_load(f, PF_R, SGPU_WINDOW_IMAGE + 0x2000);
	f->seg[SEG_EXTRA].p_memsz = -1ULL;
}

static void bad_shared_value(struct image_file *f)
{
	extra_load(f, PF_R | PF_W, SGPU_WINDOW_SHARED);
	f->extra[63] = 1;
}

/* Each is right by itself, but together they hold more than the file. */
static void bad_segments_overlap(struct image_file *f)
{
	extra_load(f, PF_R, SGPU_WINDOW_IMAGE + 0x2000);
	f->seg[SEG_EXTRA].p_offset = 0;
	f->seg[SEG_EXTRA].p_filesz = sizeof(*f);
	f->seg[SEG_EXTRA].p_memsz = sizeof(*f);
}

/* The same code twice, which is most of the file; the other sections are gone. */
static void bad_code_overlap(struct image_file *f)
{
	f->seg[SEG_TEXT].p_filesz = sizeof(*f);
	f->seg[SEG_TEXT].p_memsz = sizeof(*f);
	f->seg[SEG_TEXT].p_offset = 0;
	f->seg[SEG_RODATA].p_type = PT_NULL;
	memset(f->sec, 0, sizeof(f->sec));
	f->sec[0] = (struct elf64_shdr) { .sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = IMAGE_CODE,
		.sh_size = sizeof(*f) & ~3ULL };
	f->sec[1] = f->sec[0];
	f->hdr.e_shnum = 2;
}

/* Two words of code, 8 MB apart: not a table of two million. */
static void bad_code_wide(struct image_file *f)
{
	extra_load(f, PF_R | PF_X, SGPU_WINDOW_IMAGE + (8 << 20));
	*(u32 *)f->extra = INSN_RET;
	extra_section(f, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
		      SGPU_WINDOW_IMAGE + (8 << 20), 4);
}

#define PHOFF	offsetof(struct elf64_hdr, e_phoff)
#define SHOFF	offsetof(struct elf64_hdr, e_shoff)
#define TYPE	offsetof(struct elf64_hdr, e_type)
#define FLAGS	offsetof(struct elf64_hdr, e_flags)

static const struct image_bad image_bads[] = {
	{ "magic", 0, bad_magic },
	{ "32-bit", EI_CLASS, bad_class },
	{ "big endian", EI_CLASS, bad_order },
	{ "shared object", TYPE, bad_dyn },
	{ "relocatable", TYPE, bad_rel_type },
	{ "other machine", TYPE, bad_machine },
	{ "compressed instructions", FLAGS, bad_rvc },
	{ "quad precision ABI", FLAGS, bad_quad },
	{ "program headers behind the file", PHOFF, bad_phoff },
	{ "program header offset wraps", PHOFF, bad_phoff_wrap },
	{ "too many program headers", PHOFF, bad_phnum },
	{ "no program headers", PHOFF, bad_phnone },
	{ "program header size", PHOFF, bad_phsize },
	{ "program headers unaligned", PHOFF, bad_phalign },
	{ "section headers behind the file", SHOFF, bad_shoff },
	{ "no section headers", SHOFF, bad_shnone },
	{ "too many section headers", SHOFF, bad_shnum },
	{ "writable globals", SGPU_WINDOW_IMAGE + 0x2000, bad_writable },
	{ "writable code", IMAGE_CODE, bad_wx },
	{ "segment below the window", SGPU_WINDOW_IMAGE - 64, bad_below },
	{ "segment at a GPU address", 0x10000, bad_low },
	{ "segment beyond 16 MB", SGPU_WINDOW_IMAGE + SGPU_IMAGE_MAX - 63, bad_high },
	{ "segment in the argument window", SGPU_WINDOW_ARGS, bad_args_window },
	{ "segment beyond the file", SGPU_WINDOW_IMAGE + 0x2000, bad_file_end },
	{ "segment file offset wraps", SGPU_WINDOW_IMAGE + 0x2000, bad_file_wrap },
	{ "segment smaller in memory", SGPU_WINDOW_IMAGE + 0x2000, bad_memsz },
	{ "segment only in the file", SGPU_WINDOW_IMAGE + SGPU_IMAGE_MAX, bad_memsz_none },
	{ "segment only in the file, and beyond", SGPU_WINDOW_IMAGE, bad_memsz_none_file },
	{ "segment size wraps", SGPU_WINDOW_IMAGE + 0x2000, bad_memsz_huge },
	{ "shared variable with a value", SGPU_WINDOW_SHARED, bad_shared_value },
	{ "code in shared memory", SGPU_WINDOW_SHARED, bad_shared_code },
	{ "segments that overlap in the file", SGPU_WINDOW_IMAGE + 0x2000, bad_segments_overlap },
	{ "code sections that overlap", IMAGE_CODE, bad_code_overlap },
	{ "code sections far apart", OFF(sec), bad_code_wide },
	{ "dynamic segment", 0, bad_dynamic },
	{ "interpreter", 0, bad_interp },
	{ "relocations with addend", SEC_OFF(SEC_EXTRA), bad_rela },
	{ "relocations", SEC_OFF(SEC_EXTRA), bad_rel },
	{ "no code", OFF(sec), bad_no_code },
	{ "code unaligned", IMAGE_CODE + 2, bad_code_align },
	{ "code of odd size", IMAGE_CODE, bad_code_size },
	{ "code beyond its segment", IMAGE_CODE, bad_code_outside },
	{ "code size wraps", IMAGE_CODE, bad_code_wrap },
	{ "code in a segment that is not executable", SGPU_WINDOW_IMAGE, bad_code_rodata },
	{ "code without bits", IMAGE_CODE, bad_code_nobits },
	{ "reserved encoding", IMAGE_CODE + 12, bad_word },
	{ "compressed instruction", IMAGE_CODE + 20, bad_compressed },
	{ "jump to behind the code", IMAGE_CODE + 24, bad_jump },
	{ "symbols beyond the file", SEC_OFF(SEC_SYMTAB), bad_symtab_size },
	{ "symbol size", SEC_OFF(SEC_SYMTAB), bad_symtab_entry },
	{ "symbols without strings", SEC_OFF(SEC_SYMTAB), bad_symtab_link },
	{ "strings without end", SEC_OFF(SEC_STRTAB), bad_strtab_end },
	{ "strings beyond the file", SEC_OFF(SEC_STRTAB), bad_strtab_size },
	{ "strings of another type", SEC_OFF(SEC_STRTAB), bad_strtab_type },
	{ "stack not a multiple of 16", OFF(sec), bad_stack_odd },
	{ "stack above 64 KB", OFF(sec), bad_stack_huge },
	{ "no registers", OFF(sec), bad_registers },
	{ "more than 255 registers", OFF(sec), bad_registers_many },
};

static void image_bad_desc(const struct image_bad *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(image_bad, image_bads, image_bad_desc);

static void image_refused(struct kunit *test)
{
	const struct image_bad *c = test->param_value;
	struct image_file *f = image_make(test);
	struct sgpu_image *image;
	u64 where = ~0ULL;
	int ret;

	c->change(f);
	ret = sgpu_image_load((u8 *)f, sizeof(*f), &image, &where);
	KUNIT_EXPECT_EQ(test, -ENOEXEC, ret);
	KUNIT_EXPECT_EQ(test, c->where, where);
	if (ret)
		kvfree(f);
	else
		sgpu_image_put(image);
}

/* Truncated at every length: refused, or not different from the whole. */
static void image_truncated(struct kunit *test)
{
	struct image_file *f = image_make(test);
	struct sgpu_image *image;
	size_t bytes;
	u64 where;
	u8 *copy;

	for (bytes = 0; bytes < sizeof(*f); bytes++) {
		copy = kvmalloc(bytes ?: 1, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, copy);
		memcpy(copy, f, bytes);
		KUNIT_EXPECT_EQ_MSG(test, -ENOEXEC, sgpu_image_load(copy, bytes, &image, &where),
				    "%zu bytes", bytes);
		kvfree(copy);
	}
	kvfree(f);
}

static struct kunit_case image_suite_cases[] = {
	KUNIT_CASE(image_good),
	KUNIT_CASE(image_used),
	KUNIT_CASE(image_doubles),
	KUNIT_CASE(image_entries),
	KUNIT_CASE(image_entry_places),
	KUNIT_CASE(image_declared),
	KUNIT_CASE(image_empty_segment),
	KUNIT_CASE_PARAM(image_refused, image_bad_gen_params),
	KUNIT_CASE(image_truncated),
	{}
};

struct kunit_suite softgpu_image_suite = {
	.name = "softgpu_image",
	.test_cases = image_suite_cases,
};
