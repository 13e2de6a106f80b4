#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The device's instruction set against qemu-riscv64 for an hour, with seeds that were not there
# before.
# host: timeout=5400 when=soak
exec bash "$QEMU_TESTS/h/isa.sh" 3600 "$(date +%s)00"
