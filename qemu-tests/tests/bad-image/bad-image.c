// SPDX-License-Identifier: GPL-2.0
/*
 * Bad kernel images: words that are no instruction, headers,
 * sections, symbols and relocations that are wrong, truncation at every byte,
 * and random mutations, which are refused or run.
 */
#include "common.h"

static uint8_t *work;		/* a copy of the image to spoil */

static Elf64_Ehdr *header(void)
{
	return (Elf64_Ehdr *)work;
}

/* The code's: constants may come before it. */
static Elf64_Phdr *segment(void)
{
	Elf64_Phdr *p = (Elf64_Phdr *)(work + header()->e_phoff);

	while (!(p->p_flags & PF_X))
		p++;
	return p;
}

static Elf64_Shdr *section(uint32_t type)
{
	Elf64_Shdr *s = (Elf64_Shdr *)(work + header()->e_shoff);

	while (s->sh_type != type || (type == SHT_PROGBITS && !(s->sh_flags & SHF_EXECINSTR)))
		s++;
	return s;
}

static uint32_t *code(unsigned int word)
{
	return (uint32_t *)(work + section(SHT_PROGBITS)->sh_offset) + word;
}

static long load_work(size_t bytes, uint64_t *where)
{
	struct softgpu_load load = {
		.size = sizeof(load), .image = (uintptr_t)work, .image_bytes = bytes,
	};
	struct softgpu_unload unload = { .size = sizeof(unload) };
	long ret = try_ioctl(pair.gpu, SOFTGPU_IOC_LOAD, &load);

	unload.image_id = load.image_id;
	if (!ret)
		must(!try_ioctl(pair.gpu, SOFTGPU_IOC_UNLOAD, &unload));
	if (where)
		*where = load.error_offset;
	return ret;
}

static void restore(void)
{
	memcpy(work, test_image, test_image_bytes());
}

/* A word of code that must be refused, with its address. */
static const struct {
	uint32_t word;
	const char *what;
} words[] = {
	{ 0x00000000, "all zeros" },
	{ 0xffffffff, "all ones" },
	{ 0x00000001, "compressed" },
	{ 0x0000001f, "longer than 32 bits" },
	{ 0x0000000b, "custom-0" },
	{ 0x0000006b, "reserved major opcode" },
	{ 0x00007003, "load of width 7" },
	{ 0x00004023, "store of width 4" },
	{ 0x00002063, "branch 2" },
	{ 0x00001067, "jalr with funct3 1" },
	{ 0x02001013 | 1u << 31, "slli with funct6 32" },
	{ 0x0200101b, "slliw by 32" },
	{ 0x04000033, "add with funct7 2" },
	{ 0x02001033 | 1u << 27, "mulh with a reserved funct7" },
	{ 0x0200103b, "mulhw, which is not there" },
	{ 0x0000102f, "atomic of a half word" },
	{ 0x2800202f, "atomic 5" },
	{ 0x1010202f, "lr.w with rs2" },
	{ 0x00004007, "flq: no quad precision" },
	{ 0x06000053, "fadd.q: no quad precision" },
	{ 0x02001053, "fadd.d with rounding mode 1" },
	{ 0x40000053, "fcvt.s.s" },
	{ 0x00005053, "fadd.s with rounding mode 5" },
	{ 0x20003053, "fsgnj 3" },
	{ 0xc0400053, "fcvt to integer 4" },
	{ 0x30200073, "mret" },
	{ 0x10500073, "wfi" },
	{ 0x00200073, "uret" },
	{ 0x12000073, "sfence.vma" },
	{ 0x00004073, "system 4" },
	{ 0x30001073, "csrrw of mstatus" },
	{ 0x7ffff06f, "jump forward out of the code" },
	{ 0x8000006f, "jump backward out of the code" },
	{ 0x0020006f, "jump into the middle of a word" },
	{ 0x7e000fe3, "branch forward out of the code" },
	{ 0x80000063, "branch backward out of the code" },
	{ 0x00000163, "branch into the middle of a word" },
};

