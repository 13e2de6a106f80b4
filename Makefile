# SPDX-License-Identifier: GPL-2.0
# What a person does with this tree; how the modules are made is in Kbuild.
#
# Kernels are fetched or built once, in SOFTUVM_CACHE; all that is built from
# this tree goes to SOFTUVM_BUILD.

SOFTUVM_CACHE ?= $(HOME)/.cache/softuvm
SOFTUVM_BUILD ?= $(CURDIR)/build
export SOFTUVM_CACHE SOFTUVM_BUILD

# Of the running kernel, for load and unload.
KDIR ?= /lib/modules/$(shell uname -r)/build
# Parameters for load, and for run and shell: make shell KERNEL=debug.  Without a
# kernel run and shell take the fastest, modules Debian's.
SOFTGPU ?=
UVM ?=
KERNEL ?=
MEMORY ?= 2048
# Programs of this machine to take along: make shell BIN="trace-cmd bpftrace".
BIN ?=
VM := qemu-tests/vm
# What make shell shows as /host.
SHARE ?= $(CURDIR)
GRAPH := $(SOFTUVM_BUILD)/debian-deps.txt
VM_ARGS = --memory $(MEMORY) --softgpu "$(SOFTGPU)" --uvm "$(UVM)" \
	$(addprefix --bin ,$(BIN))

.DEFAULT_GOAL := help
.PHONY: help packages ready tools modules run shell test test-all test-suite soak coverage bench report check hooks \
	compile_commands docs load unload clean distclean

help:		## say what the targets do
	@sed -n 's/^\([a-z_-]*\):[^#]*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 24

packages:	## install the Debian packages that are missing for anything but docs (root or sudo)
	@qemu-tests/install-packages

# Packages, kernel, modules and the uvm command, and no more than running takes.  Without MAKEFLAGS:
# those of this make are not for the kernel's.
ready:
	@MAKEFLAGS= qemu-tests/ready $(KERNEL)

tools:		## build all tools: the uvm command, and what it compiles CUDA programs with
	@qemu-tests/install-packages qemu-tests/packages qemu-tests/packages-cuda
	@MAKEFLAGS= qemu-tests/tools all

modules:	## build the modules for a kernel (KERNEL=stock|test|debug|fuzz|uml)
	@qemu-tests/install-packages qemu-tests/packages
	@qemu-tests/modules $(or $(KERNEL),stock)

run: ready $(GRAPH)	## the demo: every workload at 200 % oversubscription
	@$(VM) --kernel $(or $(KERNEL),fastest) $(VM_ARGS) --put $(GRAPH) -- \
		uvm run all --graph $(notdir $(GRAPH)) --oversubscription 200
	@echo "next: make shell (and there: uvm list), or make report; README.md has more"

# BFS searches a real graph: the dependencies of Debian's packages.
$(GRAPH):
	@echo "making the dependency graph of Debian's packages" >&2
	@mkdir -p $(@D)
	@tools/graphs/debian-deps > $@.new
	@mv $@.new $@

shell: ready	## a shell, modules loaded; this folder is /host (KERNEL=uml|test|debug|stock, SHARE=DIR)
	@$(VM) --kernel $(or $(KERNEL),fastest) $(VM_ARGS) --share "$(SHARE)" \
		--put qemu-tests/guest/greeting \
		--timeout 86400 --no-kmemleak --tty -- "cat greeting; exec sh"

# Without MAKEFLAGS: the TESTS of this one is not that of tools/Makefile.
test: packages	## the tests of a quarter of an hour; TESTS="PATTERN..." for some of all
	@MAKEFLAGS= qemu-tests/run-tests $(if $(TESTS),$(foreach t,$(TESTS),'$(t)'),--quick)

test-all: packages	## all tests that need no person, on all kernels: what CI runs, about an hour
	@MAKEFLAGS= qemu-tests/run-tests

