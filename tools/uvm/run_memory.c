// SPDX-License-Identifier: GPL-2.0
/* How much GPU memory a run has: --oversubscription and --vram. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "parse.h"
#include "run.h"
#include "uvm_cmd.h"

#define MAX_LIMIT	((uint64_t)UINT32_MAX << 10)	/* of gpu_memory_limit_kb */

uint64_t run_usable_bytes(uint64_t footprint, uint64_t permille, uint64_t piece)
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
static bool run_module_size(const char *name, uint64_t *size)
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

uint64_t run_parameter(const struct run_config *config, const char *name, uint64_t otherwise)
{
	size_t length = strlen(name);
	uint64_t value = otherwise;
	unsigned int i;

	run_module_size(name, &value);
	for (i = 0; i < config->set_count; i++)
		if (!strncmp(config->sets[i], name, length) && config->sets[i][length] == '=')
			parse_size(config->sets[i] + length + 1, &value);
	return value;
}

/* In what pieces memory is allocated; whole frames where a limit is not to hold for a peer, too. */
uint64_t run_piece(const struct run_config *config)
{
	return config->peer >= 0 ? UVM_BLOCK_SIZE :
				   run_parameter(config, "root_chunk_granularity", UVM_BLOCK_SIZE);
}

/*
 * Frames beyond the limit are pinned; of the last one the driver leaves the rest.  What a limit
 * cannot say is whole frames.
 */
static int run_set_limit(struct wl_run *run, uint64_t limit, uint64_t piece, uint64_t *usable)
{
	char kb[24];
	int err;

	err = uvm_vram_limit(run->uvm, run->gpu, limit, usable);
	if (err || piece == UVM_BLOCK_SIZE || limit >= *usable || limit > MAX_LIMIT)
		return err;
	/* a block may need as much at once */
	limit = limit > UVM_BLOCK_SIZE ? limit / piece * piece : UVM_BLOCK_SIZE;
	snprintf(kb, sizeof(kb), "%" PRIu64, limit >> 10);
	err = uvm_param_set(run->uvm, "gpu_memory_limit_kb", kb);
	if (!err)
		*usable = limit;
	return err;
}

/* By more than an eighth.  Less than 100 % is all that fits, however much is left. */
static bool run_is_far(uint64_t permille, uint64_t asked)
{
	return permille + permille / 8 < asked ||
	       (asked > 1000 && asked + asked / 8 < permille);
}

/* Memory comes in pieces, and no more than there is: say so where that is far from what was asked. */
static void run_note_limit(const struct run_config *config, const struct wl_run *run,
			   const struct run_result *result, uint64_t piece)
{
	uint64_t asked = config->oversubscription;
	uint64_t permille = 1000 * result->footprint / (result->vram ? result->vram : 1);
	char wanted[24], got[24];

	if (config->quiet)
		return;
	if (asked && run_is_far(permille, asked))
		fprintf(stderr, "uvm run: %s: %" PRIu64 " %% instead of %" PRIu64 " %%: GPU memory "
			"comes in pieces of %s; %s comes closer\n",
			run->workload->name, permille / 10, asked / 10,
			format_bytes(piece, got, sizeof(got)), piece == UVM_BLOCK_SIZE ?
			"root_chunk_granularity=4k or a larger footprint" : "a larger footprint");
	else if (config->vram && result->vram / piece != config->vram / piece)
		fprintf(stderr, "uvm run: %s: %s of GPU memory instead of %s: %s\n",
			run->workload->name, format_bytes(result->vram, got, sizeof(got)),
			format_bytes(config->vram, wanted, sizeof(wanted)),
			result->vram > config->vram ? "there cannot be less" : "there is no more");
}

uint64_t run_memory_at(const struct run_config *config, const struct run_result *result,
		       uint64_t permille)
{
	uint64_t piece = config->whole_chunks ? UVM_BLOCK_SIZE : run_piece(config);
	uint64_t limit = run_usable_bytes(result->footprint, permille, piece);

	if (limit >= result->info.usable_bytes)
		return result->info.usable_bytes;
	return limit > UVM_BLOCK_SIZE ? limit : UVM_BLOCK_SIZE;
}

int run_limit_memory(const struct run_config *config, struct wl_run *run,
		     struct run_result *result)
{
	uint64_t piece = config->whole_chunks ? UVM_BLOCK_SIZE : run_piece(config);
	uint64_t limit = config->vram;
	int err;

	err = uvm_gpu_info(run->uvm, run->gpu, &result->info);
	if (err)
		return err;
	result->vram = result->info.usable_bytes;
	if (config->oversubscription)
		limit = run_usable_bytes(result->footprint, config->oversubscription, piece);
	/* More than there is: all of it, and the report tells the true percentage. */
	if (limit && limit < result->info.usable_bytes)
		err = run_set_limit(run, limit, piece, &result->vram);
	if (!err)
		run_note_limit(config, run, result, piece);
	return err;
}