static void test_words(void)
{
	uint64_t where, at;

	for (unsigned int i = 0; i < ARRAY_SIZE(words); i++) {
		restore();
		*code(3) = words[i].word;
		at = segment()->p_vaddr + 12;
		is(load_work(test_image_bytes(), &where), -ENOEXEC, "image: %08x: %s",
		   words[i].word, words[i].what);
		ok(where == at, "image: %08x: its address is told", words[i].word);
	}
}

/* One field spoiled at a time. */
enum spoil {
	MAGIC, CLASS, ENDIAN, TYPE_REL, MACHINE, FLAGS_C, FLAGS_QUAD, PHENT, NO_PH, PH_FAR,
	PH_ODD, NO_SH, SH_FAR, SHENT, WRITABLE, LOW, HIGH, FILE_FAR, FILE_MEM, MEM_HUGE, MEM_WRAP,
	DYNAMIC, INTERP, TLS, RELOCATIONS, REL, CODE_FAR, CODE_ODD, CODE_NOWHERE, CODE_NOBITS,
	SYM_FAR, SYM_ENT, STR_LINK, STR_OPEN, NOT_EXECUTABLE, SPOILS
};

static const char * const spoil_names[] = {
	[MAGIC] = "bad magic", [CLASS] = "32 bits", [ENDIAN] = "big endian",
	[TYPE_REL] = "an object file", [MACHINE] = "x86-64", [FLAGS_C] = "compressed code",
	[FLAGS_QUAD] = "the quad ABI", [PHENT] = "odd program headers",
	[NO_PH] = "no program header", [PH_FAR] = "program headers behind the end",
	[PH_ODD] = "misaligned program headers", [NO_SH] = "no section header",
	[SH_FAR] = "section headers behind the end", [SHENT] = "odd section headers",
	[WRITABLE] = "a writable global", [LOW] = "a segment outside the windows",
	[HIGH] = "a segment at the end of the window", [FILE_FAR] = "a segment behind the end",
	[FILE_MEM] = "more in the file than in memory", [MEM_HUGE] = "a segment of 2^40 bytes",
	[MEM_WRAP] = "a segment of 2^64 - 1 bytes", [DYNAMIC] = "dynamic linking",
	[INTERP] = "an interpreter", [TLS] = "thread-local storage",
	[RELOCATIONS] = "relocations with addend", [REL] = "relocations",
	[CODE_FAR] = "code longer than its segment", [CODE_ODD] = "half an instruction",
	[CODE_NOWHERE] = "code outside all segments", [CODE_NOBITS] = "code without bytes",
	[SYM_FAR] = "symbols behind the end", [SYM_ENT] = "odd symbols",
	[STR_LINK] = "symbols without names", [STR_OPEN] = "names without end",
	[NOT_EXECUTABLE] = "code in a segment that is not executable",
};

static void spoil(enum spoil what)
{
	Elf64_Ehdr *h = header();
	Elf64_Phdr *p = segment();
	Elf64_Shdr *text = section(SHT_PROGBITS), *sym = section(SHT_SYMTAB);
	Elf64_Shdr *str = (Elf64_Shdr *)(work + h->e_shoff) + sym->sh_link;

	switch (what) {
	case MAGIC: h->e_ident[0] = 0; break;
	case CLASS: h->e_ident[EI_CLASS] = ELFCLASS32; break;
	case ENDIAN: h->e_ident[EI_DATA] = ELFDATA2MSB; break;
	case TYPE_REL: h->e_type = ET_REL; break;
	case MACHINE: h->e_machine = EM_X86_64; break;
	case FLAGS_C: h->e_flags |= 1; break;
	case FLAGS_QUAD: h->e_flags |= 6; break;
	case PHENT: h->e_phentsize = 55; break;
	case NO_PH: h->e_phnum = 0; break;
	case PH_FAR: h->e_phoff = test_image_bytes() - 8; break;
	case PH_ODD: h->e_phoff++; break;
	case NO_SH: h->e_shnum = 0; break;
	case SH_FAR: h->e_shoff = UINT64_MAX - 7; break;
	case SHENT: h->e_shentsize = 63; break;
	case WRITABLE: p->p_flags |= PF_W; break;
	case LOW: p->p_vaddr = 0x1000; break;
	case HIGH: p->p_vaddr += 0xffff00; break;
	case FILE_FAR: p->p_offset = test_image_bytes(); break;
	case FILE_MEM: p->p_memsz = p->p_filesz - 1; break;
	case MEM_HUGE: p->p_memsz = 1UL << 40; break;
	case MEM_WRAP: p->p_memsz = UINT64_MAX; break;
	case DYNAMIC: p->p_type = PT_DYNAMIC; break;
	case INTERP: p->p_type = PT_INTERP; break;
	case TLS: p->p_type = PT_TLS; break;
	case RELOCATIONS: str->sh_type = SHT_RELA; break;
	case REL: section(SHT_STRTAB)->sh_type = SHT_REL; break;
	case CODE_FAR: text->sh_size += 4096; break;
	case CODE_ODD: text->sh_size -= 2; break;
	case CODE_NOWHERE: text->sh_addr += 1UL << 40; break;
	case CODE_NOBITS: text->sh_type = SHT_NOBITS; break;
	case SYM_FAR: sym->sh_offset = UINT64_MAX - 7; break;
	case SYM_ENT: sym->sh_entsize = 23; break;
	case STR_LINK: sym->sh_link = 0xffff; break;
	case STR_OPEN: work[str->sh_offset + str->sh_size - 1] = 'x'; break;
	case NOT_EXECUTABLE: p->p_flags &= ~PF_X; break;
	case SPOILS: break;
	}
}