# SUITE=DIR; NAMES="NAME..." for some of its programs
test-suite: tools	## CUDA programs in SUITE=DIR, each with all its memory and with half (NAMES="NAME...")
	@test -n "$(SUITE)" || { echo "test-suite: say SUITE=DIR, a directory with CUDA programs" >&2; exit 2; }
	@tools/cuda/suite/test-suite "$(SUITE)" $(NAMES)

soak: packages	## the long tests: full products, half an hour of stress
	@MAKEFLAGS= qemu-tests/run-tests --soak $(foreach t,$(TESTS),'$(t)')

coverage: packages	## which lines of the modules tests reach, in HTML; TESTS="PATTERN..." for some
	@qemu-tests/coverage $(TESTS)

bench: packages	## speed of the interpreter, the copies and the driver
	@qemu-tests/bench

# REPORT=batch-aware, hpe, adaptive, "batch-aware --quick", "demystifying --full": tools/report/NAME --help
report: packages	## a published evaluation beside what is measured here (REPORT=batch-aware, hpe, adaptive: the others)
	@tools/report/$(if $(REPORT),$(REPORT),demystifying)

check: packages	## W=1, sparse, checkpatch, kernel-doc, includes: prints nothing when clean
	@qemu-tests/check

hooks:		## before each commit, check what it changes (git commit --no-verify: not)
	@git config core.hooksPath qemu-tests/hooks

compile_commands: packages	## compile_commands.json, for clangd and clang-tidy
	@qemu-tests/compile-commands

docs:		## HTML documentation, in build/docs
	@qemu-tests/install-packages qemu-tests/packages-docs
	@mkdir -p $(SOFTUVM_BUILD)
	@sphinx-build -q -a -n -W --keep-going -b html -d $(SOFTUVM_BUILD)/doctrees \
		Documentation $(SOFTUVM_BUILD)/docs
	@python3 -B Documentation/links.py $(SOFTUVM_BUILD)/docs
	@echo $(SOFTUVM_BUILD)/docs/index.html

# The tree stays clean here too: objects go to build/host.
load: tools	## build for the running kernel and insmod (SOFTGPU="p=v" UVM="p=v")
	@case "$$(uname -r)" in 6.12.*) ;; *) \
		echo "softuvm supports Linux 6.12, this is $$(uname -r): use make run or make shell" >&2; \
		exit 1;; esac
	@test -d "$(KDIR)" || { echo "no headers of the running kernel at $(KDIR):" \
		"install linux-headers-$$(uname -r)" >&2; exit 1; }
	@mkdir -p $(SOFTUVM_BUILD)/host
	@find $(SOFTUVM_BUILD)/host -type l -delete
	@for s in Kbuild include softgpu uvm kunit; do cp -asf $(CURDIR)/$$s $(SOFTUVM_BUILD)/host/; done
	@$(MAKE) -s -C $(KDIR) M=$(SOFTUVM_BUILD)/host modules
	@test "$$(id -u)" = 0 || command -v sudo >/dev/null || { echo "load: needs root or sudo" >&2; exit 1; }
	@$(SUDO) insmod $(SOFTUVM_BUILD)/host/softgpu/softgpu.ko $(SOFTGPU)
	@$(SUDO) insmod $(SOFTUVM_BUILD)/host/uvm/uvm.ko $(UVM) || { $(SUDO) rmmod softgpu; exit 1; }
	@echo "loaded; $(SOFTUVM_BUILD)/tools/uvm is the command, make unload undoes this"

unload:		## rmmod both
	@$(SUDO) rmmod uvm
	@$(SUDO) rmmod softgpu

clean:		## remove what was built from this tree
	@rm -rf $(SOFTUVM_BUILD)

distclean: clean	## remove the cached kernels too
	@rm -rf $(SOFTUVM_CACHE)

SUDO := $(shell test "$$(id -u)" = 0 || echo sudo)
