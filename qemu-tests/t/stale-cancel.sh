#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What a launch leaves to be cancelled ends no access of a later one.
# vm: kernel=uml prog=stale_cancel timeout=300
# vm: kernel=stock prog=stale_cancel args=40 softgpu="clock=real" timeout=600 name=real
# vm: kernel=debug prog=stale_cancel args=10 softgpu="clock=real" timeout=900 name=real when=soak
exec ./stale_cancel "$@"
