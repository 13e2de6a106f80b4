# SPDX-License-Identifier: GPL-2.0
"""How a program of these tools ends, as any other command does: by a signal without a traceback."""

import os
import select
import signal
import sys


class Signalled(BaseException):
    """SIGTERM or SIGHUP has come; what is open is closed on the way out."""


def signalled(number, _frame):
    """Becomes an exception."""
    raise Signalled(number)


def nobody_reads():
    """stdout is a pipe, or the like, whose reader has gone."""
    poll = select.poll()
    poll.register(sys.__stdout__.fileno(), 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


def end_by(number):
    """As if the signal had not been caught."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def run(main):
    """The program: it ends with main()'s status."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signalled)
    try:
        try:
            status = main()
        except SystemExit as e:     # of argparse
            status = e.code
        sys.stdout.flush()
    except KeyboardInterrupt:
        end_by(signal.SIGINT)
    except Signalled as e:
        end_by(e.args[0])
    except BrokenPipeError:
        if not nobody_reads():
            raise
        end_by(signal.SIGPIPE)
    sys.exit(status)
