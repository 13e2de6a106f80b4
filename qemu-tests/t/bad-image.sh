#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Bad kernel images: each refused with ENOEXEC or harmless, nothing leaked,
# nothing said.
# vm: kernel=uml prog=bad_image timeout=400
# vm: kernel=debug prog=bad_image args=few timeout=600
exec ./bad_image "$@"
