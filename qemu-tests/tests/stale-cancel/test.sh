#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What a launch leaves to be cancelled ends no access of a later one.
# vm: kernel=uml timeout=300
# vm: kernel=stock args=40 softgpu="clock=real" timeout=600 name=real
# vm: kernel=debug args=10 softgpu="clock=real" timeout=900 name=real when=soak
# vm: kernel=uml softgpu="set=far_faults:wait" timeout=300 name=wait
exec ./stale-cancel "$@"
