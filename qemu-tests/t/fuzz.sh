#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Random and mutated calls on all three devices: every program ends, no
# splat, no leak.  What fuzzing found once is replayed each time; "soak" looks for
# more, led by coverage, and leaves what is worth keeping in fuzz-corpus/found.txt of
# its log directory.
# vm: prog=fuzz put=../fuzz-corpus kernel=uml timeout=400 softgpu="vram_mb=16 gpus=2" args="calls=100000 seed=1 slow=60"
# vm: prog=fuzz put=../fuzz-corpus kernel=debug timeout=900 softgpu="vram_mb=16 gpus=2" args="calls=300 seed=2 slow=120"
# vm: prog=fuzz put=../fuzz-corpus kernel=fuzz timeout=28800 softgpu="vram_mb=16 gpus=2" args="calls=2500000 seed=3 out=fuzz-corpus/found.txt" get=fuzz-corpus/found.txt name=soak when=soak
# vm: prog=fuzz put=../fuzz-corpus kernel=fuzz timeout=28800 softgpu="vram_mb=16 gpus=2" uvm="root_chunk_granularity=64k" args="calls=2500000 seed=4 out=fuzz-corpus/found.txt" get=fuzz-corpus/found.txt name=soak-64k when=soak
# vm: prog=fuzz put=../fuzz-corpus kernel=fuzz timeout=28800 softgpu="vram_mb=16 gpus=2" uvm="root_chunk_granularity=4k" args="calls=2500000 seed=5 out=fuzz-corpus/found.txt" get=fuzz-corpus/found.txt name=soak-4k when=soak
# vm: prog=fuzz put=../fuzz-corpus kernel=fuzz timeout=28800 softgpu="clock=real vram_mb=16 gpus=2" args="calls=2500000 seed=6 out=fuzz-corpus/found.txt" get=fuzz-corpus/found.txt name=soak-real when=soak
exec ./fuzz "$@" fuzz-corpus/*.txt
