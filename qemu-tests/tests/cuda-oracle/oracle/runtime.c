// SPDX-License-Identifier: GPL-2.0
/*
 * The CUDA runtime for the oracle: the calls that generated programs make.  The device's half is
 * PROGRAM.so beside the program, in which the retargeter has described the kernels
 * (Documentation/cuda-runtime.rst).
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oracle.h"

#define SYMBOLS_MAX	1024

/* What the program calls by a name of its own, and the name of the device's half. */
static struct symbol { const void *host; const char *name; } symbols[SYMBOLS_MAX];
static unsigned int count;
static struct { struct oracle_place grid, block; size_t shared; } pushed;

static void *device(const char *format, const char *name)
{
	static void *half;
	char path[PATH_MAX], text[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 4);
	void *at;

	if (!half && length > 0) {
		strcpy(path + length, ".so");
		half = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	snprintf(text, sizeof(text), format, name);
	at = half ? dlsym(half, text) : NULL;
	if (!at)
		oracle_die("%s", dlerror());
	return at;
}

static const char *name_of(const void *host)
{
	for (unsigned int i = 0; i < count; i++)
		if (symbols[i].host == host)
			return symbols[i].name;
	oracle_die("a symbol that was not registered");
}

static void add(const void *host, const char *name)
{
	if (count == SYMBOLS_MAX)
		oracle_die("too many symbols");
	symbols[count++] = (struct symbol){ host, name };
}

/* ---- what clang calls ------------------------------------------------- */

void **__cudaRegisterFatBinary(void *image) { return image; }
void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }

void __cudaRegisterFunction(void **handle, const void *host, char *name)
{
	(void)handle;
	add(host, name);
}

void __cudaRegisterVar(void **handle, char *host, char *name)
{
	(void)handle;
	add(host, name);
}

unsigned int __cudaPushCallConfiguration(struct oracle_place grid, struct oracle_place block,
					 size_t shared, void *stream)
{
	(void)stream;
	pushed.grid = grid;
	pushed.block = block;
	pushed.shared = shared;
	return 0;
}

int __cudaPopCallConfiguration(struct oracle_place *grid, struct oracle_place *block,
			       size_t *shared, void **stream)
{
	*grid = pushed.grid;
	*block = pushed.block;
	*shared = pushed.shared;
	*stream = NULL;
	return 0;
}

/* ---- the API ---------------------------------------------------------- */

int cudaMallocManaged(void **at, size_t bytes, unsigned int flags)
{
	(void)flags;
	*at = aligned_alloc(4096, (bytes + 4095) & -4096ul);
	return *at ? 0 : 2;
}

int cudaFree(void *at)
{
	free(at);
	return 0;
}

int cudaDeviceSynchronize(void) { return 0; }
int cudaGetLastError(void) { return 0; }
const char *cudaGetErrorString(int error) { return error ? "error" : "no error"; }

int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind)
{
	(void)kind;
	memcpy((char *)device("%s", name_of(symbol)) + offset, from, bytes);
	return 0;
}

/* A slot of 8 bytes for each parameter, as the constant that describes the kernel says. */
int cudaLaunchKernel(const void *host, struct oracle_place grid, struct oracle_place block,
		     void **args, size_t shared, void *stream)
{
	const char *name = name_of(host);
	const uint32_t *words = device("__sgpu_kernel$%s", name);
	char **memory = device("%s", "oracle_window");
	uint64_t *slots = calloc(words[1] + 1, sizeof(*slots));
	char entry[32];

	(void)stream;
	(void)shared;
	for (uint32_t i = 0; i < words[1]; i++) {
		if (words[3 + 2 * i])
			slots[i] = (uintptr_t)memcpy(malloc(words[2 + 2 * i]), args[i],
						     words[2 + 2 * i]);
		else
			memcpy(&slots[i], args[i], words[2 + 2 * i]);
	}
	snprintf(entry, sizeof(entry), "__cuda_entry_%u", words[0]);
	oracle_launch(device("%s", entry), slots, grid, block, memory[0],
		      memory[1] - memory[0]);
	for (uint32_t i = 0; i < words[1]; i++)
		if (words[3 + 2 * i])
			free((void *)slots[i]);
	free(slots);
	return 0;
}
