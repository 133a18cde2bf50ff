"""A player on GGS.

    bot = GgsBot("skatgame.net", 5000, "ann", password, make_player, asks=[Ask("s8r20", "05:00")])
    await bot.run(games=10)

It logs in, asks for matches, accepts the requests to which nothing is objected, has its players
move wherever it is their turn, and comes back when the connection is lost: then the matches that
were broken off are asked for again. A position is searched once: a game that is shown again gets
the move that was found, or is waited for.
"""

import asyncio
import itertools
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from plywire.clients.client import Backoff
from plywire.clients.errors import CommandError, ConnectionLostError, PlayerError
from plywire.clients.players.base import GameLine, Player
from plywire.clients.transports.base import ClientTransport
from plywire.clients.transports.open import open_transport
from plywire.engine.game import PASS, IllegalMoveError, PositionError
from plywire.engine.registry import load
from plywire.protocol.ggf import GgfGame, GgfMove, square
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Searched
from plywire.protocol.text import one_line

from . import messages
from .clock import GgsClock
from .match_type import MatchType
from .reader import GgsReader

log = logging.getLogger(__name__)

PORT = 5000

#: A player that fails so often in one turn is resigned for.
_ATTEMPTS = 3
#: So many games at a time are played, whatever the server says is going on.
_MAX_GAMES = 64
#: So many people are remembered as answered.
_MAX_ANSWERED = 1000
#: After so many seconds without a line the server is asked for one.
_SILENCE = 60.0
#: So often is a match that was broken off asked for, ever more rarely, before that is given up.
_RESUMES = 8
#: What GGS is told after the login: nothing that only a person reads.
_SET_UP = ("vt100 -", "verbose -news -faq -help")


@dataclass(frozen=True, slots=True)
class Ask:
    """A match to ask for, over and over."""

    type: MatchType
    clock: GgsClock
    opponent: str = ""
    """Who is asked; empty is whoever likes."""

    @classmethod
    def parse(cls, text: str) -> "Ask":
        """What `TYPE CLOCK [NAME]` asks for; raises ValueError."""
        match text.split():
            case [type_, clock]:
                return cls(MatchType.parse(type_), GgsClock.parse(clock))
            case [type_, clock, opponent]:
                return cls(MatchType.parse(type_), GgsClock.parse(clock), opponent)
        raise ValueError(f"nothing to ask for: {text[:40]!r}; write TYPE CLOCK [NAME]")

    def __str__(self) -> str:
        """As `/os` takes it."""
        return f"ask {self.type} {self.clock} {self.opponent}".rstrip()


@dataclass(frozen=True, slots=True)
class GameOver:
    """A game that we have played."""

    id: str
    players: tuple[str, str]
    """Black and White."""
    me: int
    """0 if we were Black, 1 if White."""
    score: float | None
    """For us, in discs; None if the server did not say."""
    reason: str
    """What else the server said of it, such as who resigned."""
    line: GameLine
    """The moves, from where they were first shown."""

    def as_ggf(self, place: str) -> GgfGame:
        """The game as GGF writes it down."""
        black = self.score if self.me == 0 or self.score is None else 0 - self.score
        return GgfGame(
            moves=tuple(map(GgfMove, self.line.names)),
            fen=self.line.start.fen(),
            black=self.players[0],
            white=self.players[1],
            place=place,
            result="?" if black is None else f"{black:+.3f}",
        )


@dataclass(slots=True, eq=False)
class _Game:
    """A game of ours that goes on."""

    id: str
    names: tuple[str, str]
    mine: frozenset[int]
    """The sides that we play: one, or both in a match against ourselves."""
    player: Player
    line: GameLine
    clocks: tuple[GgsClock, GgsClock]
    shown: float = 0.0
    """When the server showed the position, by the monotonic clock."""
    answer: str = ""
    """What to tell the server in this position, but for the number of the game; empty until it is
    found."""
    thinking: asyncio.Task[None] | None = None
    is_ready: bool = False
    """Whether the player was told of the game."""


@dataclass(slots=True)
class _Match:
    """A match of ours that goes on."""

    type: MatchType
    over: set[str] = field(default_factory=set)
    """The games of it that are over."""

    @property
    def left(self) -> int:
        """How many of its games are not over."""
        return max(self.type.games - len(self.over), 0)


