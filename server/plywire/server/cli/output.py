"""What becomes of a command whose output cannot be written: nobody reads it, or a disk is full."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

#: What a shell says of a program that SIGPIPE ended.
_NOBODY_READS = 128 + 13
_FAILED = 1


class _Output(io.FileIO):
    """A stream that may fail; from then on, all that is written goes nowhere."""

    status = 0
    """With which the command is to end, 0 if all could be written."""

    def write(self, data: ReadableBuffer) -> int:
        """Write; if that fails, end the command if this is its standard output.

        Errors may go unread: a server outlives the reader of its log.
        """
        try:
            return super().write(data)
        except OSError as error:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            if self.fileno() == 1:
                self.status = _NOBODY_READS if error.errno == errno.EPIPE else _FAILED
                if self.status == _FAILED:
                    print(f"plywire: standard output: {error.strerror}", file=sys.stderr)
                self._end()
            return memoryview(data).nbytes

    def _end(self) -> None:
        asyncio = sys.modules.get("asyncio")
        if asyncio is None or asyncio._get_running_loop() is None:
            raise SystemExit(self.status)
        # As Ctrl-C does, for asyncio complains of an exit in the midst of a task.
        signal.raise_signal(signal.SIGINT)


@contextmanager
def ending_quietly() -> Iterator[None]:
    """End a command without a traceback when its standard output cannot be written any more.

    Wherever it writes; no OSError is raised, which might be taken for a fault of a file. Games and
    journals are closed as after Ctrl-C.
    """
    outputs = []
    for name, number in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        # A terminal does not fail, and what tests put there is theirs.
        if isinstance(stream, io.TextIOWrapper) and _may_fail(stream, number):
            stream.flush()
            outputs.append(_Output(number, "w", closefd=False))
            made = io.TextIOWrapper(
                io.BufferedWriter(outputs[-1]),
                encoding=stream.encoding,
                errors=stream.errors,
                line_buffering=stream.line_buffering,
                write_through=stream.write_through,
            )
            setattr(sys, name, made)
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # as where a command is started without one
                stream.flush()
        for output in outputs:
            if output.status:
                raise SystemExit(output.status)


def _may_fail(stream: io.TextIOWrapper, number: int) -> bool:
    try:
        return stream.fileno() == number and not stream.isatty()
    except (OSError, ValueError):  # closed, or no file at all
        return False
