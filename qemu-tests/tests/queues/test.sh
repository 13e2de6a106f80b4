#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# More launches, copies and fences than the device remembers: submission waits, nothing
# is lost, and launches that wait take no stacks.
# vm: kernel=uml timeout=400
# vm: kernel=stock softgpu="clock=real" timeout=400 name=real
exec ./queues "$@"
