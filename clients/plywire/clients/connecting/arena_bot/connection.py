"""A bot's connection to an arena: the login, returning to a session, and commands."""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from plywire.clients.connecting.client import Backoff
from plywire.clients.connecting.connection import ClientConnection
from plywire.clients.connecting.errors import (
    BadServerError,
    ClientError,
    CommandError,
    ConnectionLostError,
)
from plywire.clients.connecting.transports.base import ClientTransport
from plywire.clients.connecting.transports.url import without_password
from plywire.protocol.dialects.json import JsonDriving
from plywire.protocol.messages import arena
from plywire.protocol.messages.base import Command, ErrorCode, Event
from plywire.protocol.messages.play import Quit

log = logging.getLogger(__name__)

#: Error codes of temporary refusals. After any other refusal, the bot does not try again.
FOR_NOW = {
    ErrorCode.BUSY,
    ErrorCode.DRAINING,
    ErrorCode.INTERNAL,
    ErrorCode.TOO_MANY,
    ErrorCode.UNAVAILABLE,
}


class ArenaConnection:
    """A bot's connection to an arena; it can be opened again after it was lost."""

    def __init__(
        self,
        url: str,
        login: arena.Login,
        open_transport: Callable[[], Awaitable[ClientTransport]],
        on_notice: Callable[[Event], None],
        on_new_session: Callable[[], None],
        *,
        backoff: Backoff,
        timeout: float,
    ) -> None:
        """Set up a connection; `open` opens it.

        `on_new_session` is called if the old session is over. Its games then are over, too, or the
        server announces them again. `timeout`, in seconds, is for the connection, the login and
        signs of life.
        """
        self._url = url
        self._login = login
        self._open_transport = open_transport
        self._on_notice = on_notice
        self._on_new_session = on_new_session
        self._backoff = backoff
        self._timeout = timeout
        self._session: str | None = None
        self._connection: ClientConnection | None = None
        self.lost = asyncio.Event()
        """Set when the connection is lost; each connection has a new event."""

    async def open(self) -> arena.Welcome:
        """Return to the session if there is one, else log in; try repeatedly, with back-off.

        Raises CommandError after a final refusal, ConnectionLostError if all attempts failed.
        """
        shown, attempts = without_password(self._url), self._backoff.attempts
        for attempt in itertools.count(1):
            try:
                async with asyncio.timeout(self._timeout):
                    return await self._enter()
            except CommandError as error:
                if error.code not in FOR_NOW - {ErrorCode.UNAVAILABLE}:
                    raise
                problem = f"{shown} refuses: {error}"
            except (OSError, ConnectionLostError, BadServerError) as error:
                problem = f"no connection to {shown}: {str(error) or 'no answer'}"
            if attempt >= attempts:
                break
            delay = self._backoff.delay(attempt)
            log.warning("%s; attempt %d of %d in %.1f s", problem, attempt + 1, attempts, delay)
            await asyncio.sleep(delay)
        raise ConnectionLostError(problem)

    async def _enter(self) -> arena.Welcome:
        await self._hang_up()
        self.lost = lost = asyncio.Event()
        transport = await self._open_transport()
        self._connection = connection = ClientConnection(
            transport, JsonDriving(), self._on_notice, lost.set, silence=self._timeout
        )
        welcome = await self._welcome(connection)
        self._session = welcome.session
        log.info("logged in name=%s tables=%d", welcome.name, welcome.tables)
        return welcome

    async def _welcome(self, connection: ClientConnection) -> arena.Welcome:
        if self._session is not None:
            try:
                return _welcome(await connection.ask(arena.Resume(session=self._session)))
            except CommandError as error:
                if error.code != ErrorCode.UNAUTHORIZED:
                    raise
            self._session = None
            self._on_new_session()
        return _welcome(await connection.ask(self._login))

    async def ask(
        self, command: Command, on_event: Callable[[Event], None] = lambda event: None
    ) -> Event:
        if self._connection is None:
            raise ConnectionLostError("the connection is closed")
        return await self._connection.ask(command, on_event)

    async def tell(self, command: Command) -> bool:
        """Send a command and return whether the server carried it out; log a refusal or a loss."""
        if self._connection is None:
            return False
        try:
            await self._connection.ask(command)
        except CommandError as error:
            log.warning("refused command=%s error=%s", command.type, error)
        except (ConnectionLostError, BadServerError) as error:
            log.info("lost command=%s error=%s", command.type, error)
        else:
            return True
        return False

    async def say(self, command: Command) -> None:
        await self.tell(command)

    async def close(self) -> None:
        if self._connection is not None:
            with suppress(ClientError, TimeoutError):
                async with asyncio.timeout(1):
                    await self._connection.ask(Quit())
        await self._hang_up()

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


def _welcome(event: Event) -> arena.Welcome:
    if not isinstance(event, arena.Welcome):
        raise BadServerError(f"the server answered with {event.type}")
    return event
