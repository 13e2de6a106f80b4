#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Every end of the life cycle while a kernel runs whose faults are being served, with
# a neighbour on the same GPU (nvidia-uvm 1.3, 1.9, 1.10).
# vm: kernel=uml timeout=900
# vm: kernel=stock softgpu="clock=real" timeout=900 name=real
# vm: kernel=uml-debug args=few timeout=900
# vm: kernel=debug softgpu="clock=real" args=few timeout=900 name=real
exec ./lifecycle-load "$@"
