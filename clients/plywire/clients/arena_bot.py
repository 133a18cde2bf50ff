"""A bot in a server's arena.

    bot = ArenaBot("ws://localhost:7591", "ann", token, Clever, offers=[Seek(...)])
    await bot.run(games=10)

`Clever` is a `Player`: all it takes is `choose`. The bot logs in, seeks games, challenges others or
joins a tournament, has the player choose wherever it is its turn, and comes back when the
connection is lost. No position is searched twice: a turn that is told again is the search that is
running, or the move that was found.
"""

import asyncio
import itertools
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from plywire.clients.transports.url import url_for, without_password
from plywire.engine.game import Game
from plywire.engine.registry import load
from plywire.protocol.dialects.json import Json
from plywire.protocol.messages import arena, tournaments
from plywire.protocol.messages.base import Command, ErrorCode, Event
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Quit, Searched

from .client import Backoff
from .connection import ClientConnection
from .errors import (
    BadServerError,
    ClientError,
    CommandError,
    ConnectionLostError,
    PlayerError,
    ReplacedError,
)
from .players.base import GameLine, Player
from .transports.base import ClientTransport
from .transports.open import open_transport

log = logging.getLogger(__name__)

#: A player that fails so often in one turn is resigned for.
_ATTEMPTS = 3
#: A challenge that nobody answers is taken back after so many seconds, and offers that lead to no
#: game are made again after as many at most.
_PATIENCE = 60.0
#: Refusals for as long as things are as they are; any other is for good.
_FOR_NOW = {
    ErrorCode.BUSY,
    ErrorCode.DRAINING,
    ErrorCode.INTERNAL,
    ErrorCode.TOO_MANY,
    ErrorCode.UNAVAILABLE,
}
#: Without a time limit, who is silent for so many ms is noted down as such.
_SILENCE = 30_000


@dataclass(slots=True)
class _Table:
    """A game that is being played."""

    start: arena.Start
    player: Player
    turn: int = -1
    """The latest that the bot was told of."""
    answer: arena.Play | arena.Resign | None = None
    """The answer to it, None until it is found."""
    thinking: asyncio.Task[None] | None = None
    is_ready: bool = False
    """Whether the player was told of the game."""


