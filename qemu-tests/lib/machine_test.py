# SPDX-License-Identifier: GPL-2.0
"""What /init says, also where it has lost a word, as it does when it has no memory."""

import time
import unittest

import judge
import machine


def deaf():
    """A machine without a kernel."""
    m = machine.Machine.__new__(machine.Machine)
    m.watcher = m.status = m.done = m.trouble = None
    m.booted = False
    m.received = {"out": 10, "get": 0}
    m.sent = {"out": 0, "get": 0}
    m.args = type("args", (), {"timeout": 1})
    return m


class Lines(unittest.TestCase):
    """machine.Machine.hear()"""

    def test_as_it_should_be(self):
        """Status, and how much was sent."""
        m = deaf()
        m.hear("command 3")
        m.hear("done 3 11 0 0 0 1 1")
        self.assertEqual((m.status, m.trouble), (3, None))
        self.assertFalse(m.complete())
        m.received["out"] = 11
        self.assertTrue(m.complete())

    def test_words_that_are_lost(self):
        """Each is a sentence, and ends the run."""
        for line in ("command ", "command x", "done ", "done 0", "done 0  0 0 0", "done 0 1 x"):
            m = deaf()
            m.hear(line)
            self.assertIn(f"said '{line}'", m.trouble, line)
            if line.startswith("done"):
                self.assertTrue(m.complete(), line)

    def test_stacks(self):
        """When all have been shown, waiting for more is over soon; and never later than it was."""
        m = deaf()
        m.deadline = time.monotonic() + machine.LAST_WORDS
        m.hear("stacks")
        self.assertLessEqual(m.deadline, time.monotonic() + machine.ON_ITS_WAY)
        m.deadline = 5.0
        m.hear("stacks")
        self.assertEqual(m.deadline, 5.0)

    def test_loading_is_slow(self):
        """The time of the command begins when it does, as /init counts it."""
        m = deaf()
        m.hear("boot 6.12")
        m.deadline -= machine.LAST_WORDS
        m.hear("loaded")
        self.assertGreater(m.deadline, time.monotonic() + machine.LAST_WORDS)

    def test_health(self):
        """A taint that was not read is no health."""
        self.assertIsNone(judge.health("0", "0", "1", "1"))
        self.assertIn("taint", judge.health("", "0", "1", "1"))
        self.assertIn("taint", judge.health("0", "", "1", "1"))


if __name__ == "__main__":
    unittest.main()
