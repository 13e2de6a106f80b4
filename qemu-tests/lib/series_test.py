# SPDX-License-Identifier: GPL-2.0
"""Scripts that share a VM: each gets its own output, its own reports of the kernel, its leaks."""

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


if __name__ == "__main__":
    unittest.main()
