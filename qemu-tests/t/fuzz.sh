#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Random and mutated calls on all three devices (issue C.3): every program ends, no
# splat, no leak.  What fuzzing found once is replayed each time; "soak" looks for
# more, led by coverage, and leaves what is worth keeping in fuzz-corpus/found.txt of
# its log directory.
# vm: prog=fuzz put=../fuzz-corpus kernel=stock cpus=1 timeout=400 softgpu="vram_mb=16 gpus=2" args="calls=20000 seed=1 slow=60"
# vm: prog=fuzz put=../fuzz-corpus kernel=debug cpus=1 timeout=900 softgpu="vram_mb=16 gpus=2" args="calls=1000 seed=2 slow=120"
# vm: prog=fuzz put=../fuzz-corpus kernel=fuzz cpus=1 timeout=28800 softgpu="vram_mb=16 gpus=2" args="calls=10000000 seed=3 out=fuzz-corpus/found.txt" get=fuzz-corpus/found.txt name=soak when=soak
exec ./fuzz "$@" fuzz-corpus/*.txt
