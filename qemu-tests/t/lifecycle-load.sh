#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Every end of the life cycle while a kernel runs whose faults are being served, with
# a neighbour on the same GPU (nvidia-uvm 1.3, 1.9, 1.10).
# vm: kernel=uml prog=lifecycle_load timeout=900
# vm: kernel=stock prog=lifecycle_load softgpu="clock=real" timeout=900 name=real
# vm: kernel=debug prog=lifecycle_load args=few timeout=900
# vm: kernel=debug prog=lifecycle_load softgpu="clock=real" args=few timeout=900 name=real
exec ./lifecycle_load "$@"
