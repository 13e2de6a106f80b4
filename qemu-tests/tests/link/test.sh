#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What SMs reach over the link to system memory, and copies beside them: first the latency, then
# the bandwidth or the tags, and never more (hardware.rst, The link to system memory).
# vm: kernel=uml timeout=300
exec ./link
