// SPDX-License-Identifier: GPL-2.0
/*
 * Is there enough memory for a run?  Otherwise it would end by the OOM killer, which says "Killed"
 * and no more.
 */
#include <errno.h>
#include <inttypes.h>

#include "run/host_memory.h"

#define MB	((uint64_t)1 << 20)

/* Beside the data: warps of a launch, which take up to 110 MB, page tables, the program. */
#define BESIDE	(128 * MB)

struct host_memory host_memory_read(FILE *meminfo)
{
	struct host_memory memory = { 0 };
	char line[128];
	uint64_t kb;

	while (fgets(line, sizeof(line), meminfo)) {
		if (sscanf(line, "MemTotal: %" SCNu64 " kB", &kb) == 1)
			memory.total = kb << 10;
		if (sscanf(line, "MemAvailable: %" SCNu64 " kB", &kb) == 1)
			memory.available = kb << 10;
	}
	return memory;
}

int host_memory_lacking(const struct host_memory *memory, uint64_t footprint, char *error,
			size_t room)
{
	uint64_t need = footprint + BESIDE, give;

	if (!memory->available || need <= memory->available)
		return 0;
	/* of what is given the kernel takes some for itself */
	give = (memory->total + (need - memory->available) / 8 * 9) / MB + 1;
	snprintf(error, room, "%" PRIu64 " MB of data need %" PRIu64 " MB, and %" PRIu64 " MB are free.  "
		 "Take less data (--size), or give the VM %" PRIu64 " MB (make shell MEMORY=%" PRIu64
		 ", qemu-tests/vm --memory %" PRIu64 ")", footprint / MB, need / MB,
		 memory->available / MB, give, give, give);
	return -ENOMEM;
}
