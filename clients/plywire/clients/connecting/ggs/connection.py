"""A connection to GGS: the login, the commands to its Othello service, and its messages."""

import asyncio
import itertools
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from plywire.clients.connecting.client import Backoff
from plywire.clients.connecting.errors import CommandError, ConnectionLostError
from plywire.clients.connecting.transports.base import ClientTransport
from plywire.protocol.messages.base import ErrorCode

from . import messages
from .reader import GgsReader

log = logging.getLogger(__name__)

#: Commands sent after the login. They switch off output that is meant for people.
_SET_UP = ("vt100 -", "verbose -news -faq -help")


class GgsConnection:
    """A player's connection to GGS; it can be opened again after it was lost."""

    def __init__(
        self,
        where: str,
        login: str,
        password: str,
        connect: Callable[[], Awaitable[ClientTransport]],
        *,
        set_up: Sequence[str] = (),
        on_line: Callable[[str, str], None] = lambda mark, line: None,
        backoff: Backoff,
        timeout: float,
    ) -> None:
        """Set up a connection; errors name the server by `where`.

        The commands of `set_up` go to the Othello service after each login. `on_line` is called
        with `<` or `>` and each line, but not with the password. `timeout` is in seconds.
        """
        self._where = where
        self._login, self._password = login, password
        self._connect = connect
        self._set_up = set_up
        self._on_line = on_line
        self._backoff = backoff
        self._timeout = timeout
        self._transport: ClientTransport | None = None
        self._is_logged_in = False
        """Whether the login is done. Before, the server takes each line for a name or password."""
        self._reader = GgsReader()
        self._queue: deque[messages.Message] = deque()
        self._hanging_up: asyncio.Future[None] | None = None

    def is_me(self, name: str) -> bool:
        return name.lower() == self._login.lower()

    async def open(self) -> None:
        """Connect and log in, with back-off; raises CommandError or ConnectionLostError."""
        for attempt in itertools.count(1):
            try:
                async with asyncio.timeout(self._timeout):
                    await self._enter()
                return
            except OSError as error:  # TimeoutError is an OSError
                problem = f"no connection to {self._where}: {str(error) or 'no answer'}"
            await self.close()
            if attempt >= self._backoff.attempts:
                raise ConnectionLostError(problem)
            delay = self._backoff.delay(attempt)
            log.warning("%s; attempt %d in %.1f s", problem, attempt + 1, delay)
            await asyncio.sleep(delay)

    async def _enter(self) -> None:
        self._reader, self._queue = GgsReader(), deque()
        self._transport = await self._connect()
        is_known = False
        while not isinstance(message := await self.next(), messages.Ready) or not is_known:
            match message:
                case messages.Prompt(password=False):
                    await self.write(self._login)
                case messages.Prompt(password=True):
                    is_known = True
                    await self.write(self._password, shown="********")
                case messages.Refused(text=text):
                    raise CommandError(ErrorCode.UNAUTHORIZED, text or "the login is refused")
        log.info("logged in name=%s", self._login)
        self._is_logged_in = True
        await self.write(*_SET_UP)
        await self.tell(*self._set_up)

    async def next(self) -> messages.Message:
        """Return the next message; raises ConnectionResetError when the connection is lost."""
        while not self._queue:
            data = b"" if self._transport is None else await self._transport.read()
            if not data:
                raise ConnectionResetError("the server hung up")
            for item in self._reader.receive(data):
                if isinstance(item, str):
                    self._on_line("<", item)
                else:
                    self._queue.append(item)
        return self._queue.popleft()

    async def write(self, *lines: str, shown: str | None = None) -> None:
        """Send lines; if `shown` is given, `on_line` gets it instead. Raises ConnectionError."""
        if self._transport is None:
            raise ConnectionResetError("not connected")
        for line in lines:
            self._on_line(">", line if shown is None else shown)
        try:
            await self._transport.write(lines)
        except OSError as error:
            raise ConnectionResetError(str(error)) from error

    async def tell(self, *commands: str) -> None:
        """Send commands to the Othello service; raises ConnectionError."""
        if not self._is_logged_in:
            raise ConnectionResetError("not logged in")
        await self.write(*(f"tell /os {command}" for command in commands))

    async def say(self, *commands: str) -> None:
        """Send commands to the Othello service, and ignore whether they arrive."""
        with suppress(ConnectionError):
            await self.tell(*commands)

    def hang_up(self) -> None:
        """Start closing the connection; a pending read then ends with an error."""
        if self._transport is not None:
            self._hanging_up = asyncio.ensure_future(self._transport.close())

    async def close(self) -> None:
        transport, self._transport, self._is_logged_in = self._transport, None, False
        if transport is not None:
            await transport.close()
