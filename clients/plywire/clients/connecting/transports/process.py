"""Programs that we start and end, and the transport to them."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from plywire.protocol.text import printable

from .stream import CHUNK, StreamTransport

_SUPERVISOR = str(Path(__file__).with_name("supervisor.py"))


class ProcessTransport(StreamTransport):
    """Lines over the standard input and output of a program that we start and end.

    `supervisor.py` kills the program and its descendants when this process ends in any way. Windows
    has no supervisor: there `close` ends only the program.
    """

    #: Number of bytes that are kept from the end of the program's standard error.
    LAST_WORDS = 4096
    #: Maximum number of lines of standard error in `last_words`.
    LAST_LINES = 16

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        pipes: asyncio.SubprocessTransport,
        lifeline: ExitStack,
    ) -> None:
        """Take over a process whose three streams are pipes; closing the lifeline ends it."""
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise ValueError("the process needs pipes for all three of its streams")
        super().__init__(process.stdout, process.stdin)
        self._process = process
        self._pipes = pipes
        self._lifeline = lifeline
        self._last_words = b""
        self._listener = asyncio.create_task(self._listen(process.stderr))

    @classmethod
    async def start(cls, command: Sequence[str]) -> ProcessTransport:
        """Start a program; raises OSError if it cannot be started."""
        with ExitStack() as stack:
            if sys.platform == "win32":
                process, pipes = await _execute(command)
                stack.push(suppress(ProcessLookupError))
                stack.callback(process.kill)
                return cls(process, pipes, stack.pop_all())
            ours, theirs = socket.socketpair()
            stack.enter_context(ours)
            with theirs:
                number = theirs.fileno()
                supervised = (sys.executable, "-I", "-S", _SUPERVISOR, str(number), *command)
                # With its own session, the supervisor does not get a Ctrl-C that is meant for this
                # process.
                process, pipes = await _execute(
                    supervised, pass_fds=[number], start_new_session=True
                )
            transport = cls(process, pipes, stack.pop_all())
            try:
                await _started(ours, command[0])
            except BaseException:
                await transport.close()
                raise
            return transport

    @property
    def last_words(self) -> tuple[str, ...]:
        """The last lines of standard error, as `! …`, even after the program's end."""
        lines = self._last_words.decode(errors="replace").splitlines()[-self.LAST_LINES :]
        return tuple(f"! {printable(line)}" for line in lines)

    async def exit_reason(self) -> str:
        try:
            async with asyncio.timeout(1):
                code = await self._process.wait()
                await self._listener
        except TimeoutError:
            return "closed its output but runs on"
        how = f"exited with status {code}" if code >= 0 else f"was killed by signal {-code}"
        words = self._last_words.decode(errors="replace").strip().splitlines()
        return f"{how}: {words[-1]}" if words else how

    async def close(self) -> None:
        """Kill the program, if it still runs, and all its descendants."""
        self._writer.close()
        self._lifeline.close()
        # `wait` returns only after all pipes are closed. Other processes may keep the other ends
        # open, so close ours.
        for stream in range(3):
            if (pipe := self._pipes.get_pipe_transport(stream)) is not None:
                pipe.close()
        try:
            await self._process.wait()
        except asyncio.CancelledError:
            # The process ends soon, and no other code would wait for it.
            with suppress(subprocess.TimeoutExpired):
                self._pipes.get_extra_info("subprocess").wait(1)
            raise
        finally:
            # Close the pipes only after `wait`. Earlier, it would take the exit status from
            # asyncio's watcher.
            self._pipes.close()
            self._listener.cancel()

    async def _listen(self, stderr: asyncio.StreamReader) -> None:
        while chunk := await stderr.read(CHUNK):
            self._last_words = (self._last_words + chunk)[-self.LAST_WORDS :]


async def _execute(
    command: Sequence[str], **options: Any
) -> tuple[asyncio.subprocess.Process, asyncio.SubprocessTransport]:
    """Work like asyncio.create_subprocess_exec, but also return the pipes, for `close`."""
    loop = asyncio.get_running_loop()
    pipes, protocol = await loop.subprocess_exec(
        lambda: asyncio.subprocess.SubprocessStreamProtocol(limit=CHUNK, loop=loop),
        *command,
        **options,
    )
    return asyncio.subprocess.Process(pipes, protocol, loop), pipes


async def _started(lifeline: socket.socket, program: str) -> None:
    """Wait until the supervisor has started the program; raises OSError if it cannot."""
    lifeline.setblocking(False)
    message = await asyncio.get_running_loop().sock_recv(lifeline, 16)
    if not message:
        raise OSError(f"{program}: its supervisor ended")
    if number := int(message):
        raise OSError(number, os.strerror(number), program)
