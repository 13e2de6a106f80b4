// SPDX-License-Identifier: GPL-2.0
/* How much GPU memory a run has: --oversubscription and --vram. */
#include <inttypes.h>
#include <stdio.h>

#include "memory_limit.h"
#include "run/run.h"
#include "uvm_cmd.h"

uint64_t run_parameter(const struct run_config *config, const char *name, uint64_t otherwise)
{
	return memory_parameter(config->sets.word, config->sets.count, name, otherwise);
}

/* In what pieces memory is allocated; whole frames where a limit is not to hold for a peer, too. */
uint64_t run_piece(const struct run_config *config)
{
	return config->peer >= 0 ? UVM_BLOCK_SIZE : memory_piece(config->sets.word, config->sets.count);
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
	uint64_t limit = memory_usable(result->footprint, permille, piece);

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
		limit = memory_usable(result->footprint, config->oversubscription, piece);
	/* More than there is: all of it, and the report tells the true percentage. */
	if (limit && limit < result->info.usable_bytes)
		err = memory_limit_set(run->uvm, run->gpu, limit, piece, &result->vram);
	if (!err)
		run_note_limit(config, run, result, piece);
	return err;
}
