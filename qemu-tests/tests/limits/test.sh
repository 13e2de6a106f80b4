#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What one user makes the kernel allocate ends with an errno, before others notice.
# The nodes are opened to all, so it has its VM to itself.
# vm: own=limits kernel=uml timeout=400
# vm: own=limits kernel=stock timeout=400
# vm: own=limits kernel=uml softgpu="user_percent=1" timeout=400 args=addresses name=addresses
exec ./limits "$@"
