/* SPDX-License-Identifier: GPL-2.0 */
/* Probe scripts: their grammar, and nothing that needs a device. */
#ifndef UVM_PROBE_SCRIPT_H
#define UVM_PROBE_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define PROBE_NAME_MAX		32
#define PROBE_OFFSETS_MAX	500
#define PROBE_LANES		32
#define PROBE_GROUPS		16

enum probe_op {
	PROBE_ALLOC,
	PROBE_FREE,
	PROBE_CPU,
	PROBE_GPU,
	PROBE_WARP,
	PROBE_PREFETCH,
	PROBE_ADVISE,
	PROBE_DISCARD,
	PROBE_POPULATE,
	PROBE_GROUP,
	PROBE_MIGRATION,
	PROBE_SET,
	PROBE_PEER,
	PROBE_COUNTERS,
	PROBE_COUNTERS_CLEAR,
	PROBE_EVICT,
	PROBE_RESIDENCY,
};

/**
 * struct probe_command - one line of a script
 * @op: what
 * @line: number, from 1
 * @text: the line, words separated by one blank
 * @name: allocation
 * @slot: its number, from 0, counting alloc commands
 * @write: CPU, GPU, WARP: write rather than read; COUNTERS: on
 * @gpu: GPU, WARP
 * @offset: CPU, PREFETCH, ADVISE
 * @length: ALLOC (its size), CPU, PREFETCH, ADVISE, RESIDENCY; COUNTERS: granularity
 * @stride: CPU; COUNTERS: threshold
 * @offsets: GPU, WARP
 * @offset_count: GPU, WARP
 * @advice: ADVISE: UVM_ADVICE_*
 * @off: ADVISE: unset; DISCARD: unmap; MIGRATION: prevent
 * @group: GROUP, MIGRATION: number from 1 that the script uses; GROUP: 0 is none
 * @processor: PREFETCH, ADVISE, POPULATE; EVICT, COUNTERS, COUNTERS_CLEAR: GPU
 * @param: SET
 * @value: SET
 */
struct probe_command {
	enum probe_op op;
	unsigned int line;
	char *text;
	char name[PROBE_NAME_MAX];
	unsigned int slot;
	bool write;
	int gpu;
	uint64_t offset;
	uint64_t length;
	uint64_t stride;
	uint64_t *offsets;
	unsigned int offset_count;
	unsigned int advice;
	bool off;
	unsigned int group;
	int processor;
	char param[48];
	char value[48];
};

/**
 * struct probe_script - a whole script
 * @commands: in order
 * @count: how many
 * @slots: how many alloc commands
 * @gpus: highest GPU named, plus 1
 */
struct probe_script {
	struct probe_command *commands;
	unsigned int count;
	unsigned int slots;
	int gpus;
};

/**
 * probe_script_read() - read and check a script
 * @script: filled; free it with probe_script_free() in any case
 * @file: where from
 * @error: "line N: what is wrong"
 * @error_bytes: room in @error
 *
 * Returns false if the script is bad.
 */
bool probe_script_read(struct probe_script *script, FILE *file, char *error,
		       size_t error_bytes);

void probe_script_free(struct probe_script *script);

#endif
