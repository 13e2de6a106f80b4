// SPDX-License-Identifier: GPL-2.0
/* Run what the SMs hold. */
#include "policy/concurrency.h"

UVM_POLICY(concurrency, none, "what the SMs hold");
