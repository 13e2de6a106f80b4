// SPDX-License-Identifier: GPL-2.0
/*
 * Run what the SMs hold.
 *
 * Standing: nvidia-uvm: the driver leaves it to the GPU.
 */
#include "policy/concurrency.h"

UVM_POLICY(concurrency, none, "what the SMs hold");
