"""End a command whose output cannot be written: its reader left, or the disk is full."""

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

#: The exit status that a shell reports when SIGPIPE has ended a program.
_NOBODY_READS = 128 + 13
_FAILED = 1


class _Output(io.FileIO):
    """A stream that discards everything after its first failure."""

    status = 0
    """Exit status of the command after a failure; 0 if there was none."""

    def write(self, data: ReadableBuffer) -> int:
        """Write; end the command if standard output fails, but not if the log fails."""
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
        # If a task exits, asyncio reports an error. Ctrl-C ends the program without one.
        signal.raise_signal(signal.SIGINT)


@contextmanager
def ending_quietly() -> Iterator[None]:
    """End a command as after Ctrl-C, without a traceback, when its standard output fails."""
    outputs = []
    for name, number in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        # Replace only real files and pipes: terminals do not fail, and streams of tests must stay.
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
            if stream is not None:  # A command may be started without this stream.
                stream.flush()
        for output in outputs:
            if output.status:
                raise SystemExit(output.status)


def _may_fail(stream: io.TextIOWrapper, number: int) -> bool:
    try:
        return stream.fileno() == number and not stream.isatty()
    except (OSError, ValueError):  # The stream is closed, or it is not a file.
        return False
