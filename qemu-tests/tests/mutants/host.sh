#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A test must fail when the code is wrong: each mutant is caught, and none is caught no
# more.
# host: timeout=14400 when=soak
exec "$QEMU_TESTS/mutants/run"
