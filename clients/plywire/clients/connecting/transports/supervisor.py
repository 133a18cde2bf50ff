"""Run a program, and kill all its descendants at its end or when our parent process dies.

    python -I -S supervisor.py LIFELINE PROGRAM ARGUMENT...

LIFELINE is the number of an inherited socket. When its other end is closed, the supervisor kills
all its descendants. If the parent is killed, the system closes that end. First the supervisor
writes the result of the start and a line end: `0`, or an error number.

On Linux the supervisor is a child subreaper: orphaned descendants in any session become its
children, so none escapes. Elsewhere it kills only the program's process group. It runs as a script
once for each program, so it imports little.
"""

import os
import select
import signal
import sys
from contextlib import suppress

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def main(lifeline: int, command: list[str]) -> int:
    """Supervise a program to its end, and return its wait status."""
    os.set_inheritable(lifeline, False)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    woken = _wake_on_signals()
    program = _start(lifeline, command)
    _release_streams()
    status = _wait(lifeline, woken, program)
    _kill_descendants(program)
    return status


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _wake_on_signals() -> int:
    """Return a descriptor from which signals can be read; they no longer end this process."""
    woken, wake = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    return woken


def _start(lifeline: int, command: list[str]) -> int:
    """Start the program in its own session; exit if the program cannot be started."""
    failure_out, failure_in = os.pipe()  # a successful `exec` closes `failure_in`
    supervisor = os.getpid()
    program = os.fork()
    if program == 0:
        os.setsid()
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        # Python ignores these signals, and the program would inherit that: restore the default.
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        try:
            if os.getppid() == supervisor:
                os.execvp(command[0], command)
        except OSError as error:
            os.write(failure_in, str(error.errno).encode())
        finally:
            os._exit(127)
    os.close(failure_in)
    failure = os.read(failure_out, 16)
    os.close(failure_out)
    with suppress(OSError):  # the other end may have closed the lifeline
        os.write(lifeline, (failure or b"0") + b"\n")
    if failure:
        sys.exit(127)
    return program


def _release_streams() -> None:
    """Close our ends of the program's pipes, so that readers wait only for the program."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)


def _wait(lifeline: int, woken: int, program: int) -> int:
    """Wait for the program, and kill it when the lifeline closes; return its wait status."""
    waiting = select.poll()
    waiting.register(lifeline, select.POLLIN)
    waiting.register(woken, select.POLLIN)
    while True:
        if lifeline in dict(waiting.poll()):
            return int(signal.SIGKILL)
        signals = os.read(woken, 1024)
        if signals.strip(bytes([signal.SIGCHLD])):
            return int(signal.SIGTERM)
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == program:
                    return ended[1]


def _kill_descendants(program: int) -> None:
    """Kill our children and their orphans; outside Linux, kill the program's process group."""
    if sys.platform != "linux":
        with suppress(OSError):
            os.killpg(program, signal.SIGKILL)
        return
    while [pid for pid in _children() if _kill(pid)]:
        os.waitpid(-1, 0)


def _kill(pid: int) -> bool:
    """Kill a process; return False if it is gone or not ours to kill."""
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return False
    return True


def _children() -> list[int]:
    own, found = os.getpid(), []
    for name in filter(str.isdecimal, os.listdir("/proc")):  # noqa: PTH208 - pathlib loads slowly
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
            # The line is "PID (NAME) STATE PARENT …". The name may contain any character, so search
            # for the last `)`.
            if int(file.read().rpartition(b")")[2].split()[1]) == own:
                found.append(int(name))
    return found


def _end_like(status: int) -> None:
    if os.WIFSIGNALED(status):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the program has dumped core already
        with suppress(OSError):  # SIGKILL has no handler to reset
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    _end_like(main(int(sys.argv[1]), sys.argv[2:]))
