// SPDX-License-Identifier: GPL-2.0
/*
 * Replay when all has been served.
 *
 * Standing: nvidia-uvm: the rules of the real driver, which Documentation/nvidia-uvm.rst lists.
 */
#include "policy/replay.h"

UVM_POLICY(replay, once, "replay once, when the fault ring is empty");