static void test_spoils(void)
{
	struct softgpu_load load = { .size = sizeof(load) };

	for (enum spoil s = 0; s < SPOILS; s++) {
		restore();
		spoil(s);
		is(load_work(test_image_bytes(), NULL), -ENOEXEC, "image: %s", spoil_names[s]);
	}
	is(try_ioctl(pair.gpu, SOFTGPU_IOC_LOAD, &load), -EINVAL, "image: no bytes");
	load.image_bytes = 64;
	is(try_ioctl(pair.gpu, SOFTGPU_IOC_LOAD, &load), -EFAULT, "image: bad pointer");
	load.image = (uintptr_t)work;
	load.image_bytes = (16UL << 20) + 1;
	is(try_ioctl(pair.gpu, SOFTGPU_IOC_LOAD, &load), -EINVAL, "image: more than 16 MB");
	load.image_bytes = UINT64_MAX;
	is(try_ioctl(pair.gpu, SOFTGPU_IOC_LOAD, &load), -EINVAL, "image: 2^64 - 1 bytes");
}

static void test_truncation(void)
{
	size_t bytes, bad = 0, step = few ? 7 : 1;

	restore();
	for (bytes = 1; bytes < test_image_bytes(); bytes += step)
		bad += load_work(bytes, NULL) != -ENOEXEC;
	is(bad, 0, "image: cut off after any byte is ENOEXEC");
	is(load_work(test_image_bytes(), NULL), 0, "image: not cut off is good");
}

static uint64_t random_state = 0x9e3779b97f4a7c15;

