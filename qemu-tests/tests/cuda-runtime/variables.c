// SPDX-License-Identifier: GPL-2.0
/* Variables of the device: as they were linked, written, read, and pointers to them. */
#include <elf.h>

#include "cuda_test.h"

static void test_linked(int64_t first)
{
	int64_t *out;

	cudaMallocManaged((void **)&out, 3 * sizeof(*out), cudaMemAttachGlobal);
	WORKS(LAUNCH(global, 1, 1, 0, &out));
	WORKS(cudaDeviceSynchronize());
	ok(out[0] == first, "a variable is %ld: %ld", (long)first, (long)out[0]);
	ok(out[1] == (first == 41 ? 0 : 7), "what has no value is zero at first: %ld", (long)out[1]);
	ok(out[2], "a pointer to a variable points to it");
	cudaFree(out);
}

/* __managed__: one variable for CPU and GPU, at one address. */
static void test_both(int32_t first)
{
	struct cudaPointerAttributes a;
	int32_t n = 3, seen = 0, *same;

	ok(both == first, "the CPU's is %d: %d", first, both);
	both = 7;
	cudaMallocManaged((void **)&same, sizeof(*same), cudaMemAttachGlobal);
	WORKS(LAUNCH(count, 1, 1, 0, &n, &same));
	WORKS(cudaDeviceSynchronize());
	ok(both == 10 && *same, "a kernel adds to what the CPU wrote: %d, %d", both, *same);
	WORKS(cudaMemcpyFromSymbol(&seen, &both, sizeof(seen), 0, cudaMemcpyDeviceToHost));
	ok(seen == 10, "as a variable of the device: %d", seen);
	WORKS(cudaPointerGetAttributes(&a, &both));
	ok(a.type == cudaMemoryTypeManaged, "it is managed memory");
	WORKS(cudaMemPrefetchAsync(&both, sizeof(both), 0, NULL));
	RETURNS(cudaErrorInvalidValue, cudaFree(&both));
	cudaGetLastError();
	cudaFree(same);
}

/* What begins at or shortly before an address: can a program free it? */
static bool test_freed(char *at)
{
	bool freed = false;

	for (char *p = at - 4096; p <= at; p += 16)
		freed |= cudaFree(p) == cudaSuccess;
	cudaGetLastError();
	return freed;
}

/* A module that the GPU refuses leaves nothing in its memory. */
static void test_refused(void)
{
	static struct {
		uint32_t magic, version;
		const void *data;
		void *unused;
	} wrapper = { .magic = 0x466243b1, .version = 1 };
	static char refused[4];
	size_t bytes = image_end - image;
	Elf64_Ehdr *header = aligned_alloc(16, (bytes + 15) & ~15UL);
	void **module, *at, *before = NULL, *behind = NULL;

	memcpy(header, image, bytes);
	header->e_entry = 1;
	for (int i = 0; i < header->e_phnum; i++)
		((Elf64_Phdr *)((char *)header + header->e_phoff))[i].p_memsz = 1UL << 60;
	wrapper.data = header;
	module = __cudaRegisterFatBinary(&wrapper);
	__cudaRegisterVar(module, refused, refused, "variable", 0, sizeof(refused), 0, 0);
	WORKS(cudaMalloc(&before, 16));
	WORKS(cudaFree(before));
	for (int i = 0; i < 3; i++)
		RETURNS(cudaErrorInvalidKernelImage, cudaGetSymbolAddress(&at, refused));
	cudaGetLastError();
	WORKS(cudaMalloc(&behind, 16));
	ok(before == behind, "memory is where it was before: %p %p", before, behind);
	WORKS(cudaFree(behind));
}

void test_variables(void)
{
	int32_t value = 100;
	int64_t words[4];
	size_t size;
	int32_t *at;

	test_both(5);
	test_linked(41);
	WORKS(cudaMemcpyFromSymbol(&value, variable, sizeof(value), 0, cudaMemcpyDeviceToHost));
	ok(value == 42, "what a kernel wrote: %d", value);
	value = 1000;
	WORKS(cudaMemcpyToSymbol(variable, &value, sizeof(value), 0, cudaMemcpyHostToDevice));
	test_linked(1000);
	WORKS(cudaMemcpyFromSymbol(words, zeroes, sizeof(words), 0, cudaMemcpyDeviceToHost));
	ok(words[0] == 7 && !words[3], "a part of an array: %ld %ld", (long)words[0], (long)words[3]);
	words[1] = 3;
	WORKS(cudaMemcpyToSymbol(zeroes, words + 1, 8, 24, cudaMemcpyHostToDevice));
	WORKS(cudaMemcpyFromSymbol(words, zeroes, sizeof(words), 0, cudaMemcpyDeviceToHost));
	ok(words[0] == 7 && words[3] == 3, "at an offset: %ld %ld", (long)words[0], (long)words[3]);
	WORKS(cudaGetSymbolSize(&size, zeroes));
	ok(size == 32, "its size: %zu", size);
	WORKS(cudaGetSymbolAddress((void **)&at, variable));
	WORKS(cudaMemcpy(&value, at, sizeof(value), cudaMemcpyDeviceToHost));
	ok(value == 1001, "by its address: %d", value);
	ok(!test_freed((char *)at), "their memory is not the program's to free");
	RETURNS(cudaErrorInvalidValue,
		cudaMemcpyToSymbol(variable, words, 8, 0, cudaMemcpyHostToDevice));
	RETURNS(cudaErrorInvalidValue,
		cudaMemcpyToSymbol(zeroes, words, 8, SIZE_MAX, cudaMemcpyHostToDevice));
	RETURNS(cudaErrorInvalidMemcpyDirection,
		cudaMemcpyToSymbol(variable, &value, 4, 0, cudaMemcpyDeviceToHost));
	RETURNS(cudaErrorInvalidSymbol,
		cudaMemcpyToSymbol(&value, words, 4, 0, cudaMemcpyHostToDevice));
	RETURNS(cudaErrorInvalidSymbol, cudaGetLastError());
	/* another life of the device begins with what was linked */
	WORKS(cudaDeviceReset());
	test_linked(41);
	test_both(10);
	test_refused();
}
