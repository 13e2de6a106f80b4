#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Bad mappings, ioctls and pins: each with a clear errno, nothing leaked, nothing said.
# Bad launches: bad-launch.sh; module parameters: load.sh.
# vm: kernel=stock disk=16 timeout=400
# vm: kernel=uml timeout=400
# vm: kernel=uml-debug args=few timeout=600
# vm: kernel=stock softgpu="clock=real" timeout=600 name=real
# vm: kernel=debug args=few softgpu="clock=real" timeout=600 name=real when=soak
exec ./bad-input "$@"
