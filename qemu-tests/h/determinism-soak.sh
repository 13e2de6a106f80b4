#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Determinism with larger workloads, on all kernels and numbers of CPUs.
# host: timeout=14400 when=soak
exec bash "$QEMU_TESTS/h/determinism.sh" 3
