/* SPDX-License-Identifier: GPL-2.0 */
/* Registers of extensions; see extension.h. */
#ifndef SOFTGPU_EXTENSION_TYPES_H
#define SOFTGPU_EXTENSION_TYPES_H

#include <linux/types.h>

struct rm_gpu;

/**
 * struct sgpu_extension - what the extensions of one GPU are set to
 * @oversub_limit: REG_OVERSUB_LIMIT; no lock, as the next
 * @sm_limit: REG_SM_LIMIT
 * @changed: tells the SMs (sgpu_sms_look()); NULL before there are any
 */
struct sgpu_extension {
	u32 oversub_limit;
	u32 sm_limit;
	void (*changed)(struct rm_gpu *gpu);
};

#endif
