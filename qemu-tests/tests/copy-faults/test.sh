#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copies by virtual addresses: data, faults on demand, faults that kill the channel
# and whom they hit, ends of every sort (nvidia-uvm 2.11).
# vm: kernel=uml timeout=900
# vm: kernel=uml-debug args=few timeout=900
# vm: kernel=stock args=few softgpu="clock=real" timeout=900 name=real
# vm: kernel=stock softgpu="clock=real" timeout=900 name=all-real when=soak
# vm: kernel=debug softgpu="clock=real" timeout=900 name=real when=soak
exec ./copy-faults "$@"
