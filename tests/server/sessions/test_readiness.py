"""What a session says of games that are not ready, and what waits until they are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable

import pytest

from plywire.clients.play import translate
from plywire.engine import registry
from plywire.engine.analysis import Analysis
from plywire.engine.game import Game
from plywire.engine.limits import SearchLimits
from plywire.engine.readiness import PreparationError, PreparationProgress
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.review import Review, ReviewAnswer, Reviewed
from plywire.server.searching.scheduled_search import ScheduledSearch
from plywire.server.sessions import client_preparations
from plywire.server.sessions import session as sessions
from plywire.server.sessions.peer_loop import PeerLoop
from tests.support.fake_engine import FakeWarmer
from tests.support.peers import MemoryTransport, hear_until, settings
from tests.support.until import until

from .test_session import Talk

GAMES = ("connect4", "othello", "tictactoe")


class SlowWarmer(FakeWarmer):
    """Has tictactoe ready from the start; the others when the test says so."""

    def __init__(self) -> None:
        super().__init__(is_warm=False)
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._done.set_result(None)

    def is_ready(self, game: Game) -> bool:
        return game.name == "tictactoe" or super().is_ready(game)

    def request(self, game: Game, by: Hashable = None) -> asyncio.Future[None]:
        return self._done if game.name == "tictactoe" else super().request(game, by)


class SlowTalk(Talk):
    """A talk to a session whose games are not ready, and what it replied to what goes on."""

    def __init__(self, *, is_patient: bool = False) -> None:
        self.warmer = SlowWarmer()
        super().__init__(warmer=self.warmer, is_patient=is_patient)
        self.told: list[Event] = []

    async def begin(self, command: Command) -> None:
        await self.session.handle(command, self.told.append)

    async def becomes_ready(self) -> None:
        for name in GAMES:
            await asyncio.to_thread(_warm, registry.load(name))
        self.warmer.ready.set_result(None)


def _warm(game: Game) -> None:
    from plywire.engine.readiness import prepare

    prepare(game)


@pytest.fixture
async def talk() -> AsyncIterator[SlowTalk]:
    talk = SlowTalk()
    yield talk
    await talk.session.finish()
    await talk.pool.close()


@pytest.fixture
def submitted(talk: SlowTalk, monkeypatch: pytest.MonkeyPatch) -> list[ScheduledSearch]:
    """The searches that the pool was given."""
    searches: list[ScheduledSearch] = []
    submit = talk.pool.submit

    def note(*given: object, **others: object) -> ScheduledSearch:
        searches.append(submit(*given, **others))  # type: ignore[arg-type]
        return searches[-1]

    monkeypatch.setattr(talk.pool, "submit", note)
    return searches


async def test_hello_and_games_say_what_is_ready(talk: SlowTalk) -> None:
    (hello,) = await talk.ask(play.Hello())
    assert isinstance(hello, play.HelloAnswer)
    assert hello.ready == ("tictactoe",)
    *games, _ = await talk.ask(play.Games())
    found = {game.name: game.ready for game in games if isinstance(game, play.GameInfo)}
    assert found == {"connect4": False, "othello": False, "tictactoe": True}
    talk.warmer.ready.set_result(None)
    (hello,) = await talk.ask(play.Hello())
    assert isinstance(hello, play.HelloAnswer)
    assert set(hello.ready) == set(GAMES)


async def test_what_is_ready_is_said_at_once(talk: SlowTalk) -> None:
    assert await talk.ask(play.Prepare(game="tictactoe")) == [
        play.Ready(game="tictactoe", size="3x3")
    ]


async def test_a_preparation_tells_how_it_goes_on(
    talk: SlowTalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_preparations, "_PROGRESS_EVERY", 0.001)
    await talk.begin(play.Prepare())
    assert await talk.ask(play.Move(moves=("4",))) == [play.Ok()]
    await until(lambda: len(talk.told) >= 2)
    assert talk.told[0] == play.Preparing(game="connect4", size="7x6", step="waiting")
    talk.warmer.told = PreparationProgress("machine code", 1.2)
    expected = play.Preparing(game="connect4", size="7x6", step="machine code", seconds_left=2)
    await until(lambda: talk.told[-1] == expected)
    talk.warmer.ready.set_result(None)
    await until(lambda: talk.told[-1] == play.Ready(game="connect4", size="7x6"))


async def test_progress_is_told_about_once_a_second(talk: SlowTalk) -> None:
    await talk.begin(play.Prepare())
    await asyncio.sleep(0.2)
    assert len(talk.told) == 1


async def test_a_game_that_cannot_be_prepared_is_an_error(talk: SlowTalk) -> None:
    await talk.begin(play.Prepare(game="othello"))
    talk.warmer.ready.set_exception(
        PreparationError("Numba is missing: pip install 'plywire[compile]'")
    )
    await until(lambda: not talk.session.may_be_silent)
    assert talk.told[-1] == Error(
        code=ErrorCode.UNAVAILABLE,
        message="othello 8x8 cannot be prepared: Numba is missing: pip install 'plywire[compile]'",
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (play.Prepare(game="chess"), ErrorCode.UNKNOWN_GAME),
        (play.Prepare(size="99x99"), ErrorCode.BAD_POSITION),
    ],
)
async def test_what_is_no_game_is_refused(
    talk: SlowTalk, command: play.Prepare, code: ErrorCode
) -> None:
    assert (await talk.refused(command)).code == code


@pytest.mark.parametrize("command", [play.Prepare(), play.Eval()])
async def test_what_one_peer_may_have_waiting_is_bounded(talk: SlowTalk, command: Command) -> None:
    for _ in range(8):
        await talk.begin(command)
    error = await talk.refused(command)
    assert error.code == ErrorCode.TOO_MANY
    assert talk.session.may_be_silent
    await talk.becomes_ready()
    await until(lambda: not talk.session.may_be_silent)
    assert sum(isinstance(event, play.Ready | play.EvalAnswer) for event in talk.told) == 8


async def test_who_has_left_waits_for_no_preparation(
    talk: SlowTalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "_PREPARE_AFTER", 0.0)
    asked: list[Hashable] = []
    forgotten: list[Hashable] = []
    monkeypatch.setattr(talk.warmer, "forget", forgotten.append)
    request = talk.warmer.request

    def note(game: Game, by: Hashable = None) -> asyncio.Future[None]:
        asked.append(by)
        return request(game, by)

    monkeypatch.setattr(talk.warmer, "request", note)
    await talk.ask(play.NewGame(size="5x4"))
    await talk.ask(play.Hello())
    await talk.ask(play.Quit())
    await asyncio.sleep(0.01)  # the time at which the greeting would have had a game prepared
    assert len(asked) == 1
    assert forgotten == asked


async def test_who_leaves_is_told_that_nothing_is_ready(talk: SlowTalk) -> None:
    await talk.begin(play.Prepare())
    assert await talk.ask(play.Quit()) == [play.Bye()]
    assert isinstance(talk.told[-1], Error)
    assert talk.told[-1].code == ErrorCode.UNAVAILABLE


async def test_a_preparation_may_be_asked_for_and_outlives_a_search(talk: SlowTalk) -> None:
    searching: list[Event] = []
    await talk.session.handle(play.Go(limits=Limits(infinite=True)), searching.append)
    await talk.begin(play.Prepare())
    assert await talk.ask(play.Stop()) == [play.Ok()]
    assert isinstance(searching[-1], play.BestMove)
    assert not any(isinstance(event, Error) for event in talk.told)


@pytest.mark.parametrize(
    "command",
    [
        play.Go(),
        play.Go(limits=Limits(depth=2)),
        play.Go(limits=Limits(nodes=100)),
        play.Go(level=3),
    ],
)
async def test_a_search_without_a_time_waits_for_the_engine(
    talk: SlowTalk, submitted: list[ScheduledSearch], command: play.Go
) -> None:
    await talk.ask(play.SetOption(name="book", value="0"))
    await talk.ask(play.NewGame(size="4x4"))
    await talk.begin(command)
    await asyncio.sleep(0.05)
    assert talk.session.is_thinking
    assert submitted == []
    await talk.becomes_ready()
    await talk.session.answered()
    assert isinstance(talk.told[-1], play.BestMove)
    assert talk.told[-1].by == "engine"
    assert not talk.session.is_thinking


@pytest.mark.parametrize(
    "limits",
    [Limits(movetime=20), Limits(clock=Clock(p1=100, p2=100)), Limits(movetime=20, depth=3)],
)
async def test_a_search_with_a_time_does_not_wait(
    talk: SlowTalk, submitted: list[ScheduledSearch], limits: Limits
) -> None:
    await talk.begin(play.Go(limits=limits))
    assert len(submitted) == 1
    await talk.session.answered()
    assert isinstance(talk.told[-1], play.BestMove)


async def test_a_search_that_waits_can_be_stopped(talk: SlowTalk) -> None:
    await talk.begin(play.Go(limits=Limits(infinite=True)))
    assert await talk.ask(play.Stop()) == [play.Ok()]
    assert isinstance(talk.told[-1], play.BestMove)
    assert talk.told[-1].move is not None


@pytest.mark.parametrize("by", ["engine", "plain", "none"])
async def test_best_moves_say_what_found_them(
    talk: SlowTalk, monkeypatch: pytest.MonkeyPatch, by: play.SearchedBy
) -> None:
    position = talk.session.position
    move = position.game.parse_move(position, "4")
    search = ScheduledSearch(
        *(talk.session._thinking.engine, position, SearchLimits(), 1, lambda info: None), longest=1
    )
    search.answer.set_result(Analysis(best=move, lines=(), nodes=0, time=0, by=by))
    monkeypatch.setattr(talk.pool, "submit", lambda *_, **__: search)
    await talk.begin(play.Go(limits=Limits(movetime=60_000)))
    await until(lambda: talk.told == [play.BestMove(move="4", square="d1", by=by)])


async def test_a_review_waits_and_judges_by_the_engine(
    talk: SlowTalk, submitted: list[ScheduledSearch]
) -> None:
    await talk.ask(play.SetPosition(moves=("4", "4")))
    await talk.begin(Review(nodes=1000))
    await asyncio.sleep(0.05)
    assert submitted == []
    await talk.becomes_ready()
    await talk.session.answered()
    assert [type(event) for event in talk.told] == [ReviewAnswer, ReviewAnswer, Reviewed]


async def test_a_review_that_waits_can_be_stopped(talk: SlowTalk) -> None:
    await talk.ask(play.SetPosition(moves=("4", "4")))
    await talk.begin(Review())
    assert await talk.ask(play.Stop()) == [play.Ok()]
    assert [type(event) for event in talk.told] == [Reviewed]


@pytest.fixture
async def patient() -> AsyncIterator[SlowTalk]:
    """A talk as a match manager has it, with an engine on a pipe."""
    talk = SlowTalk(is_patient=True)
    yield talk
    await talk.session.finish()
    await talk.pool.close()


async def test_an_evaluation_waits_for_the_engine_and_holds_up_nothing(talk: SlowTalk) -> None:
    await talk.begin(play.Eval())
    assert await talk.ask(play.Move(moves=("4",))) == [play.Ok()]
    assert talk.told == []
    assert talk.session.may_be_silent
    await talk.becomes_ready()
    await until(lambda: len(talk.told) == 2)
    position = registry.load("connect4").start()
    score = translate.score(talk.session._thinking.engine.evaluate(position))
    assert talk.told == [play.EvalAnswer(score=score), play.Ok()]


async def test_an_evaluation_that_cannot_be_had_is_an_error(talk: SlowTalk) -> None:
    await talk.begin(play.Eval())
    talk.warmer.ready.set_exception(PreparationError("there is no compiler"))
    await until(lambda: len(talk.told) == 1)
    assert talk.told == [
        Error(
            code=ErrorCode.UNAVAILABLE,
            message="connect4 7x6 cannot be prepared: there is no compiler",
        )
    ]


@pytest.mark.parametrize("error", [None, PreparationError("no compiler"), MemoryError("full")])
async def test_a_ping_waits_until_searches_can_begin(
    patient: SlowTalk, error: Exception | None
) -> None:
    await patient.begin(play.Ping())
    assert patient.told == []
    if error is None:
        patient.warmer.ready.set_result(None)
    else:
        patient.warmer.ready.set_exception(error)
    await until(lambda: patient.told == [play.Pong()])


async def test_a_ping_that_waits_holds_up_nothing(patient: SlowTalk) -> None:
    await patient.begin(play.Ping())
    searching: list[Event] = []
    await patient.session.handle(play.Go(limits=Limits(infinite=True)), searching.append)
    assert await patient.ask(play.Ping()) == [play.Pong()]
    assert await patient.ask(play.Stop()) == [play.Ok()]
    assert isinstance(searching[-1], play.BestMove)
    assert patient.told == []
    assert await patient.ask(play.Quit()) == [play.Bye()]
    assert patient.told == [play.Pong()]


async def test_an_engine_quits_while_it_is_asked_whether_it_is_ready(patient: SlowTalk) -> None:
    transport = MemoryTransport()
    transport.say_bytes(b"ugi\nisready\nposition startpos moves 4\nquit\n")
    await PeerLoop(transport, patient.session, settings()).run()
    await hear_until(transport, "readyok")
    assert transport.is_closed


async def test_lines_of_gtp_before_the_engine_is_ready_are_answered_in_their_order(
    patient: SlowTalk,
) -> None:
    transport = MemoryTransport()
    transport.say_bytes(b"1 boardsize 8\n2 genmove b\n3 quit\n")
    playing = asyncio.create_task(PeerLoop(transport, patient.session, settings()).run())
    await until(lambda: patient.session.may_be_silent)
    await patient.becomes_ready()
    heard = await hear_until(transport, "=3")
    assert [line.split()[0] for line in heard if line] == ["=1", "=2", "=3"]
    await playing


@pytest.mark.parametrize("command", [play.Go(limits=Limits(depth=2)), Review()])
async def test_what_goes_wrong_unexpectedly_is_answered_all_the_same(
    talk: SlowTalk, command: Command
) -> None:
    await talk.begin(command)
    talk.warmer.ready.set_exception(MemoryError("full"))
    await until(lambda: not talk.session.is_thinking)
    assert isinstance(talk.told[-1], play.BestMove | Error)
