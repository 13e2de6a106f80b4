#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Bad launches, and kernels that misbehave: each with a clear errno or reason, nothing
# leaked, nothing said.
# vm: kernel=uml timeout=400
# vm: kernel=uml-debug args=few timeout=600
# vm: kernel=stock softgpu="clock=real" timeout=600 name=real
# vm: kernel=debug args=few softgpu="clock=real" timeout=600 name=real when=soak
# vm: kernel=uml softgpu="set=far_faults:wait" args=few timeout=400 name=wait
exec ./bad-launch "$@"
