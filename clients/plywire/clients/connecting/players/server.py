"""A server as a player."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from plywire.clients.connecting.client import Backoff, Client
from plywire.clients.connecting.errors import (
    BadServerError,
    ClientError,
    CommandError,
    ConnectionLostError,
)
from plywire.clients.play.errors import (
    PlayerCrashedError,
    PlayerError,
    PlayerGarbledError,
    PlayerIllegalMoveError,
)
from plywire.clients.play.players.base import GameLine, Player
from plywire.engine.game import Game, IllegalMoveError
from plywire.protocol.messages.limits import Limits


class ServerPlayer(Player):
    """A player that lets the engine of a server think."""

    def __init__(
        self,
        url: str,
        limits: Limits | None = None,
        *,
        level: int | None = None,
        name: str | None = None,
    ) -> None:
        """Play through a server; raises ValueError if the URL is not a server's.

        With a `level`, only time limits count.
        """
        self.name = name or url
        self.url = url
        self.limits = limits
        self._level = level
        self._client = Client(url, backoff=Backoff(attempts=4))

    async def start(self, game: Game) -> None:
        """Connect if necessary, begin a new game, and wait until the server's engine is ready."""
        with _as_player_errors():
            await self._client.new_game(game.name, game.size)
            with suppress(CommandError):  # some servers do not know `prepare`
                await self._client.prepare()

    async def choose(self, line: GameLine, limits: Limits) -> int:
        if self._level is not None:
            limits = limits.of_time
        with _as_player_errors():
            await self._client.position(line.start.fen(), *line.names)
            search = self._client.go(limits, level=self._level)
            search.on_info = self.on_info
            best = await search
        of_move = (info.searched for info in search.lines if info.pv[:1] == (best.move,))
        self.searched = next(of_move, None)
        if best.move is None:
            raise PlayerIllegalMoveError("it gave up a game that is not over")
        try:
            return line.position.game.parse_move(line.position, best.move)
        except IllegalMoveError as error:
            raise PlayerIllegalMoveError(str(error)) from None

    async def close(self) -> None:
        await self._client.close()


@contextmanager
def _as_player_errors() -> Iterator[None]:
    kinds: dict[type[ClientError], type[PlayerError]] = {
        ConnectionLostError: PlayerCrashedError,
        BadServerError: PlayerGarbledError,
        CommandError: PlayerGarbledError,
    }
    try:
        yield
    except ClientError as error:
        kind = next(kinds[kind] for kind in kinds if isinstance(error, kind))
        raise kind(str(error)) from error
