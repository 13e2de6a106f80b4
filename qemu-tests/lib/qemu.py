# SPDX-License-Identifier: GPL-2.0
"""A kernel in a virtual machine: how QEMU is started."""

import os
import re

from start import Start

# What /init talks through: virtio ports have names, so it need not be told.
PORTS = {}
TTY = "/dev/ttyS1"
# How /init mounts a directory of this machine.
SHARE = "-t 9p -o trans=virtio,version=9p2000.L,msize=262144 share"
CONSOLE = "/dev/ttyS0"


def kvm_works():
    """A /dev/kvm that opens proves nothing without vmx or svm in the CPU."""
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        if not re.search(r"^flags\s*:.*\b(vmx|svm)\b", f.read(), re.M):
            return False
    return os.access("/dev/kvm", os.R_OK | os.W_OK)


def accel_args(accel):
    """QEMU's words for an accelerator."""
    if accel == "kvm" or (accel == "auto" and kvm_works()):
        return ["-accel", "kvm"]
    if accel == "icount":
        return ["-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off"]
    return ["-accel", "tcg,thread=multi"]


def disk(args, initrd):
    """The file behind --disk, sparse, beside the initramfs."""
    path = f"{initrd}.disk"
    with open(path, "wb") as f:
        f.truncate(args.disk << 20)
    return path


def start(args, image, initrd, console, ports):
    """The command line of QEMU."""
    # oops=panic: after an oops nothing can be believed.  The watchdogs are
    # given time for hosts that have more to do than to run this VM.
    append = ("console=ttyS0 panic=-1 oops=panic no_timer_check watchdog_thresh=30 "
              f"rcupdate.rcu_cpu_stall_timeout=120 {args.append}")
    # q35, because routing the default machine's PCI interrupt takes a kernel
    # with KASAN 14 seconds of ACPI byte code.
    # erms, fsrm: with them every memset and page clear is a byte loop under TCG.
    # la57: 6.12 forgets for an instant, while booting, that it has five page
    # table levels; an interrupt just then is a false KASAN report.
    argv = ["qemu-system-x86_64", "-machine", "q35", *accel_args(args.accel),
            "-cpu", "max,-erms,-fsrm,-la57", "-smp", str(args.cpus), "-m", str(args.memory),
            "-nodefaults", "-display", "none", "-no-reboot",
            "-kernel", image, "-initrd", initrd, "-append", append,
            "-serial", f"file:{console}", "-device", "virtio-serial-pci"]
    if args.disk:
        argv += ["-drive", f"file={disk(args, initrd)},if=none,id=disk,format=raw",
                 "-device", "nvme,serial=softuvm,drive=disk"]
    if args.share:
        # commas separate options: one in a path is doubled
        path = os.path.abspath(args.share).replace(",", ",,")
        argv += ["-virtfs", f"local,path={path},mount_tag=share,security_model=none"]
    if args.tty:
        argv += ["-serial", "mon:stdio"]
    for name, port in ports.items():
        argv += ["-chardev", f"socket,id={name},fd={port.fileno()}",
                 "-device", f"virtserialport,chardev={name},name={name}"]
    return Start(argv)
