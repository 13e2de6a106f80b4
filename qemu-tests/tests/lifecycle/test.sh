#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# munmap, mremap, fork, exec, mprotect, madvise, register, unregister and close
# with pages in every state (nvidia-uvm 1.3, 1.9).
# vm: kernel=uml timeout=600
# vm: kernel=uml-debug args=few timeout=600
# vm: kernel=debug cpus=2 timeout=1200 name=all when=soak
# vm: kernel=stock args=few softgpu="clock=real" timeout=600 name=real
# vm: kernel=stock softgpu="clock=real" timeout=600 name=all-real when=soak
# vm: kernel=uml softgpu="profile=asplos20" args="timing-switched room-ahead extensions" name=asplos20
exec ./lifecycle "$@"
