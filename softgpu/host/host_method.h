/* SPDX-License-Identifier: GPL-2.0 */
/* Methods of channels: decode and execute one data word of the present header. */
#ifndef SOFTGPU_HOST_METHOD_H
#define SOFTGPU_HOST_METHOD_H

#include "host/host_types.h"

enum sgpu_method_result {
	SGPU_METHOD_DONE,		/* go on with the next word */
	SGPU_METHOD_ACTION,		/* @action due at @now_ps */
	SGPU_METHOD_ERROR,		/* RM_CHANNEL_ERR_* in @error */
};

/**
 * sgpu_host_method - execute one data word
 * @channel: whose, with its present header
 * @method: byte address of the register
 * @data: the word
 * @error: out: RM_CHANNEL_ERR_*, with SGPU_METHOD_ERROR
 *
 * Context: event; the channel's.
 * Return: how the channel goes on.
 */
enum sgpu_method_result sgpu_host_method(struct rm_channel *channel, u32 method, u32 data,
					 u32 *error);

/**
 * sgpu_host_mem_op - perform the MEM_OP that is due
 * @channel: whose
 *
 * Context: event, no lock held; real clock: waits for the SMs.
 */
void sgpu_host_mem_op(struct rm_channel *channel);

/**
 * sgpu_host_is_replay - is the MEM_OP a replay?
 * @channel: whose
 *
 * Return: true if so; a cancel is none.
 */
bool sgpu_host_is_replay(const struct rm_channel *channel);

/**
 * sgpu_host_wants_ack - does the MEM_OP complete only when all accesses that wait are answered?
 * @channel: whose
 *
 * Return: true for START_ACK_ALL, and for every replay on the real clock.
 */
bool sgpu_host_wants_ack(const struct rm_channel *channel);

/**
 * sgpu_host_decode_copy - read a copy from the CE registers
 * @channel: whose
 * @copy: filled
 *
 * Return: 0 or RM_CHANNEL_ERR_*.
 */
u32 sgpu_host_decode_copy(struct rm_channel *channel, struct sgpu_copy *copy);

#endif
