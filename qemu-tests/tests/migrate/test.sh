#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Asynchronous migration with a semaphore (nvidia-uvm 6.1): the call
# returns early, the word is written when all is done, refusals, and every end
# that can come in between.  CPU pre-unmap, with a link that is fast.  In profile date21 the driver's work
# takes no time, yet who polls gets on.
# vm: kernel=uml,uml-debug timeout=900
# vm: kernel=stock softgpu="clock=real" timeout=900 name=real
# vm: kernel=debug softgpu="clock=real" timeout=900 name=real when=soak
# vm: kernel=uml softgpu="profile=date21" timeout=300 name=date21
# vm: kernel=uml softgpu="set=cpu_link_fast:1" args="preunmap preunmap-race" timeout=600 name=fast
# vm: kernel=uml-debug softgpu="set=cpu_link_fast:1" args="preunmap preunmap-race" timeout=600 name=fast when=soak
# vm: kernel=debug cpus=4 softgpu="set=cpu_link_fast:1 clock=real" args="preunmap preunmap-race" timeout=600 name=fast-real
# vm: kernel=uml softgpu="set=far_faults:wait" timeout=900 name=wait
exec ./migrate "$@"
