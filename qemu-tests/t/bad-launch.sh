#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Bad launches, and kernels that misbehave: each with a clear errno or reason, nothing
# leaked, nothing said.
# vm: kernel=uml prog=bad_launch timeout=400
# vm: kernel=debug prog=bad_launch args=few timeout=600
# vm: kernel=stock prog=bad_launch softgpu="clock=real" timeout=600 name=real
# vm: kernel=debug prog=bad_launch args=few softgpu="clock=real" timeout=600 name=real when=soak
exec ./bad_launch "$@"
