"""One peer's game, options and search.

A session carries out commands and answers each through the `reply` that comes with it. It knows no
dialect and no transport, and no command can make it raise: what a peer gets wrong is answered with
one clear line, and changes nothing.
"""

from __future__ import annotations

import asyncio
import logging
import math
import random
from collections.abc import Callable, Coroutine
from functools import partial, singledispatchmethod
from typing import TYPE_CHECKING, Any

from plywire.clients import __version__
from plywire.clients.play import translate
from plywire.clients.play.judging.review import Review
from plywire.clients.play.players import levels
from plywire.engine import analysis, game, registry
from plywire.engine.engine import Engine
from plywire.engine.game import Game, Position
from plywire.engine.limits import SearchLimits
from plywire.engine.readiness import PreparationError
from plywire.protocol.messages import arena, play, review, watching
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.server.errors import RefusedError, SearchFailedError
from plywire.server.searching.pool import SearchPool
from plywire.server.searching.scheduled_search import ScheduledSearch
from plywire.server.settings import Settings

if TYPE_CHECKING:
    from plywire.server.arena.arena_session import ArenaSession
    from plywire.server.arena.matchmaking.lobby import Lobby
    from plywire.server.arena.peer import Peer

log = logging.getLogger(__name__)

#: The protocol version spoken.
VERSION = 1

#: Seconds between a greeting and the loading of the first kernels.
_PREPARE_AFTER = 0.05

#: Seconds between two `preparing` events that answer one command.
_PROGRESS_EVERY = 1.0
#: How many commands of one peer may wait for preparations.
_MOST_WAITING = 8

#: How many messages a query of the journal counts as, a login, and a guest's entry.
_DEAR = 20

#: What there is to find where the game is over.
_NOTHING = analysis.Analysis(best=None, lines=(), nodes=0, time=0)

#: What levels leave to chance.
_chance = random.Random()

Reply = Callable[[Event], None]
"""Sends an event that answers one command."""