class GgsBot:
    """A player on GGS, for several games at a time."""

    def __init__(
        self,
        host: str,
        port: int,
        login: str,
        password: str,
        make_player: Callable[[], Player],
        *,
        asks: Sequence[Ask] = (),
        slots: int = 1,
        rated: bool = False,
        objection: Callable[[messages.Request], str] = lambda request: request.type.objection,
        reply: str = "",
        on_over: Callable[[GameOver], None] = lambda over: None,
        on_line: Callable[[str, str], None] = lambda mark, line: None,
        backoff: Backoff | None = None,
        timeout: float = 20.0,
        silence: float = _SILENCE,
        connect: Callable[[], Awaitable[ClientTransport]] | None = None,
    ) -> None:
        """A player of that login, not yet connected; each game has a player of its own.

        While fewer than `slots` matches go on it makes the `asks`, one after the other, over and
        over, `rated` or not, and accepts every request to which `objection` has none. `reply` is
        what it tells who talks to it, once each. `on_over` is told of games that ended, and
        `on_line` every line with `<` or `>` before it, but for the password. `timeout` is how long
        to wait for a connection, the login and signs of life, `silence` after how long one is asked
        for, in seconds. `connect` opens the connection in place of host and port.
        """
        self._where = f"{host}:{port}"
        self._login, self._password = login, password
        self._make_player = make_player
        self._asks = asks
        self._slots = slots
        self._rated = rated
        self._objection = objection
        self._reply = reply
        self._on_over = on_over
        self._on_line = on_line
        self._backoff = backoff or Backoff(attempts=100, first=1.0, longest=_SILENCE)
        self._timeout = timeout
        self._silence = silence
        self._connect_transport = connect or partial(open_transport, f"tcp://{self._where}")
        self._rules = load("othello")
        self._transport: ClientTransport | None = None
        self._is_logged_in = False
        """Until then, whatever is written is taken for a name or a password."""
        self._reader = GgsReader()
        self._queue: deque[messages.Message] = deque()
        self._failure: Exception | None = None
        self._left: int | None = None
        self._matches: dict[str, _Match] = {}
        self._games: dict[str, _Game] = {}
        self._lost: list[_Game] = []
        """Games that were broken off and are not given up: they come before others."""
        self._idle: list[Player] = []
        self._answered: set[str] = set()
        self._asked: set[str] = set()
        """The numbers of our own requests."""
        self._asking: asyncio.Future[str] | None = None
        """What becomes of the latest request: why there is no match, empty if there is."""
        self._freed = asyncio.Event()
        self._told_stored = asyncio.Event()
        """Set when the server has told what was broken off."""
        self._broken = asyncio.Event()
        """Set when a match was broken off."""
        self._resumes = 0
        """How often matches that were broken off will still be asked for."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._of_connection: list[asyncio.Task[None]] = []
        self._hanging_up: asyncio.Future[None] | None = None

    async def run(self, games: int | None = None) -> None:
        """Play that many games, or until cancelled; once.

        Raises CommandError if the server refuses the login, ConnectionLostError if no server
        of GGS can be reached, and PlayerError if the player cannot play.
        """
        self._left = games
        try:
            await self._make_ready()
            while not self._is_done:
                await self._connect()
                try:
                    await self._serve()
                except (ConnectionError, TimeoutError) as error:
                    log.warning("connection lost: %s", str(error) or "no answer")
                await self._hang_up()
        finally:
            await self._close()

    @property
    def _is_done(self) -> bool:
        if self._failure is not None:
            raise self._failure
        if self._left is None or self._left > 0:
            return False
        return not self._matches and not self._lost

    # ---- the connection ----

    async def _connect(self) -> None:
        """Log in; try again with back-off."""
        for attempt in itertools.count(1):
            try:
                async with asyncio.timeout(self._timeout):
                    await self._enter()
                return
            except OSError as error:  # TimeoutError is one
                problem = f"no connection to {self._where}: {str(error) or 'no answer'}"
            await self._hang_up()
            if attempt >= self._backoff.attempts:
                raise ConnectionLostError(problem)
            delay = self._backoff.delay(attempt)
            log.warning("%s; attempt %d in %.1f s", problem, attempt + 1, delay)
            await asyncio.sleep(delay)

    async def _enter(self) -> None:
        self._reader, self._queue = GgsReader(), deque()
        self._transport = await self._connect_transport()
        is_known = False
        while not isinstance(message := await self._next(), messages.Ready) or not is_known:
            match message:
                case messages.Prompt(password=False):
                    await self._write(self._login)
                case messages.Prompt(password=True):
                    is_known = True
                    await self._write(self._password, shown="********")
                case messages.Refused(text=text):
                    raise CommandError(ErrorCode.UNAUTHORIZED, text or "the login is refused")
        log.info("logged in name=%s", self._login)
        self._is_logged_in = True
        await self._write(*_SET_UP)
        service = ("client -", "trust +", f"rated {'+' if self._rated else '-'}")
        await self._tell(*service, f"open {self._slots}")
        self._resumes, self._told_stored = _RESUMES, asyncio.Event()
        self._of_connection = [self._spawn(self._keep()), self._spawn(self._find_matches())]

    async def _serve(self) -> None:
        """Do what the server says until the connection is lost or all is done."""
        while not self._is_done:
            async with asyncio.timeout(self._silence + self._timeout):
                message = await self._next()
            async with asyncio.timeout(self._timeout):
                await self._handle(message)

    async def _next(self) -> messages.Message:
        """The next message; raises ConnectionResetError when the connection is lost."""
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

    async def _write(self, *lines: str, shown: str | None = None) -> None:
        """Send lines; raises ConnectionError if the connection is lost."""
        if self._transport is None:
            raise ConnectionResetError("not connected")
        for line in lines:
            self._on_line(">", line if shown is None else shown)
        try:
            await self._transport.write(lines)
        except OSError as error:
            raise ConnectionResetError(str(error)) from error

    async def _tell(self, *commands: str) -> None:
        """Give the Othello service commands; raises ConnectionError if the connection is lost."""
        if not self._is_logged_in:
            raise ConnectionResetError("not logged in")
        await self._write(*(f"tell /os {command}" for command in commands))

    async def _say(self, *commands: str) -> None:
        """Give the Othello service commands, whatever becomes of them."""
        with suppress(ConnectionError):
            await self._tell(*commands)

    async def _hang_up(self) -> None:
        """Close the connection; games that go on may come back with another."""
        tasks, self._of_connection = self._of_connection, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        transport, self._transport, self._is_logged_in = self._transport, None, False
        if transport is not None:
            await transport.close()
        self._lost += self._games.values()
        self._games.clear()
        self._matches.clear()
        self._asked.clear()
        while len(self._lost) > 2 * self._slots:  # nobody came back to them
            await self._release(self._lost.pop(0))

    async def _close(self) -> None:
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(1):
                await self._tell("open 0")
                await self._write("quit")
        await self._hang_up()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        players = [*self._idle, *(game.player for game in self._lost)]
        await asyncio.gather(*(player.close() for player in players))

    async def _keep(self) -> None:
        """Ask what was broken off: soon after that happened, and as a sign of life for good."""
        backoff, polls = replace(self._backoff, longest=self._silence), 0
        while True:
            await self._say("stored")
            polls += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(backoff.delay(polls)):
                    await self._broken.wait()
                polls = 0
            self._broken.clear()

    # ---- what the server says ----

    async def _handle(self, message: messages.Message) -> None:
        match message:
            case messages.Request():
                await self._consider(message)
            case messages.RequestGone() if message.id in self._asked:
                self._asked.remove(message.id)
                self._settle("declined, or taken back")
            case messages.MatchStarted() if any(map(self._is_me, message.players)):
                self._start(message.id, message.type)
                self._asked.clear()
                self._settle("")
            case messages.MatchEnded() if message.id in self._matches:
                self._end_match(message)
            case messages.GameShown():
                self._show(message)
            case messages.GameEnded() if message.id in self._games:
                self._end_game(self._games.pop(message.id), message)
            case messages.Stored():
                await self._resume(message)
            case messages.Refused():
                log.warning("refused: %s", one_line(message.text))
                if not self._asked:
                    self._settle(message.text)
            case messages.Said():
                await self._answer(message)

    def _is_me(self, name: str) -> bool:
        return name.lower() == self._login.lower()

    async def _answer(self, said: messages.Said) -> None:
        log.info("said name=%s to=%s: %s", said.name, said.to or "us", one_line(said.text))
        name = said.name.lower()
        if not self._reply or said.to or self._is_me(name) or name in self._answered:
            return
        if len(self._answered) < _MAX_ANSWERED:
            self._answered.add(name)
            await self._write(f"tell {said.name} {self._reply}")

    # ---- finding matches ----

    @property
    def _is_full(self) -> bool:
        """Whether all slots are taken, or so many that no more games are needed."""
        slots = len(self._matches) + len({_match_of(game.id) for game in self._lost})
        games = sum(match.left for match in self._matches.values()) + len(self._lost)
        return slots >= self._slots or (self._left is not None and games >= self._left)

    async def _find_matches(self) -> None:
        """Ask for matches while there are free slots, the more rarely the longer none comes."""
        backoff, failures = replace(self._backoff, longest=_SILENCE), 0
        with suppress(TimeoutError):  # what was broken off comes first
            await asyncio.wait_for(self._told_stored.wait(), self._timeout)
        for ask in itertools.cycle(self._asks):
            while self._is_full:
                self._freed.clear()
                await self._freed.wait()
            await self._make_ready()
            self._asking = asyncio.get_running_loop().create_future()
            await self._say(str(ask))
            if not (refusal := await self._asking):
                failures = 0
                continue
            failures += 1
            delay = backoff.delay(failures)
            log.info("no match of %s: %s; asking again in %.1f s", ask.type, refusal, delay)
            await asyncio.sleep(delay)

    def _settle(self, refusal: str) -> None:
        if self._asking is not None and not self._asking.done():
            self._asking.set_result(refusal)

    async def _consider(self, request: messages.Request) -> None:
        """Accept a request, or decline it if it is to us."""
        if self._is_me(request.asker):
            if len(self._asked) < _MAX_GAMES:
                self._asked.add(request.id)
            return
        if request.asked and not self._is_me(request.asked):
            return
        objection = self._objection(request)
        goes_on = any(
            {request.asker.lower(), self._login.lower()} == set(map(str.lower, game.names))
            for game in self._lost
        )
        is_full = len(self._matches) >= self._slots if goes_on else self._is_full
        if not objection and is_full:
            objection = "all slots are taken"
        if not objection:
            await self._tell(f"accept {request.id}")
        else:
            log.info("declined name=%s: %s", request.asker, objection)
            if request.asked:
                await self._tell(f"decline {request.id}")

    async def _resume(self, stored: messages.Stored) -> None:
        """Ask to go on with what was broken off."""
        self._told_stored.set()
        mine = zip(stored.ids, stored.players, strict=True)
        found = [id_ for id_, players in mine if any(map(self._is_me, players))]
        if not found or not self._resumes:
            await self._give_up()
        elif len(self._matches) < self._slots:
            self._resumes -= 1
            await self._tell(*(f"ask {id_}" for id_ in found[: self._slots]))

    async def _give_up(self) -> None:
        """Wait no more for games that were broken off."""
        while self._lost:
            game = self._lost.pop()
            log.warning("given up game=%s", game.id)
            await self._release(game)
        self._freed.set()

    async def _make_ready(self) -> None:
        """Have a player that is started, before any clock runs."""
        if not self._idle:
            player = self._make_player()
            try:
                await player.start(self._rules)
            except BaseException:
                await player.close()
                raise
            self._idle.append(player)

    # ---- playing ----

    def _start(self, id_: str, type_: MatchType) -> None:
        if id_ not in self._matches and len(self._matches) < _MAX_GAMES:
            log.info("started match=%s type=%s", id_, type_)
            self._matches[id_] = _Match(type_)

    def _show(self, shown: messages.GameShown) -> None:
        """Take note of how a game of ours stands, and move if it is our turn."""
        names = (shown.sides[0].name, shown.sides[1].name)
        mine = frozenset(side for side in (0, 1) if self._is_me(names[side]))
        game = self._games.get(shown.id)
        if not mine or (game is None and len(self._games) >= _MAX_GAMES):
            return
        try:
            line = self._line(None if game is None else game.line, shown)
        except PositionError as error:
            log.warning("game=%s is shown as it cannot be: %s", shown.id, error)
            return
        clocks = (shown.sides[0].clock, shown.sides[1].clock)
        if game is None and (lost := self._found_again(names, line)) is not None:
            log.info("goes on game=%s, before %s", shown.id, lost.id)
            game, lost.id = lost, shown.id
        is_new = game is None or game.line.position != line.position
        if game is None:
            player = self._idle.pop() if self._idle else self._make_player()
            game = _Game(shown.id, names, mine, player, line, clocks)
        self._games[shown.id] = game
        self._start(_match_of(shown.id), MatchType(synchro=shown.id.count(".") > 1))
        game.line, game.clocks, game.shown = line, clocks, time.monotonic()
        if is_new:
            self._stop_thinking(game)
            if line.position.turn in mine and not line.position.is_over:
                game.thinking = self._spawn(self._move(game))
        elif game.answer:
            self._spawn(self._say(_addressed(game)))

    def _found_again(self, names: tuple[str, str], line: GameLine) -> _Game | None:
        """The game among those broken off that goes on with a line, no longer among them."""
        for game in self._lost:
            old = game.line
            is_longer = old.start == line.start and line.moves[: len(old.moves)] == old.moves
            if game.names == names and (old.position == line.position or is_longer):
                self._lost.remove(game)
                return game
        return None

    def _line(self, line: GameLine | None, shown: messages.GameShown) -> GameLine:
        """The line to what is shown: as long as it can be; raises PositionError."""
        position = self._rules.parse(shown.fen)
        if line is not None and line.position == position:
            return line
        begins = [GameLine.at(self._rules.parse(shown.start)), GameLine.at(self._rules.start())]
        for begin in [*([] if line is None else [line]), *begins]:
            with suppress(IllegalMoveError):
                found = begin.play_names(move.name for _, move in shown.moves)
                if found.position == position:
                    return found
        return GameLine.at(position)

    @staticmethod
    def _stop_thinking(game: _Game) -> None:
        """Forget the position before."""
        if game.thinking is not None and not game.thinking.done():
            game.thinking.cancel()
            game.is_ready = False
        game.answer = ""

    async def _move(self, game: _Game) -> None:
        """Find the move and play it; resign for a player that fails again and again."""
        line, began = game.line, game.shown
        if line.position.moves() == (PASS,):  # there is nothing to choose, but it is to be said
            game.answer = "play {} PA"
        else:
            game.answer = await self._choose(game, line, began)
        await self._say(_addressed(game))

    async def _choose(self, game: _Game, line: GameLine, began: float) -> str:
        told = set[str]()
        for attempt in range(_ATTEMPTS):
            try:
                if attempt or not game.is_ready:
                    await game.player.start(self._rules)
                    game.is_ready = True
                game.player.searched = None
                limits = self._limits(game, line.position.turn, began)
                name = line.chosen(await game.player.choose(line, limits)).names[-1]
                said = game.player.searched or Searched()
                seconds = time.monotonic() - began
                return f"play {{}} {square(name)}/{_discs(said)}/{seconds:.2f}"
            except PlayerError as error:
                game.is_ready = False
                if str(error) not in told:
                    told.add(str(error))
                    log.warning("failed game=%s error=%s", game.id, error)
                await game.player.close()
        return "resign {}"

    def _limits(self, game: _Game, turn: int, began: float) -> Limits:
        """What is left now, by the clock that the server showed."""
        gone = round((time.monotonic() - began) * 1000)
        clocks = [
            clock.after(gone) if side == turn else clock for side, clock in enumerate(game.clocks)
        ]
        black, white = clocks
        clock = Clock(
            p1=black.to_spend, p2=white.to_spend, inc1=black.increment, inc2=white.increment
        )
        return Limits(clock=clock).narrowed(game.player.limits)

    def _end_game(self, game: _Game, ended: messages.GameEnded) -> None:
        if (match := self._matches.get(_match_of(game.id))) is not None:
            match.over.add(game.id)
        me = min(game.mine)
        score = ended.score
        if score is not None and ended.players[0].lower() != game.names[me].lower():
            score = 0 - score
        if self._left is not None:
            self._left -= 1
        self._on_over(GameOver(game.id, game.names, me, score, ended.reason, game.line))
        self._spawn(self._release(game))

    def _end_match(self, ended: messages.MatchEnded) -> None:
        del self._matches[ended.id]
        of_it = [id_ for id_ in self._games if _match_of(id_) == ended.id]
        games = [self._games.pop(id_) for id_ in of_it]
        if ended.left:
            log.info("broken off match=%s: %s left", ended.id, ended.left)
            self._lost += games
            self._resumes = _RESUMES
            self._broken.set()
        else:
            for game in games:
                self._spawn(self._release(game))
        self._freed.set()

    async def _release(self, game: _Game) -> None:
        """Have the player free for the next game."""
        if game.thinking is not None and not game.thinking.done():
            game.thinking.cancel()
            await asyncio.gather(game.thinking, return_exceptions=True)
            await game.player.close()  # whatever it was doing
        if len(self._idle) < self._slots:
            self._idle.append(game.player)
        else:
            await game.player.close()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            self._failure = self._failure or error
            if self._transport is not None:  # wakes who reads from it
                self._hanging_up = asyncio.ensure_future(self._transport.close())


def _match_of(game: str) -> str:
    """The number of the match of a game: `.5` of `.5` and of `.5.1`."""
    return f".{game.split('.')[1]}"


def _addressed(game: _Game) -> str:
    return game.answer.format(game.id)


def _discs(said: Searched) -> str:
    """What the player expects, in discs; empty if it did not say."""
    match said.score:
        case None:
            return ""
        case score if score.kind == "cp":
            return f"{score.value / 100:.2f}"
        case score:
            return f"{score.value}" if score.kind in ("exact", "draw") else ""
