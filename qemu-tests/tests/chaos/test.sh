#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Hostile processes: threads that make any call on the same files and memory at once, fork,
# trace each other and are killed in the middle.  They end, a good launch works
# after each round, no splat, no leak.
# vm: kernel=uml timeout=400 softgpu="gpus=2 vram_mb=16" args="10 50"
# vm: kernel=debug cpus=2 timeout=400 softgpu="clock=real gpus=2 vram_mb=16" args="30 1" name=real
# vm: kernel=debug cpus=2 timeout=5400 softgpu="clock=real gpus=2 vram_mb=16" args="3600 100000" name=soak when=soak
# vm: kernel=uml timeout=400 softgpu="gpus=2 vram_mb=16 set=far_faults:wait" args="10 70" name=wait
exec ./chaos "$@"