class Session:
    """The state of one peer."""

    def __init__(
        self,
        settings: Settings,
        pool: SearchPool,
        *,
        is_patient: bool = False,
        arena: Lobby | None = None,
    ) -> None:
        """A session at the start of the usual game; bots may log in if there is an arena.

        A patient one answers `ping`, unless it is thinking, when searching can begin: what match
        managers on the other end of a pipe ask `isready` for.

        Raises RulesError if the settings name no game.
        """
        self._settings = settings
        self._pool = pool
        self._is_patient = is_patient
        self._arena = arena
        self._arena_session: ArenaSession | None = None
        self._options = {"hash": settings.hash, "threads": 1, "book": 1}
        self._engine = self._new_engine()
        self._search: ScheduledSearch | None = None
        self._answering: asyncio.Future[Any] | None = None
        self._is_stopped = False
        self._stopped = asyncio.Event()
        self._leaves: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting = set[asyncio.Task[None]]()
        """What waits for a preparation, and the command that it answers."""
        # As long as the game at most, for a finished game takes no moves.
        self._positions: list[Position] = [registry.load(settings.game).start()]
        self._played: list[str] = []

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._positions[-1]

    @property
    def is_thinking(self) -> bool:
        """Whether a search or a review is running."""
        return self._answering is not None

    @property
    def may_be_silent(self) -> bool:
        """Whether the peer waits for something, so that it need not say anything."""
        return (
            self.is_thinking
            or bool(self._waiting)
            or (self._arena_session is not None and self._arena_session.may_be_silent)
        )

    @property
    def is_bot(self) -> bool:
        """Whether the peer has logged in to the arena."""
        return self._arena_session is not None and self._arena_session.is_bot

    async def handle(self, command: Command, reply: Reply) -> None:
        """Carry out a command and answer it.

        Returns when the command is answered, but `go`, `review`, `prepare` and `play` are answered
        later, and so are `eval` and `ping` while they wait for a preparation.
        """
        await self._answer_errors(command, self._take(command, reply), reply)

    async def _take(self, command: Command, reply: Reply) -> None:
        if self.is_thinking and not command.while_thinking:
            raise RefusedError(ErrorCode.BUSY, "a search is running: stop it first")
        await _way_of(type(command))(self, command, reply)

    def _begin(
        self, command: Command, work: Callable[[], Coroutine[Any, Any, None]], reply: Reply
    ) -> None:
        """Let what waits for a preparation go on while the next commands are carried out.

        Raises RefusedError if too much waits already.
        """
        if len(self._waiting) >= _MOST_WAITING and not self._is_patient:
            raise RefusedError(
                ErrorCode.TOO_MANY,
                f"at most {_MOST_WAITING} commands may wait for a game to be ready: "
                "wait for an answer",
            )
        task = asyncio.create_task(self._answer_errors(command, work(), reply))
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    async def _answer_errors(
        self, command: Command, work: Coroutine[Any, Any, None], reply: Reply
    ) -> None:
        """Answer a command with an error if what carries it out raises one."""
        try:
            await work
            return
        except RefusedError as error:
            code, message = error.code, str(error)
        except game.UnknownGameError as error:
            code, message = ErrorCode.UNKNOWN_GAME, str(error)
        except game.IllegalMoveError as error:
            was_over = isinstance(command, play.Move) and self.position.is_over
            code = ErrorCode.GAME_OVER if was_over else ErrorCode.ILLEGAL_MOVE
            message = str(error)
        except game.RulesError as error:
            code, message = ErrorCode.BAD_POSITION, str(error)
        except Exception:
            log.exception("command failed type=%s", command.type)
            code = ErrorCode.INTERNAL
            message = "the server failed to carry this out; nothing changed"
        # Only now: what is raised and kept while an exception is handled keeps that too, and with
        # it the frames that it went through, and so this session.
        reply(Error(code=code, message=message))

    async def finish(self) -> None:
        """End the search, and what waits for a preparation; returns when all is answered."""
        if not self._leaves.done():
            self._leaves.set_result(None)
        self._halt()
        await self.answered()
        await asyncio.gather(*self._waiting)
        self._pool.warmer.forget(self)

    async def answered(self) -> None:
        """Wait until the running search, if there is one, has ended by itself."""
        if self._answering is not None:
            await asyncio.wait([self._answering])

    def connect(self, peer: Peer) -> None:
        """Let what happens in the arena be told to the peer."""
        if self._arena is not None:
            from plywire.server.arena.arena_session import ArenaSession

            self._arena_session = ArenaSession(self._arena, peer)

    def probe(self) -> None:
        """Have a bot that has logged in say something."""
        if self._arena_session is not None:
            self._arena_session.probe()

    def leave(self) -> None:
        """Leave the arena.

        It knows the peer, which knows this session: the circle must not outlive the connection,
        for what a session holds may be large.
        """
        arena_session, self._arena_session = self._arena_session, None
        if arena_session is not None:
            arena_session.leave()

    @singledispatchmethod
    async def _carry_out(self, command: Command, reply: Reply) -> None:
        """Carry out a command and answer it; which way, is registered for each kind below."""
        raise RefusedError(ErrorCode.UNKNOWN_COMMAND, f"{command.type} is not accepted here")

    @_carry_out.register(play.Hello)
    async def _hello(self, command: play.Hello, reply: Reply) -> None:
        if command.version != VERSION:
            raise RefusedError(
                ErrorCode.UNSUPPORTED_VERSION,
                f"protocol version {command.version} is unknown: send hello {VERSION}",
            )
        first = self.position.game.name
        games = (first, *(name for name in registry.names() if name != first))
        reply(
            play.HelloAnswer(
                version=VERSION,
                software=__version__,
                games=games,
                ready=tuple(name for name in games if self._is_ready(registry.load(name))),
                options=tuple(
                    play.Option(name=name, default=default, min=least, max=most)
                    for name, default in self._options.items()
                    for least, most in [self._range(name)]
                ),
            )
        )
        # Importing the compiler would slow this answer down: begin when it is on its way.
        asyncio.get_running_loop().call_later(_PREPARE_AFTER, self._prepare)

    @_carry_out.register(play.Games)
    async def _games(self, command: play.Games, reply: Reply) -> None:
        for known in map(registry.load, registry.names()):
            reply(
                play.GameInfo(
                    name=known.name,
                    title=known.title,
                    players=known.players,
                    size=known.size,
                    ready=self._is_ready(known),
                )
            )
        reply(play.Ok())

    @_carry_out.register(play.NewGame)
    async def _new_game(self, command: play.NewGame, reply: Reply) -> None:
        chosen = self._chosen(command)
        self._positions, self._played = [chosen.start()], []
        self._engine = self._new_engine()
        reply(play.Ok())
        self._prepare()

    @_carry_out.register(play.Prepare)
    async def _make_ready(self, command: play.Prepare, reply: Reply) -> None:
        chosen = self._chosen(command)
        if self._is_ready(chosen):
            reply(play.Ready(game=chosen.name, size=chosen.size))
            return
        self._begin(command, partial(self._tell_of_preparation, chosen, reply), reply)

    async def _tell_of_preparation(self, chosen: Game, reply: Reply) -> None:
        """Say how the preparation of a game goes on, until it is ready.

        Raises RefusedError if it cannot be prepared, or the peer leaves before.
        """
        warmer = self._pool.warmer
        request = self._request(chosen)
        while not (request.done() or self._leaves.done()):
            progress = warmer.progress(chosen)
            left = None if progress is None else progress.seconds_left
            reply(
                play.Preparing(
                    game=chosen.name,
                    size=chosen.size,
                    step="waiting" if progress is None else progress.step,
                    seconds_left=None if left is None else max(math.ceil(left), 0),
                )
            )
            await _first(request, self._leaves, seconds=_PROGRESS_EVERY)
        _check_prepared(chosen, request)
        reply(play.Ready(game=chosen.name, size=chosen.size))

    @_carry_out.register(play.SetPosition)
    async def _set_position(self, command: play.SetPosition, reply: Reply) -> None:
        rules = self.position.game
        start = rules.start() if command.fen is None else rules.parse(command.fen)
        self._positions = [start, *start.play_names(command.moves)]
        self._played = list(command.moves)
        reply(play.Ok())

    @_carry_out.register(play.Move)
    async def _move(self, command: play.Move, reply: Reply) -> None:
        self._positions += self.position.play_names(command.moves)
        self._played += command.moves
        reply(play.Ok())

    @_carry_out.register(play.Undo)
    async def _undo(self, command: play.Undo, reply: Reply) -> None:
        played = len(self._played)
        if command.count > played:
            raise RefusedError(
                ErrorCode.BAD_VALUE,
                f"cannot take back {command.count} moves: since the position was set up, "
                f"{played} were played",
            )
        del self._positions[-command.count :], self._played[-command.count :]
        reply(play.Ok())

    @_carry_out.register(play.Legal)
    async def _legal(self, command: play.Legal, reply: Reply) -> None:
        reply(translate.legal(self.position))
        reply(play.Ok())

    @_carry_out.register(play.Show)
    async def _show(self, command: play.Show, reply: Reply) -> None:
        reply(translate.show(self.position, self._moves))
        reply(play.Ok())

    @_carry_out.register(play.Eval)
    async def _eval(self, command: play.Eval, reply: Reply) -> None:
        self._check_help()
        position = self.position
        if self._is_ready(position.game):
            self._evaluate(position, reply)
        else:
            self._begin(command, partial(self._evaluate_when_ready, position, reply), reply)

    async def _evaluate_when_ready(self, position: Position, reply: Reply) -> None:
        request = self._request(position.game)
        await _first(request, self._leaves)
        _check_prepared(position.game, request)
        self._evaluate(position, reply)

    def _evaluate(self, position: Position, reply: Reply) -> None:
        reply(play.EvalAnswer(score=translate.score(self._engine.evaluate(position))))
        reply(play.Ok())

    @_carry_out.register(play.Result)
    async def _result(self, command: play.Result, reply: Reply) -> None:
        reply(translate.result(self.position))
        reply(play.Ok())

    @_carry_out.register(play.SetOption)
    async def _set_option(self, command: play.SetOption, reply: Reply) -> None:
        name = command.name.lower()
        if name not in self._options:
            known = ", ".join(self._options)
            raise RefusedError(
                ErrorCode.UNKNOWN_OPTION, f"unknown option {command.name}: the options are {known}"
            )
        least, most = self._range(name)
        digits = command.value
        value = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else -1
        if not least <= value <= most:
            raise RefusedError(
                ErrorCode.BAD_VALUE,
                f"{name} is a whole number from {least} to {most}, not {digits}",
            )
        if self._options[name] != value:
            self._options[name] = value
            self._engine = self._new_engine()
        reply(play.Ok())

    @_carry_out.register(play.Go)
    async def _go(self, command: play.Go, reply: Reply) -> None:
        self._check_help()
        position = self.position
        if position.is_over:
            reply(play.BestMove())
            return
        has_time = command.limits.movetime is not None or command.limits.clock is not None
        if not (has_time or self._is_ready(position.game)):
            # Nobody said when the move must come: it comes from the engine.
            self._begin_waiting()
            self._answering = asyncio.create_task(self._search_when_ready(command, reply))
            return
        search = self._submit(command, reply)
        self._answering = search.answer
        search.answer.add_done_callback(partial(self._answer, search, command.level, reply))

    def _submit(self, command: play.Go, reply: Reply) -> ScheduledSearch:
        """Begin to search the position."""
        position = self.position

        def on_info(info: analysis.AnalysisLine) -> None:
            reply(translate.info(info, position.game))

        limits, lines = translate.limits(command.limits), command.multipv
        if command.level is not None:
            limits, lines = levels.search(command.level, position, limits)
        self._search = self._pool.submit(
            self._engine, position, limits, on_info, multipv=lines, by=self
        )
        return self._search

    async def _search_when_ready(self, command: play.Go, reply: Reply) -> None:
        """Search once the engine is ready, or at once and briefly if the search is stopped."""
        await self._ready_or_stopped()  # if it cannot be prepared, the search is plain and says so
        search = self._submit(command, reply)
        if self._is_stopped:
            self._pool.stop(search)
        await asyncio.wait([search.answer])
        self._answer(search, command.level, reply, search.answer)

    def _answer(
        self,
        search: ScheduledSearch,
        level: int | None,
        reply: Reply,
        answer: asyncio.Future[analysis.Analysis],
    ) -> None:
        self._let_go(search)
        self._answering = None
        event: Event
        if (error := answer.exception()) is not None:
            event = Error(code=ErrorCode.INTERNAL, message=str(error))
        else:
            found = answer.result()
            game = search.position.game
            best = found.best if level is None else levels.pick(level, game, found, _chance)
            event = translate.best_move(best, game, found.by)
        reply(event)

    @_carry_out.register(review.Review)
    async def _review(self, command: review.Review, reply: Reply) -> None:
        self._check_help()
        if command.opening > len(self._played):
            raise RefusedError(
                ErrorCode.BAD_VALUE,
                f"an opening of {command.opening} moves is longer than the game: since the "
                f"position was set up, {len(self._played)} were played",
            )
        self._begin_waiting()
        self._answering = asyncio.create_task(self._judge(command, reply))

    async def _judge(self, command: review.Review, reply: Reply) -> None:
        """Review the game, until all is judged, it is stopped, or the time of one search is up."""
        judging = Review(
            self._positions, self._moves, opening=command.opening, winner=command.winner
        )
        # The time of a review begins when there is an engine to review.
        if (error := await self._ready_or_stopped()) is not None:
            self._answering = None
            message = _cannot_prepare(self.position.game, error)
            reply(Error(code=ErrorCode.UNAVAILABLE, message=message))
            return
        timer = asyncio.get_running_loop().call_later(self._settings.max_think_time, self._halt)
        event: Event
        try:
            while (position := judging.position) is not None and not self._is_stopped:
                found = _NOTHING
                if not position.is_over:
                    limits = SearchLimits(nodes=command.nodes)
                    self._search = self._pool.submit(
                        self._engine, position, limits, lambda info: None, by=self
                    )
                    found = await self._found(self._search)
                if self._is_stopped:
                    break
                if (judged := judging.add(found)) is not None:
                    reply(judged)
            event = judging.outcome
        except SearchFailedError as error:
            event = Error(code=ErrorCode.INTERNAL, message=str(error))
        timer.cancel()
        self._answering = None
        reply(event)

    async def _found(self, search: ScheduledSearch) -> analysis.Analysis:
        """What a search finds; raises SearchFailedError."""
        try:
            return await search.answer
        finally:
            self._let_go(search)

    def _let_go(self, search: ScheduledSearch) -> None:
        """See that the next search has an engine."""
        if search.has_thread:  # it came back too late: leave it that engine
            self._engine = self._new_engine()
        self._search = None

    def _halt(self) -> None:
        """Have what is searching answered at once."""
        self._is_stopped = True
        self._stopped.set()
        if self._search is not None:
            self._pool.stop(self._search)

    @_carry_out.register(play.Stop)
    async def _stop(self, command: play.Stop, reply: Reply) -> None:
        reply(play.Ok())
        self._halt()
        await self.answered()

    @_carry_out.register(play.Ping)
    async def _ping(self, command: play.Ping, reply: Reply) -> None:
        chosen = self.position.game
        if self._is_patient and not (self.is_thinking or self._is_ready(chosen)):
            self._begin(command, partial(self._pong_when_prepared, chosen, reply), reply)
        else:
            reply(play.Pong())

    async def _pong_when_prepared(self, chosen: Game, reply: Reply) -> None:
        """Answer when the preparation has ended, well or not, or when the peer leaves."""
        await _first(self._request(chosen), self._leaves)
        reply(play.Pong())

    @_carry_out.register(play.Quit)
    async def _quit(self, command: play.Quit, reply: Reply) -> None:
        await self.finish()
        reply(play.Bye())

    @_carry_out.register(arena.ArenaCommand)
    async def _visit(self, command: arena.ArenaCommand, reply: Reply) -> None:
        if self._arena_session is None:
            raise RefusedError(
                ErrorCode.UNAVAILABLE,
                "this server has no arena: plywire serve --arena FOLDER starts one",
            )
        await self._arena_session.handle(command, reply)

    def _check_help(self) -> None:
        """Raises RefusedError where the engine would help in a rated game that goes on."""
        if self._arena_session is not None:
            self._arena_session.check_help(self.position.game)

    @property
    def _moves(self) -> tuple[str, ...]:
        """The moves played since the position was set up, as the game names them."""
        game = self.position.game
        return tuple(
            game.move_name(game.parse_move(before, text))
            for before, text in zip(self._positions, self._played, strict=False)
        )

    def cost(self, command: Command) -> int:
        """How many messages a command counts as: a review as many as it may search positions."""
        if isinstance(command, review.Review):
            return len(self._positions)
        dear = watching.Recall | watching.RecallRound | arena.Guest | arena.Login
        return _DEAR if isinstance(command, dear) else 1

    def _is_ready(self, game: Game) -> bool:
        """Whether the engine can search the game now."""
        return self._pool.warmer.is_ready(game)

    def _chosen(self, command: play.NewGame | play.Prepare) -> Game:
        """The game that a command names, which may name a part of it or nothing."""
        current = self.position.game
        if command.game is None and command.size is None:
            return current
        return registry.load(command.game or current.name, command.size)

    def _begin_waiting(self) -> None:
        self._is_stopped = False
        self._stopped.clear()

    async def _ready_or_stopped(self) -> BaseException | None:
        """Wait until the game is ready, or nobody waits for it any more.

        Returns what keeps the game from being prepared.
        """
        if self._is_ready(self.position.game):
            return None
        stopping = asyncio.create_task(self._stopped.wait())
        try:
            request = self._request(self.position.game)
            await _first(request, stopping)
        finally:
            stopping.cancel()
        return request.exception() if request.done() else None

    def _prepare(self) -> None:
        """See that the game's kernels are ready by the time a search is asked for."""
        if not self._leaves.done():
            self._request(self.position.game)

    def _request(self, chosen: Game) -> asyncio.Future[None]:
        """Have a game prepared when it is this peer's turn."""
        return self._pool.warmer.request(chosen, self)

    def _new_engine(self) -> Engine:
        """An engine that has learnt nothing yet; it takes no memory before its first search."""
        options = self._options
        book = (self._settings.book or True) if options["book"] else False
        return Engine(hash_mb=options["hash"], threads=options["threads"], book=book)

    def _range(self, option: str) -> tuple[int, int]:
        """The least and the largest value that a peer may set."""
        settings = self._settings
        match option:
            case "hash":
                return 1, settings.max_hash
            case "threads":
                return 1, settings.max_session_threads
            case _:
                return 0, 1


async def _first(*waiting: asyncio.Future[Any], seconds: float | None = None) -> None:
    """Wait until the first of them is done, or so many seconds are over."""
    await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)


def _check_prepared(chosen: Game, request: asyncio.Future[None]) -> None:
    """Raises RefusedError if a game cannot be prepared, or is not yet."""
    if not request.done():
        raise RefusedError(
            ErrorCode.UNAVAILABLE,
            f"the connection closes before {chosen.name} {chosen.size} is ready",
        )
    if (error := request.exception()) is not None:
        raise RefusedError(ErrorCode.UNAVAILABLE, _cannot_prepare(chosen, error))


def _cannot_prepare(chosen: Game, error: BaseException) -> str:
    reason = str(error) if isinstance(error, PreparationError) else "the server's log says why"
    return f"{chosen.name} {chosen.size} cannot be prepared: {reason}"


#: What carries out a kind of command; `self._carry_out` would make a new wrapper at every call.
_way_of = vars(Session)["_carry_out"].dispatcher.dispatch