class ArenaBot:
    """A bot that plays over the network, several games at a time."""

    def __init__(
        self,
        url: str,
        name: str,
        token: str,
        make_player: Callable[[], Player],
        *,
        offers: Sequence[arena.Seek | arena.Challenge] = (),
        join: str | None = None,
        games: tuple[str, ...] = (),
        slots: int = 1,
        objection: Callable[[arena.Challenged], str] = lambda challenge: "",
        greeting: str = "",
        rated: bool = False,
        on_over: Callable[[arena.Over], None] = lambda over: None,
        backoff: Backoff | None = None,
        timeout: float = 10.0,
        connect: Callable[[], Awaitable[ClientTransport]] | None = None,
    ) -> None:
        """A bot of that name and token, not yet connected; each game has a player of its own.

        While it has free slots it makes the `offers`, one after the other, over and over; while
        none comes of them, it tries again with growing delays. It joins the tournament `join` and
        leaves when that is over. It takes every challenge that it has a slot for and to which
        `objection` has none, who else is told what it says. `greeting` is said to each opponent.
        With `rated` it takes challenges to rated games as well. `games` are those that it plays,
        all if none is named. `on_over` is told how games end. `connect` opens a transport to the
        server in place of its URL.
        `timeout` is how long to wait for a connection, for the answer to a login and for signs of
        life, in seconds. Raises ValueError if the URL is no server's, and
        `pydantic.ValidationError`, which is one, if name, token, games or slots are none.
        """
        self._url = url_for(url, name)
        self._login = arena.Login(name=name, token=token, games=games, slots=slots)
        self._make_player = make_player
        self._offers = offers
        self._join = join
        self._objection = objection
        self._greeting = greeting
        self._rated = rated
        self._open_transport = connect or partial(open_transport, self._url)
        self._on_over = on_over
        self._backoff = backoff or Backoff(attempts=100)
        self._timeout = timeout
        self._session: str | None = None
        self._connection: ClientConnection | None = None
        self._lost = asyncio.Event()
        self._done = asyncio.Event()
        self._failure: Exception | None = None
        self._left: int | None = None
        self._finding: asyncio.Task[None] | None = None
        self._offering = False
        self._open: dict[int, asyncio.Future[str]] = {}
        """What becomes of the open offers, by number: why there is no game, empty if there is."""
        self._settled: dict[int, str] = {}
        """The same of offers that were settled before their number was known."""
        self._expected = 0
        """How many games the server is about to tell of."""
        self._freed = asyncio.Event()
        self._tables: dict[str, _Table] = {}
        self._idle: list[Player] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def start_of(self, table: str) -> arena.Start | None:
        """How the game at a table began; None if it is over, of which `on_over` is told before."""
        return self._tables[table].start if table in self._tables else None

    async def run(self, games: int | None = None) -> None:
        """Play that many games, or until cancelled; once.

        Raises CommandError if the server refuses the bot or its offers for good, ReplacedError if
        another connection took its name, ConnectionLostError or BadServerError if no server can be
        reached that speaks the protocol, and PlayerError if the player cannot play what is offered.
        """
        self._left = games
        try:
            while not self._done.is_set():
                await self._connect()
                await self._until(self._lost, self._done)
            if self._failure is not None:
                raise self._failure
        finally:
            await self._close()

    @staticmethod
    async def _until(*any_of: asyncio.Event) -> None:
        waiting = [asyncio.create_task(event.wait()) for event in any_of]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._done.set()

    # ---- the connection ----

    async def _connect(self) -> None:
        """Log in, or come back; try again with back-off."""
        shown, attempts = without_password(self._url), self._backoff.attempts
        for attempt in itertools.count(1):
            try:
                async with asyncio.timeout(self._timeout):
                    await self._enter()
                return
            except CommandError as error:
                if error.code not in _FOR_NOW - {ErrorCode.UNAVAILABLE}:
                    raise
                problem = f"{shown} refuses: {error}"
            except (OSError, ConnectionLostError, BadServerError) as error:
                problem = f"no connection to {shown}: {str(error) or 'no answer'}"
            if attempt >= attempts:
                raise ConnectionLostError(problem)
            delay = self._backoff.delay(attempt)
            log.warning("%s; attempt %d of %d in %.1f s", problem, attempt + 1, attempts, delay)
            await asyncio.sleep(delay)

    async def _enter(self) -> None:
        await self._hang_up()
        self._lost = lost = asyncio.Event()
        transport = await self._open_transport()
        self._connection = connection = ClientConnection(
            transport, Json(), self._on_notice, lost.set, silence=self._timeout
        )
        if self._finding is not None:
            self._finding.cancel()
        self._open.clear()
        welcome = await self._welcome(connection)
        self._session = welcome.session
        log.info("logged in name=%s tables=%d", welcome.name, welcome.tables)
        self._expected = welcome.tables
        self._finding = self._spawn(self._find_games())

    async def _welcome(self, connection: ClientConnection) -> arena.Welcome:
        if self._session is not None:
            try:
                return _welcome(await connection.ask(arena.Resume(session=self._session)))
            except CommandError as error:
                if error.code != ErrorCode.UNAUTHORIZED:
                    raise
            # The games of that session are over, or will be told anew.
            for table in self._tables.values():
                self._spawn(self._release(table))
            self._tables.clear()
            self._session = None
        return _welcome(await connection.ask(self._login))

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _close(self) -> None:
        if self._connection is not None:
            with suppress(ClientError, TimeoutError):
                async with asyncio.timeout(1):
                    await self._connection.ask(Quit())
        await self._hang_up()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        players = [*self._idle, *(table.player for table in self._tables.values())]
        await asyncio.gather(*(player.close() for player in players))

    async def _ask(self, command: Command) -> bool:
        """Give a command; says whether it was carried out, not refused or lost on the way."""
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

    async def _say(self, command: Command) -> None:
        """Give a command, whatever becomes of it."""
        await self._ask(command)

    # ---- notices ----

    def _on_notice(self, notice: Event) -> None:
        match notice:
            case arena.Probe():
                self._spawn(self._say(arena.Echo(number=notice.number)))
            case arena.Start():
                self._start_game(notice)
            case arena.Withdrawn():
                self._settle(notice.offer, notice.reason or "taken back")
            case arena.Said():
                log.info("said table=%s name=%s: %s", notice.table, notice.name, notice.text)
            case arena.Turn() if notice.table in self._tables:
                self._take_turn(self._tables[notice.table], notice)
            case arena.Over() if notice.table in self._tables:
                self._end(self._tables[notice.table], notice)
            case arena.Challenged():
                self._spawn(self._consider(notice))
            case tournaments.Progress() if notice.state is tournaments.TournamentState.OVER:
                if self._join is not None and self._join.lower() == notice.name.lower():
                    self._done.set()
            case arena.Replaced():
                name = self._login.name
                self._fail(ReplacedError(f"another connection has logged in as {name}"))

    def _start_game(self, start: arena.Start) -> None:
        if start.table not in self._tables:
            if self._greeting:
                self._spawn(self._say(arena.Say(table=start.table, text=self._greeting)))
            player = self._idle.pop() if self._idle else self._make_player()
            self._tables[start.table] = _Table(start, player)
        if start.offer is not None:
            self._settle(start.offer, "")

    def _settle(self, offer: int, reason: str) -> None:
        """Note that an offer is open no more; there is a game if there is no reason."""
        if (outcome := self._open.pop(offer, None)) is not None:
            outcome.set_result(reason)
        elif self._offering:
            self._settled[offer] = reason
        self._freed.set()

    def _take_turn(self, table: _Table, turn: arena.Turn) -> None:
        if table.turn != turn.turn:
            table.turn, table.answer = turn.turn, None
            table.thinking = self._spawn(self._think(table, turn))
        elif table.answer is not None:
            self._spawn(self._say(table.answer))

    def _end(self, table: _Table, over: arena.Over) -> None:
        self._expected = 0
        self._on_over(over)
        del self._tables[over.table]
        if self._left is not None:
            self._left -= 1
            if self._left <= 0:
                self._done.set()
        self._spawn(self._release(table))

    async def _release(self, table: _Table) -> None:
        """Have the player free for the next game, and find one."""
        if table.thinking is not None and not table.thinking.done():
            table.thinking.cancel()
            await asyncio.gather(table.thinking, return_exceptions=True)
            await table.player.close()  # whatever it was doing
        self._idle.append(table.player)
        self._freed.set()

    # ---- finding games ----

    async def _find_games(self) -> None:
        """Find games to play, once the connection stands; those that go on come by themselves."""
        if self._join is not None:
            await self._join_tournament(self._join)
        backoff, failures = replace(self._backoff, longest=_PATIENCE), 0
        try:
            for offer in itertools.cycle(self._offers):
                while self._is_full():
                    self._freed.clear()
                    await self._freed.wait()
                await self._make_ready(load(offer.game, offer.size))
                if not (refusal := await self._offer(offer)):
                    failures = 0
                    continue
                failures += 1
                log.info("no game of %s: %s", offer.type, refusal)
                rounds, rest = divmod(failures, len(self._offers))
                if not rest:
                    delay = backoff.delay(rounds)
                    log.info("offering games again in %.1f s", delay)
                    await asyncio.sleep(delay)
        except (ConnectionLostError, BadServerError) as error:
            log.info("lost offers error=%s", error)

    def _is_full(self) -> bool:
        """Whether all slots are taken, or so many that no more games are needed."""
        taken = max(len(self._tables), self._expected) + len(self._open)
        slots = self._login.slots
        return taken >= (slots if self._left is None else min(slots, self._left))

    async def _offer(self, offer: arena.Seek | arena.Challenge) -> str:
        """Make an offer; returns why no game comes of it, empty if one does, or may.

        Raises CommandError if it is refused for good, and what `ClientConnection.ask` raises.
        """
        if self._connection is None:
            raise ConnectionLostError("the connection is closed")
        # The game may begin before the answer.
        self._offering = True
        self._settled.clear()
        try:
            answer = await self._connection.ask(offer)
        except CommandError as error:
            if error.code not in _FOR_NOW:
                raise
            return str(error)
        finally:
            self._offering = False
        if not isinstance(answer, arena.Offered):
            raise BadServerError(f"the server answered with {answer.type}")
        if answer.offer in self._settled:
            return self._settled[answer.offer]
        outcome: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._open[answer.offer] = outcome
        if isinstance(offer, arena.Seek):
            return ""
        await asyncio.wait([outcome], timeout=_PATIENCE)
        if not outcome.done() and await self._ask(arena.Withdraw(offer=answer.offer)):
            self._settle(answer.offer, f"{offer.name} said nothing for {_PATIENCE:g} s")
        return await outcome

    async def _join_tournament(self, name: str) -> None:
        """Join a tournament; the bot is done with it when it is over."""
        found: list[tournaments.Tournament] = []

        def on_tournament(event: Event) -> None:
            if isinstance(event, tournaments.Tournament) and event.name.lower() == name.lower():
                found.append(event)

        if self._connection is None:
            return
        try:
            await self._connection.ask(tournaments.Tournaments(), on_tournament)
            for tournament in found[-1:]:
                await self._make_ready(load(tournament.games[0]), self._login.slots)
            await self._connection.ask(tournaments.Join(tournament=name))
        except (ConnectionLostError, BadServerError) as error:
            log.info("lost command=join error=%s", error)
        except CommandError as error:
            self._fail(error)

    async def _consider(self, challenge: arena.Challenged) -> None:
        """Accept a challenge, or decline it and say why."""
        number, objection = challenge.offer, self._objection(challenge)
        if challenge.rated and not self._rated:
            objection = objection or "no rated games"
        if not objection and len(self._tables) >= self._login.slots:
            objection = "all slots are taken"
        if not objection:
            try:
                await self._make_ready(load(challenge.game, challenge.size))
            except (PlayerError, ValueError) as error:
                objection = str(error)
        if not objection:
            await self._ask(arena.Accept(offer=number, rated=challenge.rated))
            return
        log.info("declined name=%s: %s", challenge.name, objection)
        await self._ask(arena.Decline(offer=number, reason=objection))

    async def _make_ready(self, game: Game, players: int = 1) -> None:
        """Have so many players that are started, before any clock runs."""
        ready: list[Player] = []
        try:
            while len(ready) < players:
                player = self._idle.pop() if self._idle else self._make_player()
                try:
                    await player.start(game)
                except BaseException:
                    await player.close()
                    raise
                ready.append(player)
        finally:
            self._idle += ready

    # ---- thinking ----

    async def _think(self, table: _Table, turn: arena.Turn) -> None:
        """Find the move and play it, or tell what the player did instead."""
        table.answer = await self._choose(table, turn)
        await self._ask(table.answer)

    async def _choose(self, table: _Table, turn: arena.Turn) -> arena.Play | arena.Resign:
        """Play the player's move; resign if it fails again and again, each time started anew."""
        game = load(table.start.game, table.start.size)
        line = GameLine.at(game.parse(turn.fen))
        line = line.play_names(turn.moves)
        began = time.monotonic()
        failures, told = 0, set[str]()
        while True:
            try:
                if failures or not table.is_ready:
                    await table.player.start(game)
                    table.is_ready = True
                gone = round((time.monotonic() - began) * 1000)
                limits = turn.limits.after(table.start.player, gone)
                table.player.searched = None
                move = await self._wait_for_move(table, line, limits)
                said = table.player.searched or Searched()
                return arena.Play(table=turn.table, turn=turn.turn, move=move, **dict(said))
            except PlayerError as error:
                failures += 1
                if str(error) not in told:
                    told.add(str(error))
                    log.warning("failed table=%s turn=%d error=%s", turn.table, turn.turn, error)
                await asyncio.gather(self._note(table, str(error)), table.player.close())
                if failures >= _ATTEMPTS:
                    return arena.Resign(
                        table=turn.table, termination=error.termination.value, reason=str(error)
                    )

    async def _wait_for_move(self, table: _Table, line: GameLine, limits: Limits) -> str:
        """The name of the player's move.

        If it does not come in its time, the player's last lines go on the record.
        """
        left = limits.left(table.start.player)
        within = _SILENCE if left is None else left
        asked = limits.narrowed(table.player.limits)
        choosing = asyncio.ensure_future(table.player.choose(line, asked))
        try:
            done, _ = await asyncio.wait([choosing], timeout=within / 1000)
            if not done:
                # The game is lost when the server says so: it may still count the move.
                await self._note(table, f"no answer in {within} ms")
            return line.chosen(await choosing).names[-1]
        finally:
            choosing.cancel()
            await asyncio.gather(choosing, return_exceptions=True)

    async def _note(self, table: _Table, text: str) -> None:
        """Have the last lines of the player on the record, and what was wrong with it.

        Not those that may show its code: the record is public.
        """
        lines = [line for line in table.player.last_lines if not line.startswith("! ")] + [text]
        notes = [arena.Note(table=table.start.table, text=line) for line in lines]
        await asyncio.gather(*map(self._ask, notes))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            self._fail(error)


def _welcome(event: Event) -> arena.Welcome:
    if not isinstance(event, arena.Welcome):
        raise BadServerError(f"the server answered with {event.type}")
    return event
