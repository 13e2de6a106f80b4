#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Device memory that a peer of its GPU has mapped (UVM_IOC_MAP_EXTERNAL, nvidia-uvm 6.3): data,
# atomics and copies over the link, who may have it, and every end of it.
# vm: kernel=uml,uml-debug softgpu="gpus=3 vram_mb=64" timeout=600
# vm: kernel=uml softgpu="gpus=2 vram_mb=64 set=peer_link:2" timeout=600 name=nvlink
# vm: kernel=stock softgpu="gpus=2 vram_mb=64 clock=real" timeout=600 name=real
# vm: kernel=uml softgpu="gpus=2 vram_mb=64 set=peer_link:0" timeout=300 name=none args=refused
exec ./peer-memory "$@"
