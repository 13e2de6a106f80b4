#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the SMs compute is what RISC-V says: programs made up from seeds leave the same bits on
# the device and under qemu-riscv64, and one wrong operation would be found.
# host: timeout=1200 args="40 1"
# With seeds that were not there before.
# host: timeout=5400 when=soak name=soak args="3600 new"
seed=$2
[ "$seed" != new ] || seed=$(date +%s)00
exec "$TEST/run" "$1" "$seed"
