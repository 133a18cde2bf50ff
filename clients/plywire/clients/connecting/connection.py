"""Drive one connection: send commands, and match the events to the commands that they answer."""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass

from plywire.protocol.connection import Fault
from plywire.protocol.controller_connection import ControllerConnection, OddLine
from plywire.protocol.dialects.base import Driving
from plywire.protocol.errors import StateError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event

from .errors import BadServerError, ClientError, CommandError, ConnectionLostError
from .transports.base import ClientTransport

Listener = Callable[[Event], None]


@dataclass(slots=True)
class _Question:
    command: Command
    answer: asyncio.Future[Event]
    listener: Listener


class ClientConnection:
    """One connection; when it is broken, every command raises the reason."""

    def __init__(
        self,
        transport: ClientTransport,
        dialect: Driving,
        on_notice: Listener | None = None,
        on_broken: Callable[[], None] = lambda: None,
        *,
        silence: float | None = None,
        on_odd_line: Callable[[OddLine], object] = lambda line: None,
    ) -> None:
        """Take over a connected transport; must be called within a running event loop.

        Notices, which answer no command, go to `on_notice`. `on_broken` is called once, when the
        connection breaks. Odd lines that a tolerant dialect accepts go to `on_odd_line`.

        `silence` detects dead connections. While an answer or notices are awaited, a ping is sent
        every `silence` seconds; the connection breaks if no answer comes within another `silence`
        seconds.
        """
        self.transport = transport
        self._on_notice = on_notice
        self._on_broken = on_broken
        self._connection = ControllerConnection(dialect, on_odd_line=on_odd_line)
        self._questions: dict[str | int, _Question] = {}
        self._ids = itertools.count(1)
        self._broken: ClientError | None = None
        self._tasks = [asyncio.create_task(self._read())]
        if silence is not None:
            self._tasks.append(asyncio.create_task(self._keep_alive(silence)))

    @property
    def is_open(self) -> bool:
        return self._broken is None

    async def ask(self, command: Command, listener: Listener = lambda event: None) -> Event:
        """Send a command and return the event that closes it; earlier events go to the listener.

        Events come without the ids that this method adds. If the caller is cancelled, the answer
        still arrives, and is ignored.

        Raises CommandError if the command is refused, ConnectionLostError or BadServerError if the
        connection breaks, and UnspeakableError if the dialect has no words for the command.
        """
        if self._broken is not None:
            raise self._broken
        number = next(self._ids)
        question = _Question(command, asyncio.get_running_loop().create_future(), listener)
        try:
            self._connection.send(command.model_copy(update={"id": number}))
        except StateError as error:
            raise CommandError(ErrorCode.BUSY, str(error)) from None
        self._questions[number] = question
        try:
            try:
                await self.transport.write(self._connection.lines_to_send())
            except OSError as error:
                self._break(ConnectionLostError(f"the connection was lost: {error}"))
            event = await question.answer
        finally:
            self._questions.pop(number, None)
        if isinstance(event, Error):
            raise CommandError(event.code, event.message)
        return event

    async def close(self) -> None:
        self._break(ConnectionLostError("the connection is closed"))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.transport.close()

    async def _keep_alive(self, silence: float) -> None:
        while self.is_open:
            await asyncio.sleep(silence)
            if not self._questions and self._on_notice is None:
                continue
            try:
                async with asyncio.timeout(silence):
                    await self.ask(play.Ping())
            except TimeoutError:
                self._break(ConnectionLostError(f"no sign of life in {silence} seconds"))
            except CommandError:
                pass  # a refusal also shows that the server is alive
            except ClientError:
                return

    async def _read(self) -> None:
        try:
            while data := await self.transport.read():
                self._connection.receive_data(data)
                self._dispatch()
            self._connection.receive_eof()
            self._dispatch()
        except Exception as error:
            # Break the connection with a reason, so that commands that wait for answers fail.
            reason = BadServerError(f"cannot read the answer: {error!r}")
            reason.__cause__ = error
            self._break(reason)
        self._break(ConnectionLostError("the other end closed the connection"))

    def _dispatch(self) -> None:
        while (event := self._connection.next_event()) is not None:
            if isinstance(event, Fault):
                # If no command waits for an answer, an unreadable line is ignored.
                if self._questions:
                    self._break(BadServerError(event.error.message))
                continue
            if event.is_notice:
                if self._on_notice is not None:
                    self._on_notice(event)
                continue
            question = None if event.id is None else self._questions.get(event.id)
            if question is None or question.answer.done():
                if isinstance(event, play.Bye):
                    self._break(ConnectionLostError(event.reason or "the other end said goodbye"))
                continue
            event = event.model_copy(update={"id": None})
            if question.command.is_closed_by(event):
                question.answer.set_result(event)
            else:
                question.listener(event)

    def _break(self, reason: ClientError) -> None:
        if self._broken is None:
            self._broken = reason
            self._on_broken()
        for question in self._questions.values():
            if not question.answer.done():
                question.answer.set_exception(self._broken)
