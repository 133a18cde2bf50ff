"""What becomes of a command whose output is no longer read, as by `match --verbose | head`."""

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
_STATUS = 128 + 13


class _Output(io.FileIO):
    """A pipe that may break; from then on, all that is written goes nowhere."""

    is_broken = False

    def write(self, data: ReadableBuffer) -> int:
        """Write; when nobody reads any more, end the command if this is its standard output.

        Errors may go unread: a server outlives the reader of its log.
        """
        try:
            return super().write(data)
        except OSError as error:
            if error.errno != errno.EPIPE:
                raise
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)
        if self.fileno() == 1:
            self.is_broken = True
            self._end()
        return memoryview(data).nbytes

    def _end(self) -> None:
        asyncio = sys.modules.get("asyncio")
        if asyncio is None or asyncio._get_running_loop() is None:
            raise SystemExit(_STATUS)
        # As Ctrl-C does, for asyncio complains of an exit in the midst of a task.
        signal.raise_signal(signal.SIGINT)


@contextmanager
def ending_quietly() -> Iterator[None]:
    """End a command without a traceback when nobody reads its standard output any more.

    Wherever it writes; no OSError is raised, which might be taken for a fault of a file. Games and
    journals are closed as after Ctrl-C.
    """
    outputs = []
    for name, number in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        # A terminal is no pipe, and what tests put there is theirs.
        if isinstance(stream, io.TextIOWrapper) and _is_pipe(stream, number):
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
        sys.stdout.flush()
        sys.stderr.flush()
        if any(output.is_broken for output in outputs):
            raise SystemExit(_STATUS)


def _is_pipe(stream: io.TextIOWrapper, number: int) -> bool:
    try:
        return stream.fileno() == number and not stream.isatty()
    except (OSError, ValueError):  # closed, or no file at all
        return False
