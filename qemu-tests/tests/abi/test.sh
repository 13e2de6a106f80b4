#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The envelope of every ioctl of the three devices: wrong, short, long and
# non-zero-reserved structs, bad pointers, unknown numbers.
# vm: kernel=stock,uml,uml-debug softgpu="gpus=2 vram_mb=64" timeout=300
exec ./abi
