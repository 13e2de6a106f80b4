#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Device and pinned memory in external ranges: data, bounds, collisions, limits,
# eviction of managed memory to make room, every order of freeing
# (nvidia-uvm 6.3).
# vm: kernel=uml,uml-debug timeout=600
# vm: kernel=stock softgpu="clock=real" timeout=600 name=real
# vm: kernel=uml timeout=600 args=evicts-ahead name=ahead
exec ./explicit "$@"
