# SPDX-License-Identifier: GPL-2.0
"""Scripts that share a VM: each gets its own output, its own reports of the kernel, its leaks."""

import os
import re
import subprocess
import unittest

import series

CONSOLE = """\
[    1.0] boot
[    2.0] series: begin 0 tests/a@debug 1000
[    2.5] WARNING: CPU: 0 PID: 1 at a
[    3.0] series: end 0 0 0:1 12288:1
[    4.0] series: begin 1 tests/b@debug 2000
[    4.5] b is well
[    5.0] series: end 1 0 12288:1 12288:1
LEAK unreferenced object 0xffff888000000010 (size 64):
LEAK   comm "a", pid 9, jiffies 1500 (age 9.0s)
LEAK   backtrace:
LEAK unreferenced object 0xffff888000000020 (size 64):
LEAK   comm "b", pid 10, jiffies 2000
uvm 466944 0xffffffffc04ba000
"""


def heard(*lines):
    """A transcript of these lines, one a second."""
    transcript = series.Transcript()
    for now, line in enumerate(lines):
        transcript.feed(line, now)
    return transcript


class Output(unittest.TestCase):
    """series.Transcript"""

    def test_words_that_are_lost(self):
        """A script whose end says nothing has failed, and its VM runs no more."""
        for end in (b"%%series end 0  0: 0:", b"%%series end 0", b"%%series end 0 0 : :"):
            t = heard(b"%%series begin 0 tests/a@stock ", b"ok 1 x", end)
            self.assertTrue(t.parts[0].status == 255 or t.parts[0].faults, end)
            self.assertTrue(t.spoilt or t.parts[0].status == 255, end)

    def test_parts(self):
        """What is between the marks, and how long it took."""
        t = heard(b"noise", b"%%series begin 0 tests/a@stock ", b"ok 1 x", b"1..1", b"",
                  b"%%series end 0 1 0: 12288:", b"%%series begin 1 tests/b@stock ", b"ok")
        self.assertEqual(t.parts[0].text, b"ok 1 x\n1..1\n\n")
        self.assertEqual((t.parts[0].status, t.parts[0].ended - t.parts[0].begun), (1, 4))
        self.assertEqual((t.now, t.parts[1].ended, t.spoilt), (1, None, False))

    def test_spent(self):
        """What the VM uses between two marks is the script's."""
        cpu = iter((3.0, 7.5))
        transcript = series.Transcript()
        for now, line in enumerate((b"%%series begin 0 tests/a@stock ", b"ok 1 x",
                                    b"%%series end 0 0 0: 0:")):
            transcript.feed(line, now, lambda: next(cpu))
        self.assertEqual(transcript.parts[0].spent(), (2, 4.5))

    def test_what_spoils_a_vm(self):
        """Taint, lockdep that has given up, a timeout; not loading, nor what is left behind,
        after which the guest ends by itself and is searched for leaks."""
        begin = b"%%series begin 0 tests/a@debug 1000"
        for lines, spoilt in (((b"%%series end 0 0 0:1 12288:1",), False),
                              ((b"%%series end 0 0 0:1 12800:1",), True),
                              ((b"%%series end 0 0 0:1 12288:0",), True),
                              ((b"%%series fault 0 leaves process 7, sleep",
                                b"%%series end 0 0 0:1 0:1"), False),
                              ((b"%%series timeout 0",), True)):
            self.assertEqual(heard(begin, *lines).spoilt, spoilt, lines)


class Console(unittest.TestCase):
    """Whose a report of the kernel is."""

    def test_sections(self):
        """Booting is the first one's."""
        found = series.sections(CONSOLE)
        self.assertEqual(sorted(found), [0, 1])
        self.assertIn("boot", found[0])
        self.assertIn("WARNING", found[0])
        self.assertNotIn("WARNING", found[1])
        self.assertEqual(series.sections("no script has begun"), {})

    def test_leaks(self):
        """Whoever ran when the object was made has leaked it."""
        found = series.leaks(CONSOLE)
        self.assertEqual(sorted(found), [0, 1])
        self.assertIn("000010", found[0])
        self.assertIn("000020", found[1])
        self.assertNotIn("uvm", found[1])

    def test_trouble(self):
        """A sentence for each way to end badly, None for a good end."""
        good, dead, hung = series.Part(0), series.Part(0), series.Part(0)
        good.ended, hung.timeout = 1, True
        console = series.sections(CONSOLE)
        self.assertIsNone(series.trouble(good, series.without_leaks(console[1]), "", ""))
        self.assertIn("WARNING", series.trouble(good, console[0], "", ""))
        self.assertIn("LEAK", series.trouble(good, "", series.leaks(CONSOLE)[1], ""))
        self.assertIn("died\nwhy", series.trouble(dead, "", "", "why"))
        self.assertIn("timeout", series.trouble(hung, "", "", ""))


def unreferenced(jiffies, *frames):
    """An object as kmemleak tells it."""
    return "".join(["unreferenced object 0xffff888000000010 (size 64):\n",
                    f'  comm "kunit_try_catch", pid 9, jiffies {jiffies}\n',
                    "  hex dump (first 32 bytes):\n", "    00 00 00 00 00 00 00 00  ........\n",
                    "  backtrace (crc 0):\n", *(f"    {frame}\n" for frame in frames)])


KUNIT_MM = ("kunit_vm_mmap_init+0x70/0x100", "__kunit_add_resource+0x60/0x90", "0x00000000646e2d10")


class Excused(unittest.TestCase):
    """Which leaks /init tells the console."""

    def told(self, *leaks):
        """How many of them."""
        path = os.path.join(series.QEMU_TESTS, "guest", "init")
        with open(path, encoding="utf-8") as f:
            awk = re.search(r"awk -v since=\S+ '\n(.*?)'", f.read(), re.S)[1]
        done = subprocess.run(["busybox", "awk", "-v", "since=1000", awk], input="".join(leaks),
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        return len(re.findall("^LEAK unreferenced", done.stdout, re.M))

    def test_kunit_mm(self):
        """KUnit's mm is no leak of ours; what our modules allocate in it is."""
        self.assertEqual(self.told(unreferenced(2000, "mm_alloc+0x10/0x40", *KUNIT_MM)), 0)
        self.assertEqual(self.told(unreferenced(2000, "kmalloc_trace+0x10/0x40",
                                                "0x0000000064101010", *KUNIT_MM)), 1)

    def test_others(self):
        """All but those from before the modules, whatever stands beside them."""
        ours = unreferenced(1000, "kmalloc_trace+0x10/0x40", "0x0000000064101010")
        self.assertEqual(self.told(unreferenced(999, "kmalloc_trace+0x10/0x40")), 0)
        self.assertEqual(self.told(ours, unreferenced(2000, *KUNIT_MM), ours), 2)
        self.assertEqual(self.told(unreferenced(2000, *KUNIT_MM), ours, unreferenced(5, "x")), 1)


if __name__ == "__main__":
    unittest.main()
