// SPDX-License-Identifier: GPL-2.0
/* How much GPU memory a program has. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "memory_limit.h"
#include "parse.h"

#define MAX_LIMIT	((uint64_t)UINT32_MAX << 10)	/* of gpu_memory_limit_kb */

uint64_t memory_usable(uint64_t footprint, uint64_t permille, uint64_t piece)
{
	unsigned __int128 wanted = (unsigned __int128)footprint * 1000 / permille;
	unsigned __int128 less = wanted / piece * piece;
	unsigned __int128 more = less == wanted ? less : less + piece;

	/* Ratios are compared: wanted is nearer to less if wanted / less < more / wanted. */
	if (permille > 1000 && less && wanted * wanted < less * more)
		more = less;
	return !more ? piece : more > UINT64_MAX ? UINT64_MAX : (uint64_t)more;
}

/* What the driver has for all VA spaces.  Its files take no simulated time; an ioctl would. */
static bool memory_module_size(const char *name, uint64_t *size)
{
	char path[96], text[16] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/uvm/parameters/%s", name);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (fgets(text, sizeof(text), file))
		text[strcspn(text, "\n")] = '\0';
	fclose(file);
	return parse_size(text, size);
}

uint64_t memory_parameter(const char *const *sets, unsigned int count, const char *name,
			  uint64_t otherwise)
{
	size_t length = strlen(name);
	uint64_t value = otherwise;
	unsigned int i;

	memory_module_size(name, &value);
	for (i = 0; i < count; i++)
		if (!strncmp(sets[i], name, length) && sets[i][length] == '=')
			parse_size(sets[i] + length + 1, &value);
	return value;
}

uint64_t memory_piece(const char *const *sets, unsigned int count)
{
	return memory_parameter(sets, count, "root_chunk_granularity", UVM_BLOCK_SIZE);
}

/*
 * Frames beyond the limit are pinned; of the last one the driver leaves the rest.  What a limit
 * cannot say is whole frames.
 */
int memory_limit_set(struct uvm *u, int gpu, uint64_t limit, uint64_t piece, uint64_t *usable)
{
	char kb[24];
	int err;

	err = uvm_vram_limit(u, gpu, limit, usable);
	if (err || piece == UVM_BLOCK_SIZE || limit >= *usable || limit > MAX_LIMIT)
		return err;
	/* a block may need as much at once */
	limit = limit > UVM_BLOCK_SIZE ? limit / piece * piece : UVM_BLOCK_SIZE;
	snprintf(kb, sizeof(kb), "%" PRIu64, limit >> 10);
	err = uvm_param_set(u, "gpu_memory_limit_kb", kb);
	if (!err)
		*usable = limit;
	return err;
}
