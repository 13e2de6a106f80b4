# SPDX-License-Identifier: GPL-2.0
"""CPU seconds of processes that work, sleep, and leave their work to others."""

import os
import signal
import subprocess
import tempfile
import time
import unittest

import spent

# Works for 0.3 s of CPU time.
WORK = "import time\nwhile time.process_time() < 0.3: pass"


class Cost(unittest.TestCase):
    """spent.run() and spent.of_tree()"""

    def test_work_of_a_grandchild(self):
        """It counts, sleep does not, and the status is the command's."""
        status, cpu = spent.run(["sh", "-c", f"python3 -c '{WORK}'; sleep 0.5; exit 3"])
        self.assertEqual(status, 3)
        self.assertGreater(cpu, 0.25)
        self.assertLess(spent.run(["sleep", "0.5"])[1], 0.25)

    def test_time_over(self):
        """What does not end is killed, with what it has begun."""
        begun = time.monotonic()
        with tempfile.NamedTemporaryFile() as file:
            script = f"sh -c 'echo $$ > {file.name}; sleep 60; :'; :"
            self.assertIsNone(spent.run(["sh", "-c", script], timeout=2)[0])
            child = file.read().decode().strip()
        self.assertLess(time.monotonic() - begun, 30)
        self.assertFalse(os.path.exists(f"/proc/{child}/exe"), child)

    def test_tree(self):
        """A living one counts, too."""
        script = f"import subprocess, time\n{WORK}\nsubprocess.run(['sh', '-c', 'echo; read x'])"
        with subprocess.Popen(["python3", "-c", script], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            process.stdout.read(1)
            self.assertGreater(spent.of_tree(process.pid), 0.25)
            process.stdin.close()

    def test_signal(self):
        """A process that ends by one takes along what its threads have begun; that may put away
        its files, but not stay."""
        script = """if True:
            import signal, sys, threading
            sys.path.insert(0, sys.argv[1])
            import spent
            signal.signal(signal.SIGTERM, spent.end_by)
            spent.GRACE = 3
            def work():
                while True:
                    spent.run(["sh", "-c", sys.argv[2]])
            threads = [threading.Thread(target=work, daemon=True) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(1)"""
        here = os.path.dirname(os.path.realpath(__file__))
        for what in ("trap 'rm -f file; exit' TERM", "trap '' TERM"):
            with tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "file")
                work = f"{what.replace('file', file)}; : > {file}; echo $$; while :; do sleep 0.1; done"
                with subprocess.Popen(["python3", "-c", script, here, work],
                                      stdout=subprocess.PIPE) as process:
                    children = [int(process.stdout.readline()) for _ in range(2)]
                    process.terminate()
                    try:
                        self.assertEqual(process.wait(30), -signal.SIGTERM)
                    finally:
                        spent.kill_tree(process.pid)
                    self.assertEqual(process.stdout.read(), b"", "another one was begun")
                for child in children:
                    self.assertFalse(os.path.exists(f"/proc/{child}/exe"), child)
                self.assertEqual(os.path.exists(file), "''" in what)


if __name__ == "__main__":
    unittest.main()
