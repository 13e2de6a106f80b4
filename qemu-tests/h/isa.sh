#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the SMs compute is what RISC-V says: programs made up from seeds leave the same bits on
# the device and under qemu-riscv64, and one wrong operation would be found.
# host: timeout=900
exec "$QEMU_TESTS/isa/run" "${1:-40}" "${2:-1}"
