"""A game that a bot plays in an arena, and its move in it."""

import asyncio
import logging
import time
from dataclasses import dataclass

from plywire.clients.play.errors import PlayerError, PlayerIllegalMoveError, PlayerResignedError
from plywire.clients.play.players.base import GameLine, Player
from plywire.engine.registry import load
from plywire.protocol.messages import arena
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Searched

from .connection import ArenaConnection

log = logging.getLogger(__name__)

#: A player that fails so often in one turn is resigned for.
_ATTEMPTS = 3
#: Without a time limit, who is silent for so many ms is noted down as such.
_SILENCE = 30_000


@dataclass(slots=True)
class Table:
    """A game that is being played."""

    connection: ArenaConnection
    start: arena.Start
    player: Player
    turn: int = -1
    """The latest that the bot was told of."""
    answer: arena.Play | arena.Resign | None = None
    """The answer to it, None until it is found."""
    thinking: asyncio.Task[None] | None = None
    is_ready: bool = False
    """Whether the player was told of the game."""

    async def move(self, turn: arena.Turn) -> None:
        """Find the move and play it, or tell what the player did instead."""
        self.answer = await self._choose(turn)
        await self.connection.say(self.answer)

    async def _choose(self, turn: arena.Turn) -> arena.Play | arena.Resign:
        """Play the player's move; resign if it fails again and again, each time started anew.

        An illegal move is not asked for again: it loses at once, as it does in a match.
        """
        game = load(self.start.game, self.start.size)
        line = GameLine.at(game.parse(turn.fen))
        line = line.play_names(turn.moves)
        began = time.monotonic()
        failures, told = 0, set[str]()
        while True:
            try:
                if failures or not self.is_ready:
                    await self.player.start(game)
                    self.is_ready = True
                gone = round((time.monotonic() - began) * 1000)
                limits = turn.limits.after(self.start.player, gone)
                self.player.searched = None
                move = await self._wait_for_move(line, limits)
                for warning in self.player.take_warnings():
                    log.warning("odd table=%s turn=%d %s", turn.table, turn.turn, warning)
                said = self.player.searched or Searched()
                return arena.Play(table=turn.table, turn=turn.turn, move=move, **dict(said))
            except PlayerResignedError:
                return arena.Resign(table=turn.table)
            except PlayerError as error:
                failures += 1
                if str(error) not in told:
                    told.add(str(error))
                    log.warning("failed table=%s turn=%d error=%s", turn.table, turn.turn, error)
                await asyncio.gather(self._note(str(error)), self.player.close())
                if failures >= _ATTEMPTS or isinstance(error, PlayerIllegalMoveError):
                    return arena.Resign(
                        table=turn.table, termination=error.termination.value, reason=str(error)
                    )

    async def _wait_for_move(self, line: GameLine, limits: Limits) -> str:
        """The name of the player's move.

        If it does not come in its time, the player's last lines go on the record.
        """
        left = limits.left(self.start.player)
        within = _SILENCE if left is None else left
        asked = limits.narrowed(self.player.limits)
        choosing = asyncio.ensure_future(self.player.choose(line, asked))
        try:
            done, _ = await asyncio.wait([choosing], timeout=within / 1000)
            if not done:
                # The game is lost when the server says so: it may still count the move.
                await self._note(f"no answer in {within} ms")
            return line.chosen(await choosing).names[-1]
        finally:
            choosing.cancel()
            await asyncio.gather(choosing, return_exceptions=True)

    async def _note(self, text: str) -> None:
        """Have the last lines of the player on the record, and what was wrong with it.

        Not those that may show its code: the record is public.
        """
        lines = [line for line in self.player.last_lines if not line.startswith("! ")] + [text]
        notes = [arena.Note(table=self.start.table, text=line) for line in lines]
        await asyncio.gather(*map(self.connection.tell, notes))
