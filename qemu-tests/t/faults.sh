#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Data that goes back and forth, fatal faults and whom they hit, and every
# migration of the prefetcher against an independent model (issue D.6, D.10).
# vm: kernel=stock,uml prog=faults timeout=600
# vm: kernel=debug cpus=2 prog=faults timeout=600
exec ./faults "$@"
