#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Programs that did harm only one after the other, with nothing closed in between: every one ends.
# vm: prog=fuzz put=../fuzz-epochs kernel=uml timeout=300 softgpu="vram_mb=16 gpus=2" uvm="root_chunk_granularity=64k" args=turns name=turns
# vm: prog=fuzz put=../fuzz-epochs kernel=uml timeout=300 softgpu="vram_mb=16 gpus=2" uvm="root_chunk_granularity=64k" args=grants name=grants
exec ./fuzz calls=0 slow=60 together=1 "fuzz-epochs/$1.txt"
