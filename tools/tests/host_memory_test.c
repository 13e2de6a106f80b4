// SPDX-License-Identifier: GPL-2.0
/* What a run needs against what there is. */
#include <string.h>

#include "../uvm/run/host_memory.h"
#include "test.h"

#define MB	(1ULL << 20)

static struct host_memory read_text(const char *text)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	struct host_memory memory = host_memory_read(file);

	fclose(file);
	return memory;
}

static const struct {
	uint64_t available, footprint;		/* MB */
	const char *error;			/* NULL: enough */
} rows[] = {
	{ 928, 800, NULL },
	{ 928, 801, "801 MB of data need 929 MB, and 928 MB are free" },
	{ 0, 1000, NULL },			/* nobody knows */
};

int main(void)
{
	struct host_memory memory = read_text("MemTotal:  2048 kB\nMemFree: 5 kB\n"
					      "MemAvailable:   1024 kB\nBuffers: 1 kB\n");
	char error[320];
	size_t i;

	CHECK(memory.total == 2 * MB && memory.available == MB, "meminfo");
	memory = read_text("MemTotal: 7 kB\n");
	CHECK(!memory.available, "meminfo without what is available");
	for (i = 0; i < ROWS(rows); i++) {
		memory.total = 1000 * MB;
		memory.available = rows[i].available * MB;
		error[0] = '\0';
		CHECK(!host_memory_lacking(&memory, rows[i].footprint * MB, error,
					   sizeof(error)) == !rows[i].error, "row %zu", i);
		if (rows[i].error)
			CHECK(!strncmp(error, rows[i].error, strlen(rows[i].error)), "row %zu: %s",
			      i, error);
	}
	/* 1000 + 848 * 9 / 8 + 1 */
	memory = (struct host_memory){ .total = 1000 * MB, .available = 80 * MB };
	host_memory_lacking(&memory, 800 * MB, error, sizeof(error));
	CHECK(strstr(error, "MEMORY=1955"), "%s", error);
	return test_end("host memory");
}
