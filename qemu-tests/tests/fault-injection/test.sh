#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Hardware that misbehaves: a fault ring that overflows goes
# unnoticed, ignored TLB invalidates are noticed, a lost replay is a hang that
# is reported at once.
# vm: kernel=uml prog=faults softgpu="set=fault_ring_entries:8" args=overflow name=ring
# vm: kernel=uml-debug prog=faults softgpu="set=fault_ring_entries:8" args=overflow name=ring when=soak
# vm: kernel=stock prog=faults softgpu="set=fault_ring_entries:8 clock=real" args=overflow name=ring-real
# vm: kernel=uml,uml-debug prog=faults args=stale-tlb name=tlb
# vm: kernel=uml prog=faults args=lost-replay name=replay
# vm: kernel=uml softgpu="set=far_faults:wait" prog=faults args=lost-replay name=wait-replay
exec ./faults "$@"
