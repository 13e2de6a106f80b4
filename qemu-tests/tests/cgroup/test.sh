#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# System memory is charged to the memory cgroup of whose VA space it is; limits end
# launches with ENOMEM and touches by the OOM killer, and neighbours do not notice
# (nvidia-uvm 3.4, 3.9).  Of the others uml-debug has memory cgroups, too.
# vm: own=cgroup kernel=stock timeout=900
# vm: own=cgroup kernel=stock softgpu="clock=real" timeout=900 name=real
# vm: own=cgroup kernel=uml-debug softgpu="vram_mb=8" timeout=900 args="stuck-frames stuck-units" name=small
# vm: own=cgroup kernel=uml-debug timeout=900 args=killed name=killed
# vm: own=cgroup kernel=stock softgpu="clock=real" timeout=900 args=killed name=killed-real
exec ./cgroup "$@"
