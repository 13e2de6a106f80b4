/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A compute context: one open /dev/softgpuN.  Owns images, launches, printf
 * output and the address space its SMs translate in.  rm_context_* (rm.h) is
 * its face towards uvm.
 */
#ifndef SOFTGPU_CONTEXT_H
#define SOFTGPU_CONTEXT_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>
#include <linux/xarray.h>
#include <softgpu/rm.h>
#include "mmu/mmu.h"
#include "memory/pma.h"
#include "sm/cta.h"
#include "base/history.h"
#include "base/print.h"
#include "user_copy.h"
#include "context_types.h"

#define SGPU_IMAGES_MAX		1024
/* Contexts of a GPU that one process may have, and one user: of SGPU_RESERVE_INSTANCES */
#define SGPU_CONTEXTS_PROCESS	128U
#define SGPU_CONTEXTS_USER	512U

/**
 * sgpu_context_create - create the context of a new file
 * @gpu: of whose device node
 *
 * Context: may sleep; the current user and process are its owners.
 * Return: the context, or ERR_PTR: -ENOMEM, -EMFILE (the process or user has many).
 */
struct rm_context *sgpu_context_create(struct rm_gpu *gpu);

/**
 * sgpu_context_close - the file is closed: stop, drop images, memory and the memory limit
 * @context: lives on while a VA space has it
 *
 * Context: participant.
 */
void sgpu_context_close(struct rm_context *context);

/**
 * sgpu_contexts_hang - what runs, or waits for a fault, on any GPU ends: launches with
 *	SOFTGPU_FAIL_HANG, copies with -EIO
 *
 * Context: the clock's hang handler.
 */
void sgpu_contexts_hang(void);

#endif
