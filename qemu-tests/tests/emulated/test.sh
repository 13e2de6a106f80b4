#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the kernel does to managed memory in a user's place: futexes, robust and PI mutexes,
# debuggers, core dumps, pages that somebody holds.
# vm: kernel=uml
# vm: kernel=uml-debug timeout=900
# vm: kernel=stock softgpu="clock=real" timeout=900 name=real
# vm: kernel=uml softgpu="set=far_faults:wait" name=wait
exec ./emulated "$@"
