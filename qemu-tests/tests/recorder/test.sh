#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The recorder: what kernels touch is what the driver is told, to the hit.  TLBs of one entry, so
# that every page that is not the last one is walked.
# vm: kernel=uml timeout=120 softgpu="profile=tcad20 set=sm_count:1,utlb_entries:1,utlb_ways:1,l2tlb_entries:1,l2tlb_ways:1"
. ./lib.sh

golden cases/*.probe
finish
