#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Bad kernel images: each refused with ENOEXEC or harmless, nothing leaked,
# nothing said.
# vm: kernel=uml timeout=400
# vm: kernel=uml-debug args=few timeout=600
exec ./bad-image "$@"
