"""One client's game, options and commands. A client's mistake is answered and changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from plywire.clients import __version__
from plywire.clients.play import translate
from plywire.clients.play.judging.game_judge import GameJudge
from plywire.engine import registry
from plywire.engine.game import Game, IllegalMoveError, Position
from plywire.protocol.messages import arena, play, review, watching
from plywire.protocol.messages.base import Command, ErrorCode
from plywire.server.errors import RefusedError, error_answer
from plywire.server.searching.search_pool import SearchPool
from plywire.server.settings import Settings

from .client_preparations import ClientPreparations
from .options import EngineOptions
from .played_game import PlayedGame
from .thinking import Reply, Thinking

if TYPE_CHECKING:
    from plywire.server.arena.arena_session import ArenaSession
    from plywire.server.arena.matchmaking.lobby import Lobby
    from plywire.server.arena.peer import Peer

VERSION = 1

#: Seconds from the greeting until the first kernels are loaded.
_PREPARE_AFTER = 0.05

#: A query of the journal, a login or a guest's entry counts as this number of messages.
_DEAR = 20


class Session:
    """The state of one client."""

    def __init__(
        self,
        settings: Settings,
        pool: SearchPool,
        *,
        is_patient: bool = False,
        arena: Lobby | None = None,
    ) -> None:
        """Set up the usual game; raises RulesError if the game in the settings is unknown.

        A patient session delays the answer to `ping` until the game is ready for a search. Match
        managers on a pipe send `isready` to wait for that. During a search, the answer comes at
        once.
        """
        self._is_patient = is_patient
        self._arena = arena
        self._arena_session: ArenaSession | None = None
        self._options = EngineOptions(settings)
        self._preparations = ClientPreparations(pool.warmer, is_bounded=not is_patient)
        self._thinking = Thinking(
            pool, self._preparations, self._options, longest=settings.max_think_time
        )
        self._game = PlayedGame(registry.load(settings.game).start())

    @property
    def position(self) -> Position:
        return self._game.position

    @property
    def is_thinking(self) -> bool:
        return self._thinking.is_running

    @property
    def may_be_silent(self) -> bool:
        """Whether the client waits for something, and so may be silent."""
        return (
            self.is_thinking
            or self._preparations.are_awaited
            or (self._arena_session is not None and self._arena_session.may_be_silent)
        )

    @property
    def is_bot(self) -> bool:
        return self._arena_session is not None and self._arena_session.is_bot

    async def handle(self, command: Command, reply: Reply) -> None:
        """Carry out a command. Commands that search or wait are answered after this returns."""
        await self._answer_errors(partial(self._carry_out, command, reply), reply)

    async def _carry_out(self, command: Command, reply: Reply) -> None:
        if self.is_thinking and not command.while_thinking:
            raise RefusedError(ErrorCode.BUSY, "a search is running: stop it first")
        if isinstance(command, arena.ArenaCommand):
            await self._visit(command, reply)
        elif (method := METHODS.get(type(command))) is not None:
            await method(self, command, reply)
        else:
            raise RefusedError(ErrorCode.UNKNOWN_COMMAND, f"{command.type} is not accepted here")

    async def _answer_errors(self, work: Callable[[], Awaitable[None]], reply: Reply) -> None:
        try:
            await work()
            return
        except Exception as error:
            answer = error_answer(error)
        # Call `reply` outside the `except` block. Inside it, an error of `reply` would keep
        # `error`, and so the session, alive.
        reply(answer)

    async def finish(self) -> None:
        """End the search and the waiting commands; return when all are answered."""
        self._thinking.stop()
        await self._thinking.ended()
        await self._preparations.close()

    async def answered(self) -> None:
        """Wait until the running search or review ends, if there is one."""
        await self._thinking.ended()

    def connect(self, peer: Peer) -> None:
        if self._arena is not None:
            from plywire.server.arena.arena_session import ArenaSession

            self._arena_session = ArenaSession(self._arena, peer)

    def probe(self) -> None:
        """Make a logged-in bot say something."""
        if self._arena_session is not None:
            self._arena_session.probe()

    def leave(self) -> None:
        """Leave the arena, so that no reference cycle keeps the memory of this session."""
        arena_session, self._arena_session = self._arena_session, None
        if arena_session is not None:
            arena_session.leave()

    def cost(self, command: Command) -> int:
        """Return how many messages a command counts as; a review counts once for each position."""
        if isinstance(command, review.Review):
            return len(self._game.positions)
        dear = watching.Recall | watching.RecallRound | arena.Guest | arena.Login
        return _DEAR if isinstance(command, dear) else 1

    async def _hello(self, command: play.Hello, reply: Reply) -> None:
        if command.version != VERSION:
            raise RefusedError(
                ErrorCode.UNSUPPORTED_VERSION,
                f"protocol version {command.version} is unknown: send hello {VERSION}",
            )
        first = self.position.game.name
        games = (first, *(name for name in registry.names() if name != first))
        is_ready = self._preparations.is_ready
        reply(
            play.HelloAnswer(
                version=VERSION,
                software=__version__,
                games=games,
                ready=tuple(name for name in games if is_ready(registry.load(name))),
                options=self._options.described,
            )
        )
        # Begin the preparation later. Now it would delay this answer.
        asyncio.get_running_loop().call_later(
            _PREPARE_AFTER, lambda: self._preparations.begin(self.position.game)
        )

    async def _games(self, command: play.Games, reply: Reply) -> None:
        for known in map(registry.load, registry.names()):
            reply(
                play.GameInfo(
                    name=known.name,
                    title=known.title,
                    players=known.players,
                    size=known.size,
                    ready=self._preparations.is_ready(known),
                )
            )
        reply(play.Ok())

    async def _new_game(self, command: play.NewGame, reply: Reply) -> None:
        chosen = self._chosen(command)
        self._game = PlayedGame(chosen.start())
        self._thinking.forget()
        reply(play.Ok())
        self._preparations.begin(chosen)

    async def _prepare(self, command: play.Prepare, reply: Reply) -> None:
        chosen = self._chosen(command)
        follow = partial(self._preparations.follow, chosen, reply)
        await self._when_ready(chosen, follow, reply)

    async def _set_position(self, command: play.SetPosition, reply: Reply) -> None:
        rules = self.position.game
        start = rules.start() if command.fen is None else rules.parse(command.fen)
        self._game = PlayedGame(start, command.moves)
        reply(play.Ok())

    async def _move(self, command: play.Move, reply: Reply) -> None:
        try:
            self._game.play(command.moves)
        except IllegalMoveError as error:
            if self.position.is_over:
                raise RefusedError(ErrorCode.GAME_OVER, str(error)) from None
            raise
        reply(play.Ok())

    async def _undo(self, command: play.Undo, reply: Reply) -> None:
        self._game.take_back(command.count)
        reply(play.Ok())

    async def _legal(self, command: play.Legal, reply: Reply) -> None:
        reply(translate.legal(self.position))
        reply(play.Ok())

    async def _show(self, command: play.Show, reply: Reply) -> None:
        reply(translate.show(self.position, self._game.moves))
        reply(play.Ok())

    async def _eval(self, command: play.Eval, reply: Reply) -> None:
        self._check_help()
        evaluate = partial(self._evaluate, self.position, reply)
        await self._when_ready(self.position.game, evaluate, reply)

    async def _evaluate(self, position: Position, reply: Reply) -> None:
        await self._preparations.wait(position.game)
        reply(play.EvalAnswer(score=translate.score(self._thinking.engine.evaluate(position))))
        reply(play.Ok())

    async def _result(self, command: play.Result, reply: Reply) -> None:
        reply(translate.result(self.position))
        reply(play.Ok())

    async def _set_option(self, command: play.SetOption, reply: Reply) -> None:
        if self._options.set(command.name, command.value):
            self._thinking.forget()
        reply(play.Ok())

    async def _go(self, command: play.Go, reply: Reply) -> None:
        self._check_help()
        if self.position.is_over:
            reply(play.BestMove())
        else:
            self._thinking.go(command, self.position, reply)

    async def _review(self, command: review.Review, reply: Reply) -> None:
        self._check_help()
        if command.opening > len(self._game):
            raise RefusedError(
                ErrorCode.BAD_VALUE,
                f"an opening of {command.opening} moves is longer than the game: since the "
                f"position was set up, {len(self._game)} were played",
            )
        played = self._game
        judging = GameJudge(
            played.positions, played.moves, opening=command.opening, winner=command.winner
        )
        self._thinking.review(judging, self.position.game, command.nodes, reply)

    async def _stop(self, command: play.Stop, reply: Reply) -> None:
        reply(play.Ok())
        self._thinking.stop()
        await self.answered()

    async def _ping(self, command: play.Ping, reply: Reply) -> None:
        if self.is_thinking or not self._is_patient:
            reply(play.Pong())
            return
        chosen = self.position.game
        await self._when_ready(chosen, partial(self._pong, chosen, reply), reply)

    async def _pong(self, chosen: Game, reply: Reply) -> None:
        """Answer when the preparation succeeds or fails, or when the client leaves."""
        with suppress(RefusedError):
            await self._preparations.wait(chosen)
        reply(play.Pong())

    async def _quit(self, command: play.Quit, reply: Reply) -> None:
        await self.finish()
        reply(play.Bye())

    async def _visit(self, command: arena.ArenaCommand, reply: Reply) -> None:
        if self._arena_session is None:
            raise RefusedError(
                ErrorCode.UNAVAILABLE,
                "this server has no arena: plywire serve --arena FOLDER starts one",
            )
        await self._arena_session.handle(command, reply)

    async def _when_ready(
        self, game: Game, work: Callable[[], Awaitable[None]], reply: Reply
    ) -> None:
        """Carry out a command when a game is ready; raises RefusedError if too many wait."""
        if self._preparations.is_ready(game):
            await work()
        else:
            self._preparations.spawn(partial(self._answer_errors, work, reply))

    def _check_help(self) -> None:
        """Raise RefusedError if the engine would help in a rated game that is being played."""
        if self._arena_session is not None:
            self._arena_session.check_help(self.position.game)

    def _chosen(self, command: play.NewGame | play.Prepare) -> Game:
        """Return the game that a command names; missing parts are those of the current game."""
        current = self.position.game
        if command.game is None and command.size is None:
            return current
        return registry.load(command.game or current.name, command.size)


#: The method for each type of command. Commands of the type `ArenaCommand` are missing, because the
#: arena carries them out.
METHODS: dict[type[Command], Callable[[Session, Any, Reply], Awaitable[None]]] = {
    play.Hello: Session._hello,
    play.Games: Session._games,
    play.NewGame: Session._new_game,
    play.Prepare: Session._prepare,
    play.SetPosition: Session._set_position,
    play.Move: Session._move,
    play.Undo: Session._undo,
    play.Legal: Session._legal,
    play.Show: Session._show,
    play.Eval: Session._eval,
    play.Result: Session._result,
    play.SetOption: Session._set_option,
    play.Go: Session._go,
    review.Review: Session._review,
    play.Stop: Session._stop,
    play.Ping: Session._ping,
    play.Quit: Session._quit,
}