static uint64_t random_next(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/*
 * Images that are wrong somewhere at random: refused, or run under a limit.
 * Whatever such a kernel does, the machine lives and the next launch is right.
 */
static void test_mutations(void)
{
	struct test_args args = { .address = (uintptr_t)managed(pair.uvm, BLOCK), .count = 64,
				  .stride = PAGE, .value = 3 };
	unsigned int i, n, loaded = 0, refused = 0, odd = 0, done = 0, failed = 0;
	struct softgpu_unload unload = { .size = sizeof(unload) };
	struct pair mutant = pair;
	struct softgpu_wait w;
	uint64_t id;

	for (i = 0; i < (few ? 200 : 2000); i++) {
		restore();
		for (n = 1 + random_next() % 4; n; n--) {
			size_t at = random_next() % test_image_bytes();

			/* mostly where it matters: code and headers */
			if (random_next() % 4)
				at = random_next() % 2 ? at % 120 :
				     section(SHT_PROGBITS)->sh_offset +
				     at % section(SHT_PROGBITS)->sh_size;
			work[at] ^= 1 << random_next() % 8;
			/* a header that is gone is looked for no more */
			if (memcmp(header(), test_image, sizeof(Elf64_Ehdr)))
				break;
		}
		long ret = image_load(pair.gpu, work, test_image_bytes(), &mutant.image);

		if (ret) {
			refused++;
			odd += ret != -ENOEXEC;
			continue;
		}
		loaded++;
		ret = launch_shape(&mutant, i & 1 ? "t_fill" : "t_check", 2, 48, 5000, &args, &id);
		if (ret) {
			odd += ret != -ENOENT && ret != -EINVAL;
		} else {
			odd += launch_wait(pair.gpu, id, 0, &w) != 0;
			done += w.state == SOFTGPU_LAUNCH_DONE;
			failed += w.state == SOFTGPU_LAUNCH_FAILED;
			odd += w.state == SOFTGPU_LAUNCH_FAILED && !w.error;
			odd += w.reason == SOFTGPU_FAIL_HANG;
		}
		unload.image_id = mutant.image;
		must(!try_ioctl(pair.gpu, SOFTGPU_IOC_UNLOAD, &unload));
	}
	note("%u mutants: %u refused, %u loaded, of which %u ran, %u failed", i, refused, loaded,
	     done, failed);
	is(odd, 0, "image: random mutations are refused or run, nothing else");
	ok(refused > i / 20 && failed > 0 && done > 0, "image: mutations of all sorts were met");
	is(gpu_fill(&pair, (void *)args.address, 512, PAGE, 5), 0, "image: a good one runs after");
	is(cpu_wrong((void *)args.address, 512, PAGE, 5, false), 0, "image: and is right");
	munmap((void *)args.address, BLOCK);
}

/* ---- work that a file asks for ---------------------------------------- */

#define MANY_CODE	(11UL << 20)
#define MANY_HEADERS	65000U
#define IMAGE_WINDOW	0x4000000000000000UL

/* 65000 headers of sections, or of segments, each with the same 11 MB of code. */
static long load_many(bool segments)
{
	const uint64_t code = 4096, table = code + MANY_CODE;
	size_t bytes = table + MANY_HEADERS * 64UL;
	unsigned char *file = calloc(1, bytes);
	Elf64_Ehdr *h = (Elf64_Ehdr *)file;
	Elf64_Phdr phdr = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = code,
			    .p_vaddr = IMAGE_WINDOW, .p_filesz = MANY_CODE, .p_memsz = MANY_CODE };
	Elf64_Shdr shdr = { .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			    .sh_addr = IMAGE_WINDOW, .sh_size = MANY_CODE, .sh_offset = code };
	uint32_t id;
	long ret;

	must(file);
	memcpy(h, test_image, sizeof(*h));
	h->e_phoff = segments ? table : sizeof(*h);
	h->e_phnum = segments ? MANY_HEADERS : 1;
	h->e_shoff = segments ? sizeof(*h) : table;
	h->e_shnum = segments ? 1 : MANY_HEADERS;
	for (size_t i = 0; i < MANY_CODE; i += 4)
		*(uint32_t *)(file + code + i) = 0x13;
	for (unsigned int i = 0; i < h->e_phnum; i++)
		((Elf64_Phdr *)(file + h->e_phoff))[i] = phdr;
	for (unsigned int i = 0; i < h->e_shnum; i++)
		((Elf64_Shdr *)(file + h->e_shoff))[i] = shdr;
	ret = image_load(pair.gpu, file, bytes, &id);
	free(file);
	return ret;
}

/* Loading takes no longer than the file is long. */
static void test_much(void)
{
	for (int segments = 0; segments < 2; segments++) {
		const char *what = segments ? "segments" : "sections";
		struct timespec from, to;

		clock_gettime(CLOCK_MONOTONIC, &from);
		is(load_many(segments), -ENOEXEC, "image: 65000 %s of the same code", what);
		clock_gettime(CLOCK_MONOTONIC, &to);
		ok(to.tv_sec - from.tv_sec < 30, "image: %s: refused in %ld s", what,
		   to.tv_sec - from.tv_sec);
	}
}

static const struct test_case cases[] = {
	{ "words", test_words }, { "spoils", test_spoils }, { "truncation", test_truncation },
	{ "mutations", test_mutations }, { "much", test_much },
};

int main(int argc, char **argv)
{
	work = malloc(test_image_bytes() + PAGE);
	must(work);
	return run_cases(argc, argv, "bad images", cases, ARRAY_SIZE(cases));
}
