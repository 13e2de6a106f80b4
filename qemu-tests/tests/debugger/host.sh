#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# gdb and perf on the driver (Documentation/debugging.rst): a breakpoint in the bottom half, a VA
# block printed, a step through an eviction; and the run is none the worse for it.
# host: timeout=1200
. ./lib.sh

"$QEMU_TESTS/install-packages" "$QEMU_TESTS/packages-debug" > install.log 2>&1 ||
	not_ok "gdb and perf can be installed" "$(cat install.log)"

cat > script <<-'EOF'
	tbreak uvm_fault_fetch
	continue
	backtrace
	tbreak uvm_service_try
	continue
	printf "block %#lx of %d pages\n", service->request.block->start, service->request.block->state.region.outer
	tbreak uvm_va_block_evict
	continue
	next
	next
	frame
	info source
	printf "evicts %#lx\n", block->start
	detach
EOF
"$VM" --kernel uml --gdb "-batch -x script" -- \
	uvm run triad --oversubscription 150 --quiet > out 2>&1 < /dev/null
expect "the launcher ends well" 0 $?
check "a breakpoint in the bottom half" grep -q '^#0 .* uvm_fault_fetch .*fault_buffer.c' out
check "with the stack down to the kernel's thread" grep -q '^#.* kthread ' out
check "a VA block is printed" grep -q '^block 0x10.* of 512 pages$' out
check "an eviction is stepped through" grep -q '^#0 .* uvm_va_block_evict .*block_evict.c' out
check "its block is known" grep -q '^evicts 0x10' out
# The stack that the page shows is this one.
page=$QEMU_TESTS/../Documentation/debugging.rst
for place in $(sed -n 's/.* at \([a-z/_]*\.c\):\.\.\.$/\1/p' "$page"); do
	check "the page's $place" grep -q " at $place:[0-9]*\$" out
done
tree=$(realpath "$QEMU_TESTS/..")
expect "gdb opens the source of this tree" "$tree/uvm/block/block_evict.c" "$(sed -n 's/^Located in //p' out)"
check "the run verifies" grep -q 'triad.*: verified' out

# A profile has the modules' functions by name.
"$VM" --kernel uml --perf -- \
	'for i in 1 2 3; do uvm run sgemm --m 512 --n 512 --k 128 --quiet; done' > profiled 2> profile
expect "perf: the launcher ends well" 0 $?
expect "perf: the runs verify" 3 "$(grep -c 'sgemm.*: verified' profiled)"
check "perf: the interpreter is where the time goes" grep -q ' % .*\[softgpu\]' profile
[ "$failures" = 0 ] || note "$(head -n 100 out profile)"
finish
