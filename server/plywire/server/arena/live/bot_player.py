"""A bot that is logged in, as a player in a game."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Literal

from plywire.clients.play.errors import GameEndedError, PlayerIllegalMoveError, Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.players.base import GameLine, Player
from plywire.engine.game import Game, IllegalMoveError
from plywire.protocol.messages import arena
from plywire.protocol.messages.base import ErrorCode, Event
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Searched
from plywire.server.errors import RefusedError
from plywire.server.rate_limit import TokenBucket

from .remote_bot import RemoteBot

#: Number of a bot's last lines that are kept. If the bot fails, the record of the game shows them.
_LAST_LINES = 8
#: Number of notes that are kept for a game. `plywire bot` sends at most this number about a failed
#: program.
_NOTES = 17
#: Maximum number of lines that a player may say in a game: each second, and in a burst.
_TALK = (1.0, 5)


class BotPlayer(Player):
    """A bot as the player in one game."""

    is_elsewhere = True

    def __init__(
        self,
        bot: RemoteBot,
        table: str,
        *,
        player: Literal[1, 2],
        opponent: str,
        limits: Limits,
        line: GameLine,
        offer: int | None = None,
        rated: bool = False,
    ) -> None:
        """Seat a bot at a table, in a game that begins or goes on after the line.

        `offer` is the number of the offer that led to the game. `rated` says whether the game
        counts for the ratings without a tournament.
        """
        self.bot = bot
        self.table = table
        self.name = bot.name
        self.player: Literal[1, 2] = player
        self.has_moved = False
        self._opponent = opponent
        self._offer = offer
        self._rated = rated
        self._terms = limits
        self._line = line
        self._fen = line.start.fen()
        self.opponent_bot: RemoteBot | None = None
        self._is_called = asyncio.Event()
        self._is_started = False
        self._asked_at = 0.0
        self._turn: arena.Turn | None = None
        self._answer: asyncio.Future[str] | None = None
        self._expired: int | None = None
        """The turn that was cancelled; a move for that turn comes too late."""
        self._given: dict[int, str] = {}
        self._kept: dict[int, asyncio.Future[RefusedError | None]] = {}
        self._illegal = ""
        self._end: GameEndedError | None = None
        self._last: deque[Event | str] = deque(maxlen=_LAST_LINES)
        self._notes: deque[str] = deque(maxlen=_NOTES)
        self._talk = TokenBucket(*_TALK, bot.clock.now())

    @property
    def lag(self) -> int:  # type: ignore[override]
        return self.bot.lag

    @property
    def is_away(self) -> bool:  # type: ignore[override]
        return not self.bot.is_here

    @property
    def last_lines(self) -> tuple[str, ...]:
        last = (
            line if isinstance(line, str) else f"> {line.model_dump_json(exclude_none=True)}"
            for line in self._last
        )
        return (*last, *self._notes)

    async def called(self) -> None:
        """Wait until the bot has been sent the game, or the game is ended from outside."""
        await self._is_called.wait()

    async def start(self, game: Game) -> None:
        if not self._is_started:
            self._is_started = True
            self.send_state()

    async def choose(self, line: GameLine, limits: Limits) -> int:
        if self._end is not None:
            raise self._end
        self._line = line
        self._answer = asyncio.get_running_loop().create_future()
        self._asked_at = self.bot.clock.now()
        self._turn = arena.Turn(
            table=self.table,
            turn=len(line.moves),
            limits=limits,
            fen=self._fen,
            moves=line.names,
        )
        self._notify(self._turn)
        try:
            name = await self._answer
            return line.position.game.parse_move(line.position, name)
        except asyncio.CancelledError:
            self._expired = self._turn.turn
            raise
        except IllegalMoveError as error:
            self._illegal = str(error)
            raise PlayerIllegalMoveError(self._illegal) from None
        finally:
            self._turn = self._answer = None

    def answer(self, play: arena.Play, heard: float) -> asyncio.Future[RefusedError | None]:
        """Take the bot's move, which arrived at the time `heard`.

        The future's result is None when the move is on disk, or else the reason for a refusal.
        Raises RefusedError if the bot is not to move.
        """
        turn, move = play.turn, play.move
        if turn in self._given:
            if self._given[turn] != move:
                raise RefusedError(
                    ErrorCode.BAD_VALUE, f"turn {turn} was answered already, by {self._given[turn]}"
                )
            return self._kept[turn]
        if turn == self._expired:
            raise RefusedError(ErrorCode.GAME_OVER, f"your time for turn {turn} is over")
        if self._turn is None or self._answer is None or turn != self._turn.turn:
            raise RefusedError(
                ErrorCode.BAD_VALUE, f"it is not your turn {turn} in game {self.table}"
            )
        self._given[turn] = move
        self._kept[turn] = asyncio.get_running_loop().create_future()
        self._last.append(f'< {{"type":"play","turn":{turn},"move":"{move}"}}')
        if not self._answer.done():
            self.answered = heard
            self.searched = Searched(score=play.score, depth=play.depth, nodes=play.nodes).or_none
            self._answer.set_result(move)
        return self._kept[turn]

    @property
    def game(self) -> Game:
        return self._line.start.game

    def check_talk(self) -> None:
        """Count a line that the bot says; raises RefusedError if it says too many."""
        if not self._talk.take(self.bot.clock.now()):
            message = f"too many lines: {_TALK[0]:g} a second at a table is accepted"
            raise RefusedError(ErrorCode.TOO_MANY, message)

    def note(self, text: str) -> None:
        self._notes.append(f"< note {text}")

    def moved(self, line: GameLine, played: arena.Played) -> None:
        """Announce a move that is on disk, and acknowledge the bot's own move."""
        self._line = line
        self._notify(played)
        if played.turn in self._kept:
            self.has_moved = True
            self._kept[played.turn].set_result(None)
            self.bot.probe(if_stale=True)

    def end(self, end: GameEndedError) -> None:
        """End the game from outside: at once if the bot is to move, else on its next turn."""
        self._end = end
        self._is_called.set()
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(end)

    def leave(self, record: GameRecord | None) -> None:
        """Leave the table and send how the game ended; no record means that the server failed."""
        self.bot.tables.pop(self.table, None)
        over = arena.Over(
            table=self.table,
            termination=Termination.ABORT,
            reason="the server could not go on with the game",
        )
        if record is not None:
            over = arena.Over(
                table=self.table,
                winner=record.winner,
                score=record.score,
                termination=record.termination,
                reason=record.reason,
            )
        self.bot.notify_end(over)
        refusal = RefusedError(ErrorCode.GAME_OVER, f"the game has ended: {over.reason}")
        if self._illegal:
            refusal = RefusedError(ErrorCode.ILLEGAL_MOVE, self._illegal)
        self._refuse(refusal)

    def cut_off(self) -> None:
        self.bot.tables.pop(self.table, None)
        self._refuse(RefusedError(ErrorCode.INTERNAL, "the game was cut off: it goes on later"))

    def _refuse(self, refusal: RefusedError) -> None:
        for kept in self._kept.values():
            if not kept.done():
                kept.set_result(refusal)

    def send_state(self) -> None:
        self._is_called.set()
        self._notify(
            arena.Start(
                table=self.table,
                game=self._line.start.game.name,
                size=self._line.start.game.size,
                player=self.player,
                opponent=self._opponent,
                offer=self._offer,
                rated=self._rated,
                away=None if self.opponent_bot is None else self.opponent_bot.away,
                limits=self._terms,
                fen=self._fen,
                moves=self._line.names,
            )
        )
        if self._turn is not None and self._turn.turn not in self._given:
            gone = round((self.bot.clock.now() - self._asked_at) * 1000)
            limits = self._turn.limits.after(self.player, gone)
            self._notify(self._turn.model_copy(update={"limits": limits}))

    def _notify(self, event: Event) -> None:
        self._last.append(event)
        self.bot.notify(event)
