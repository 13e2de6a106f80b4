#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Random and mutated calls on all three devices: every program ends, no
# splat, no leak.  What fuzzing found once is replayed each time, and what did harm only one
# after the other (epochs/) with nothing closed in between; "soak" looks for more, led by
# coverage, and leaves what is worth keeping in corpus/found.txt of its log directory.
# vm: kernel=uml timeout=400 softgpu="vram_mb=16 gpus=2" args="calls=100000 seed=1 slow=60 corpus/*.txt"
# vm: kernel=uml-debug timeout=900 softgpu="vram_mb=16 gpus=2" args="calls=300 seed=2 slow=120 corpus/*.txt"
# vm: kernel=fuzz timeout=28800 softgpu="vram_mb=16 gpus=2" args="calls=2500000 seed=3 out=corpus/found.txt corpus/*.txt" get=corpus/found.txt name=soak when=soak
# vm: kernel=fuzz timeout=28800 softgpu="vram_mb=16 gpus=2" uvm="root_chunk_granularity=64k" args="calls=2500000 seed=4 out=corpus/found.txt corpus/*.txt" get=corpus/found.txt name=soak-64k when=soak
# vm: kernel=fuzz timeout=28800 softgpu="vram_mb=16 gpus=2" uvm="root_chunk_granularity=4k" args="calls=2500000 seed=5 out=corpus/found.txt corpus/*.txt" get=corpus/found.txt name=soak-4k when=soak
# vm: kernel=fuzz timeout=28800 softgpu="clock=real vram_mb=16 gpus=2" args="calls=2500000 seed=6 out=corpus/found.txt corpus/*.txt" get=corpus/found.txt name=soak-real when=soak
# vm: kernel=uml timeout=300 softgpu="vram_mb=16 gpus=2" uvm="root_chunk_granularity=64k" args="calls=0 slow=60 together=1 epochs/turns.txt" name=turns
# vm: kernel=uml timeout=300 softgpu="vram_mb=16 gpus=2" uvm="root_chunk_granularity=64k" args="calls=0 slow=60 together=1 epochs/grants.txt" name=grants
exec ./fuzz "$@"
