// SPDX-License-Identifier: GPL-2.0
/* The CUDA runtime API, a subject at a time: cuda-runtime SUBJECT... */
#include "cuda_test.h"

bool returns(cudaError_t want, cudaError_t got, const char *what)
{
	if (want == got)
		return ok(true, "%s: %s", what, cudaGetErrorName(want));
	return ok(false, "%s: %s, not %s", what, cudaGetErrorName(got), cudaGetErrorName(want));
}

/* ---- as a compiler does it -------------------------------------------- */

__asm__(".section .rodata\n.globl image, image_end\n.balign 16\nimage:\n.incbin \"" CUDA_IMAGE "\"\n"
	"image_end:\n.previous");

static const struct {
	uint32_t magic, version;
	const void *data;
	void *unused;
} wrapper = { 0x466243b1, 1, image, NULL };

/* Only their addresses count. */
#define KERNEL(name)	void name(void) { }
KERNEL(add)
KERNEL(touch)
KERNEL(take)
KERNEL(global)
KERNEL(print)
KERNEL(block)
KERNEL(trap)
KERNEL(after)
KERNEL(count)
KERNEL(tally)
KERNEL(unknown)
KERNEL(plain)
char variable[4];
char zeroes[32];
__attribute__((section("softuvm_managed"))) int32_t both;

void __cudaRegisterFatBinaryEnd(void **handle);
int __cudaRegisterFunction(void **handle, const void *host, const char *device, const char *name,
			   int threads, void *tid, void *bid, void *block, void *grid, int *warp);

/* Instead of the C++ library's, which this program has not. */
char *__cxa_demangle(const char *name, char *room, size_t *length, int *status);
char *__cxa_demangle(const char *name, char *room, size_t *length, int *status)
{
	bool known = !strcmp(name, "_Z5plaini");

	(void)room, (void)length;
	if (status)
		*status = known ? 0 : -2;
	return known ? strdup("plain(int)") : NULL;
}

#define REGISTER(name) \
	__cudaRegisterFunction(module, (const void *)(name), #name, #name, -1, NULL, NULL, NULL, \
			       NULL, NULL)

__attribute__((constructor)) static void register_module(void)
{
	void **module = __cudaRegisterFatBinary(&wrapper);

	REGISTER(add);
	REGISTER(touch);
	REGISTER(take);
	REGISTER(global);
	REGISTER(print);
	REGISTER(block);
	REGISTER(trap);
	REGISTER(after);
	REGISTER(count);
	REGISTER(tally);
	REGISTER(unknown);
	__cudaRegisterFunction(module, (const void *)plain, "_Z5plaini", "_Z5plaini", -1, NULL, NULL,
			       NULL, NULL, NULL);
	__cudaRegisterVar(module, variable, "variable", "variable", 0, sizeof(variable), 0, 0);
	__cudaRegisterVar(module, zeroes, "zeroes", "zeroes", 0, sizeof(zeroes), 0, 0);
	__cudaRegisterVar(module, (char *)&both, "both", "both", 0, sizeof(both), 0, 0);
	__cudaRegisterFatBinaryEnd(module);
}

/* ---- help ------------------------------------------------------------- */

cudaError_t launch_touch(void *p, unsigned long stride, int n, cudaStream_t stream)
{
	return LAUNCH(touch, (n + 255) / 256, 256, stream, &p, &stride, &n);
}

/* On the real clock nothing but the answers is known. */
bool on_virtual_clock(void)
{
	FILE *file = fopen("/sys/module/softgpu/parameters/clock", "r");
	char text[16] = "";

	if (file) {
		if (!fgets(text, sizeof(text), file))
			text[0] = '\0';
		fclose(file);
	}
	return !strncmp(text, "virtual", 7);
}

/* What an event that is recorded now would say: there is no call for it, but a difference. */
uint64_t device_ns(void)
{
	static cudaEvent_t zero;
	cudaEvent_t now;
	float ms = 0;

	if (!zero) {
		cudaEventCreate(&zero);
		cudaEventRecord(zero, NULL);
	}
	cudaEventCreate(&now);
	cudaEventRecord(now, NULL);
	cudaEventSynchronize(now);
	cudaEventElapsedTime(&ms, zero, now);
	cudaEventDestroy(now);
	return (uint64_t)((double)ms * 1e6);
}

static const struct {
	const char *name;
	void (*run)(void);
} subjects[] = {
	{ "memory", test_memory },
	{ "neighbours", test_neighbours },
	{ "copies", test_copies },
	{ "arrays", test_arrays },
	{ "launches", test_launches },
	{ "one-copy", test_one_copy },
	{ "forgets", test_forgets },
	{ "endless", test_endless },
	{ "gives-up", test_gives_up },
	{ "variables", test_variables },
	{ "streams", test_streams },
	{ "events", test_events },
	{ "graphs", test_graphs },
	{ "captures", test_captures },
	{ "devices", test_devices },
	{ "peers", test_peers },
	{ "errors", test_errors },
	{ "managed", test_managed },
	{ "driver", test_driver },
	{ "no-memory", test_no_memory },
};

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		for (size_t s = 0; s < sizeof(subjects) / sizeof(subjects[0]); s++)
			if (!strcmp(argv[i], subjects[s].name))
				subjects[s].run();
	return tap_finish() || !tap_tests;
}
