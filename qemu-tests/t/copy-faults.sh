#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copies by virtual addresses: data, faults on demand, faults that kill the channel
# and whom they hit, ends of every sort (nvidia-uvm 2.11).
# vm: kernel=uml prog=copy_faults timeout=900
# vm: kernel=debug prog=copy_faults args=few timeout=900
# vm: kernel=stock prog=copy_faults args=few softgpu="clock=real" timeout=900 name=real
# vm: kernel=stock prog=copy_faults softgpu="clock=real" timeout=900 name=all-real when=soak
# vm: kernel=debug prog=copy_faults softgpu="clock=real" timeout=900 name=real when=soak
exec ./copy_faults "$@"
