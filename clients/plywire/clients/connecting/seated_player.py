"""A bot's player in one game; it is restarted after a failure."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from plywire.clients.play.errors import PlayerError, PlayerIllegalMoveError, PlayerResignedError
from plywire.clients.play.players.base import GameLine, Player
from plywire.protocol.messages.play import Searched

log = logging.getLogger(__name__)

#: Number of failures in one turn after which the bot resigns.
_ATTEMPTS = 3


@dataclass(slots=True, eq=False)
class SeatedPlayer:
    """A player in one game."""

    player: Player
    is_started: bool = False
    """Whether the player was started for this game and has not failed since."""

    async def move(
        self,
        line: GameLine,
        choose: Callable[[], Awaitable[int | str]],
        where: str,
        on_failure: Callable[[str], Awaitable[None]] | None = None,
    ) -> tuple[str, Searched]:
        """Return the name of the move that `choose` returns, and the player's report.

        `where` names the game in the log. `on_failure` gets the text of each failure. Raises a
        PlayerError after a resignation, an illegal move or three failures: the bot must resign.
        """
        failures, logged = 0, set[str]()
        while True:
            try:
                if not self.is_started:
                    await self.player.start(line.start.game)
                    self.is_started = True
                self.player.searched = None
                name = line.chosen(await choose()).names[-1]
                for warning in self.player.take_warnings():
                    log.warning("odd %s %s", where, warning)
                return name, self.player.searched or Searched()
            except PlayerResignedError:
                raise
            except PlayerError as error:
                failures, self.is_started = failures + 1, False
                if str(error) not in logged:
                    logged.add(str(error))
                    log.warning("failed %s error=%s", where, error)
                noting = [on_failure(str(error))] if on_failure else []
                await asyncio.gather(self.player.close(), *noting)
                if failures == _ATTEMPTS or isinstance(error, PlayerIllegalMoveError):
                    raise
