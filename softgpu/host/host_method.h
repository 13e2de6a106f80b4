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

enum sgpu_method_result sgpu_host_method(struct rm_channel *channel, u32 method, u32 data,
					 u32 *error);
/* Perform the due MEM_OP (no lock held; real clock: waits for the SMs). */
void sgpu_host_mem_op(struct rm_channel *channel);
/* Is the MEM_OP a replay? */
bool sgpu_host_is_replay(const struct rm_channel *channel);
/* Is the MEM_OP a replay that completes only when all accesses are answered? */
bool sgpu_host_wants_ack(const struct rm_channel *channel);
/* Fill @copy from the CE registers; 0 or RM_CHANNEL_ERR_*. */
u32 sgpu_host_decode_copy(struct rm_channel *channel, struct sgpu_copy *copy);

#endif
