"""Bots that are logged in, and their players in games.

A bot outlives its connections, until its grace time and its games are over.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from typing import Literal

from plywire.clients.play.errors import GameEndedError, PlayerIllegalMoveError, Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.players.base import GameLine, Player
from plywire.engine.game import Game, IllegalMoveError
from plywire.protocol.messages import arena
from plywire.protocol.messages.base import ErrorCode, Event
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Searched
from plywire.server.arena.peer import Peer
from plywire.server.clock import ServerClock
from plywire.server.errors import RefusedError
from plywire.server.rate_limit import TokenBucket

from .lag_meter import LagMeter

#: Lines kept for the record of a game that a bot loses by a failure.
_LAST_LINES = 8
#: Notes kept per game: as many as `plywire bot` sends about a failed program.
_NOTES = 17
#: Offers that a bot may make in a second, and in a burst; the burst is also the most open offers.
_OFFERS = (2.0, arena.MAX_SLOTS)
#: Lines that a player may say in a game in a second, and in a burst.
_TALK = (1.0, 5)


class RemoteBot:
    """A bot that has logged in."""

    def __init__(
        self, name: str, clock: ServerClock, grace: float, gone: Callable[[RemoteBot], None]
    ) -> None:
        """Create a bot without a connection; `gone` is called after `grace` seconds without one."""
        self.name = name
        self.clock = clock
        self.games: tuple[str, ...] = ()
        """The games that the bot plays; empty for all."""
        self.slots = 1
        self.session = ""
        """The token that resumes the session."""
        self.is_guest = False
        self.owner = ""
        self.digest = b""
        self.players: dict[str, BotPlayer] = {}
        self.is_overdue = False
        """Whether the bot has been away for longer than the grace time."""
        self.dismissed = ""
        """Why the bot may not come back; empty if it may."""
        self.last_address: str | None = None
        self._grace = grace
        self._gone = gone
        self._peer: Peer | None = None
        self._missed: list[arena.Over] = []
        self._leaving: asyncio.Task[None] | None = None
        self._left_at = 0.0
        self.meter = LagMeter(clock)
        self._offers = TokenBucket(*_OFFERS, clock.now())

    @property
    def is_here(self) -> bool:
        return self._peer is not None

    @property
    def is_expected(self) -> bool:
        """Whether the bot has games from before a restart, and has not logged in since."""
        return not self.session

    @property
    def away(self) -> int | None:
        """The ms that the bot may still be away; None while it is connected."""
        if self.is_here:
            return None
        return max(0, round((self._left_at + self._grace - self.clock.now()) * 1000))

    @property
    def address(self) -> str | None:
        """The network of the connection; None if local, through a broker, or while away."""
        return None if self._peer is None else self._peer.network

    @property
    def lag(self) -> int:
        """The round-trip time to the bot in ms."""
        return self.meter.lag(None if self._peer is None else self._peer.round_trip)

    def plays(self, game: str) -> bool:
        return not self.games or game in self.games

    def begin_session(self, digest: bytes, games: tuple[str, ...], slots: int) -> None:
        """Store the login and make a new session token, which replaces the old token."""
        self.digest, self.games, self.slots = digest, games, slots
        self.session = secrets.token_urlsafe(24)

    def arrive(self, peer: Peer) -> None:
        """Go on over this connection; close the earlier connection, if there is one."""
        self._stop_leaving()
        self.is_overdue = False
        old, self._peer = self._peer, peer
        self.last_address = peer.network
        if old is not None:
            old.notify(arena.Replaced())
            old.end(f"another connection has logged in as {self.name}")
        self.meter.restart()
        self.probe()
        for over in self._missed:
            self.notify(over)
        self._missed.clear()
        for player in self.players.values():
            player.send_state()

    def depart(self, peer: Peer) -> bool:
        """Handle a lost connection; return whether it was the bot's present connection."""
        if self._peer is not peer:
            return False
        self._peer = None
        self.expect()
        return True

    def expect(self) -> None:
        self._left_at = self.clock.now()
        self._leaving = asyncio.create_task(self._leave())

    def dismiss(self, reason: str) -> None:
        """Close the connection for good: the bot may not come back."""
        self._stop_leaving()
        self.is_overdue = True
        self.dismissed = reason
        self.session = secrets.token_urlsafe(24)  # Nobody gets this token.
        peer, self._peer = self._peer, None
        if peer is not None:
            peer.end(reason)

    def is_on(self, peer: Peer) -> bool:
        return self._peer is peer

    def notify(self, event: Event) -> None:
        if self._peer is not None:
            self._peer.notify(event)

    def check_offers(self) -> None:
        """Count an offer of the bot; raises RefusedError if the bot makes too many."""
        if not self._offers.take(self.clock.now()):
            message = f"too many offers: {_OFFERS[0]:g} a second are accepted"
            raise RefusedError(ErrorCode.TOO_MANY, message)

    def pass_on(self, event: Event) -> None:
        """Send a notice that another bot caused, unless this bot is away or gets too many."""
        if self._peer is not None:
            self._peer.pass_on(event)

    def notify_end(self, over: arena.Over) -> None:
        """Send how a game ended, now or when the bot comes back."""
        if self._peer is None:
            self._missed.append(over)
        self.notify(over)

    def probe(self, *, if_stale: bool = False) -> None:
        """Measure the lag; with `if_stale`, only if the latest measurement is old."""
        if self._peer is None or (if_stale and self.meter.is_fresh):
            return
        if (number := self.meter.probe()) is not None:
            self.notify(arena.Probe(number=number))

    def echo(self, number: int) -> None:
        self.meter.echo(number)

    async def close(self) -> None:
        leaving = self._leaving
        self._stop_leaving()
        if leaving is not None:
            await asyncio.gather(leaving, return_exceptions=True)

    def _stop_leaving(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None

    async def _leave(self) -> None:
        await self.clock.sleep(self._grace)
        self._leaving = None
        self.is_overdue = True
        self._gone(self)


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
        self.bot.players.pop(self.table, None)
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
        self.bot.players.pop(self.table, None)
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
