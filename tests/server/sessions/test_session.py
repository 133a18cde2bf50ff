"""What a session answers, and what it refuses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from plywire.engine import readiness
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.review import Judged, Review, ReviewAnswer, Reviewed
from plywire.server.searching.search_pool import SearchPool
from plywire.server.sessions import thinking
from plywire.server.sessions.session import Session
from tests.support.books import WORTH, one_line
from tests.support.fake_engine import FakeEngine
from tests.support.peers import settings


class Talk:
    """A session, and what it replied."""

    def __init__(self, *, warmer: Any = None, is_patient: bool = False, **others: Any) -> None:
        chosen = settings(max_session_threads=2, threads=3, **others)
        self.pool = SearchPool(chosen.threads, longest=chosen.max_think_time, warmer=warmer)
        self.session = Session(chosen, self.pool, is_patient=is_patient)
        self.replies: list[Event] = []

    async def ask(self, command: Command) -> list[Event]:
        self.replies = []
        await self.session.handle(command, self.replies.append)
        return self.replies

    async def refused(self, command: Command) -> Error:
        before = self.session.position
        (error,) = await self.ask(command)
        assert isinstance(error, Error)
        assert "\n" not in error.message
        assert self.session.position == before
        return error


@pytest.fixture
async def talk() -> AsyncIterator[Talk]:
    talk = Talk()
    yield talk
    await talk.session.finish()
    await talk.pool.close()


async def test_hello_tells_games_and_options(talk: Talk) -> None:
    await talk.ask(play.NewGame(game="othello"))
    (hello,) = await talk.ask(play.Hello())
    assert isinstance(hello, play.HelloAnswer)
    assert hello.games[0] == "othello"
    assert set(hello.games) == {"othello", "connect4", "tictactoe"}
    assert [(option.name, option.default, option.min, option.max) for option in hello.options] == [
        ("hash", 16, 1, 64),
        ("threads", 1, 1, 2),
        ("book", 1, 0, 1),
    ]


async def test_games(talk: Talk) -> None:
    *games, ok = await talk.ask(play.Games())
    assert isinstance(ok, play.Ok)
    assert [(g.name, g.size) for g in games if isinstance(g, play.GameInfo)] == [
        ("connect4", "7x6"),
        ("othello", "8x8"),
        ("tictactoe", "3x3"),
    ]


async def test_moves_are_shown_and_taken_back(talk: Talk) -> None:
    await talk.ask(play.NewGame(game="tictactoe"))
    await talk.ask(play.Move(moves=("B2", "a1")))
    show, _ = await talk.ask(play.Show())
    assert isinstance(show, play.ShowAnswer)
    assert (show.moves, show.turn) == (("b2", "a1"), 1)
    await talk.ask(play.Undo(count=2))
    assert talk.session.position == talk.session.position.game.start()
    error = await talk.refused(play.Undo())
    assert error.code == ErrorCode.BAD_VALUE


async def test_new_game_keeps_what_is_not_named(talk: Talk) -> None:
    await talk.ask(play.NewGame(game="connect4", size="8x7"))
    await talk.ask(play.NewGame())
    assert talk.session.position.game.size == "8x7"
    await talk.ask(play.NewGame(size="9x6"))
    assert talk.session.position.game.size == "9x6"
    await talk.ask(play.NewGame(game="connect4"))
    assert talk.session.position.game.size == "7x6"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (play.NewGame(game="chess"), ErrorCode.UNKNOWN_GAME),
        (play.NewGame(size="99x99"), ErrorCode.BAD_POSITION),
        (play.SetPosition(fen="nonsense"), ErrorCode.BAD_POSITION),
        (play.SetPosition(moves=("4", "9")), ErrorCode.ILLEGAL_MOVE),
        (play.Move(moves=("4", "4", "z9")), ErrorCode.ILLEGAL_MOVE),
        (play.SetOption(name="ponder", value="1"), ErrorCode.UNKNOWN_OPTION),
        (play.SetOption(name="hash", value="0"), ErrorCode.BAD_VALUE),
        (play.SetOption(name="hash", value="65"), ErrorCode.BAD_VALUE),
        (play.SetOption(name="threads", value="-1"), ErrorCode.BAD_VALUE),
        (play.SetOption(name="book", value="2"), ErrorCode.BAD_VALUE),
        (play.SetOption(name="book", value="off"), ErrorCode.BAD_VALUE),
        (play.SetOption(name="threads", value="9" * 64), ErrorCode.BAD_VALUE),
        (play.Hello(version=2), ErrorCode.UNSUPPORTED_VERSION),
    ],
)
async def test_refuses(talk: Talk, command: Command, code: ErrorCode) -> None:
    await talk.ask(play.Move(moves=("4",)))
    assert (await talk.refused(command)).code == code


@pytest.mark.parametrize(("level", "played"), [(10, {"4"}), (1, set("1234567"))])
async def test_a_level_of_a_solved_game_compares_all_moves(
    talk: Talk, level: int, played: set[str]
) -> None:
    await talk.ask(play.SetPosition(moves=tuple("414141")))
    await talk.ask(play.Go(level=level))
    await talk.session.answered()
    *infos, best = talk.replies
    assert {info.pv[0] for info in infos if isinstance(info, play.Info)} == set("1234567")
    assert isinstance(best, play.BestMove)
    assert best.move in played


async def test_a_level_of_another_game_is_so_many_positions(talk: Talk) -> None:
    await talk.ask(play.NewGame(game="tictactoe"))
    await talk.ask(play.Eval())  # the kernels are there when it has been answered
    visited = []
    for level in (1, 3):
        await talk.ask(play.Go(level=level))
        await talk.session.answered()
        infos = [info for info in talk.replies if isinstance(info, play.Info)]
        assert {info.multipv for info in infos} == {1}
        visited.append(infos[-1].nodes)
    assert 0 < visited[0] <= 10 * 4 < visited[1] <= 10 * 4**3


async def test_time_ends_a_search_at_a_level(talk: Talk) -> None:
    await talk.ask(play.NewGame(game="othello"))
    await talk.ask(play.Go(level=10, limits=Limits(movetime=20)))
    await talk.session.answered()
    assert isinstance(talk.replies[-1], play.BestMove)
    assert all(info.time < 1000 for info in talk.replies if isinstance(info, play.Info))


async def test_a_review_judges_the_moves_after_the_opening(talk: Talk) -> None:
    await talk.ask(play.NewGame(game="tictactoe"))
    await talk.ask(play.Move(moves=("B2", "a2", "a1", "c3", "b1", "b3", "c1")))
    await talk.ask(Review(opening=1))
    await talk.session.answered()
    *judged, ended = talk.replies
    told = [(it.number, it.move, it.mark) for it in judged if isinstance(it, ReviewAnswer)]
    assert told == [
        (7, "c1", "best"),
        (6, "b3", "best"),
        (5, "b1", "best"),
        (4, "c3", "best"),
        (3, "a1", "best"),
        (2, "a2", "losing"),
    ]
    judged_moves = (Judged(moves=3, best=3, sound=3), Judged(moves=3, best=2, sound=2))
    assert ended == Reviewed(players=judged_moves, losing=2)


async def test_who_won_otherwise_than_on_the_board_is_told(talk: Talk) -> None:
    await talk.ask(play.NewGame(game="tictactoe"))
    await talk.ask(play.Move(moves=("b2", "a2")))
    for winner, losing in ((None, None), (1, 2), (2, None)):
        await talk.ask(Review(winner=winner))  # type: ignore[arg-type]
        await talk.session.answered()
        ended = talk.replies[-1]
        assert isinstance(ended, Reviewed)
        assert ended.losing == losing


async def test_a_review_is_a_search_that_can_be_stopped(talk: Talk) -> None:
    await talk.ask(play.NewGame(game="othello"))
    await talk.ask(play.Move(moves=("d3", "c5")))
    replies: list[Event] = []
    await talk.session.handle(Review(nodes=2**40), replies.append)
    assert talk.session.is_thinking
    assert (await talk.refused(play.Undo())).code == ErrorCode.BUSY
    (ok,) = await talk.ask(play.Stop())
    assert isinstance(ok, play.Ok)
    assert replies == [Reviewed(players=(Judged(), Judged()))]
    assert not talk.session.is_thinking
    assert talk.pool.searches == 0


async def test_an_opening_longer_than_the_game_is_refused(talk: Talk) -> None:
    error = await talk.refused(Review(opening=1))
    assert error.code == ErrorCode.BAD_VALUE
    assert not talk.session.is_thinking


async def test_a_review_ends_with_the_time_of_one_search() -> None:
    talk = Talk(max_think_time=0.2)
    await talk.ask(play.NewGame(game="othello"))
    await talk.ask(play.Move(moves=("d3", "c5")))
    await talk.ask(Review(nodes=2**40))
    await talk.session.answered()
    assert isinstance(talk.replies[-1], Reviewed)
    await talk.pool.close()


async def test_a_review_counts_as_a_message_for_each_position(talk: Talk) -> None:
    await talk.ask(play.Move(moves=("4", "4", "4")))
    assert talk.session.cost(Review()) == 4
    assert talk.session.cost(play.Go()) == 1


async def test_a_finished_game(talk: Talk) -> None:
    await talk.ask(play.Move(moves=tuple("1213141")))
    assert isinstance((await talk.ask(play.Go()))[0], play.BestMove)
    assert talk.replies == [play.BestMove(move=None)]
    assert (await talk.refused(play.Move(moves=("5",)))).code == ErrorCode.GAME_OVER
    result, _ = await talk.ask(play.Result())
    assert isinstance(result, play.ResultAnswer)
    assert (result.over, result.winner, result.score) == (True, 1, 1)
    legal, _ = await talk.ask(play.Legal())
    assert legal == play.LegalAnswer(moves=())


async def test_eval(talk: Talk) -> None:
    evaluation, ok = await talk.ask(play.Eval())
    assert isinstance(evaluation, play.EvalAnswer)
    assert evaluation.score.kind == "cp"
    assert isinstance(ok, play.Ok)


async def test_a_book_answers_unless_it_is_left_out(talk: Talk) -> None:
    await talk.ask(play.NewGame(game="othello"))
    await talk.ask(play.Eval())  # the kernels are there when it has been answered
    for value, searches in (("0", True), ("1", False)):
        await talk.ask(play.SetOption(name="book", value=value))
        await talk.ask(play.Go(limits=Limits(movetime=50)))
        await talk.session.answered()
        *infos, best = talk.replies
        assert infos
        assert all(isinstance(info, play.Info) for info in infos)
        assert (infos[-1].nodes > 0) == searches
        assert best.move in ("c4", "d3", "e6", "f5")


async def test_a_book_of_the_settings_is_played_from_unless_it_is_left_out(tmp_path: Path) -> None:
    talk = Talk(book=one_line(tmp_path))
    await talk.ask(play.NewGame(game="othello"))
    await talk.ask(play.Eval())
    for value, worths in (("1", True), ("0", False)):
        await talk.ask(play.SetOption(name="book", value=value))
        await talk.ask(play.Go(limits=Limits(movetime=50)))
        await talk.session.answered()
        info = talk.replies[-2]
        assert isinstance(info, play.Info)
        assert ((info.nodes, info.score.value) == (0, WORTH)) is worths
    await talk.session.finish()
    await talk.pool.close()


@pytest.mark.parametrize(
    "command",
    [
        play.Hello(),
        play.Games(),
        play.NewGame(),
        play.SetPosition(),
        play.Move(moves=("4",)),
        play.Undo(),
        play.Legal(),
        play.Show(),
        play.Eval(),
        play.Result(),
        play.SetOption(name="book", value="0"),
        play.Go(),
    ],
)
async def test_is_busy_while_thinking(talk: Talk, command: Command) -> None:
    await talk.session.handle(play.Go(limits=Limits(infinite=True)), lambda event: None)
    assert (await talk.refused(command)).code == ErrorCode.BUSY


async def test_what_was_learnt_is_kept_until_another_game_or_option(talk: Talk) -> None:
    first = talk.session._thinking.engine
    await talk.ask(play.SetOption(name="hash", value="16"))
    await talk.ask(play.Move(moves=("4",)))
    assert talk.session._thinking.engine is first
    await talk.ask(play.SetOption(name="hash", value="17"))
    second = talk.session._thinking.engine
    assert second is not first
    assert second.hash_mb == 17
    await talk.ask(play.NewGame())
    assert talk.session._thinking.engine is not second


async def test_an_engine_that_did_not_come_back_in_time_is_not_asked_again(talk: Talk) -> None:
    deaf = FakeEngine(is_deaf=True)
    talk.session._thinking.engine = deaf  # type: ignore[assignment]
    await talk.pool.warmer.request(talk.session.position.game)
    try:
        await talk.ask(play.Go(limits=Limits(movetime=20)))
        await talk.session.answered()
        assert deaf.slices
        assert talk.session._thinking.engine is not deaf
    finally:
        deaf.released.set()


async def test_while_thinking(talk: Talk) -> None:
    told: list[Event] = []
    await talk.session.handle(play.Go(limits=Limits(infinite=True)), told.append)
    assert (await talk.refused(play.Move(moves=("4",)))).code == ErrorCode.BUSY
    assert await talk.ask(play.Ping()) == [play.Pong()]
    assert await talk.ask(play.Stop()) == [play.Ok()]
    assert isinstance(told[-1], play.BestMove)
    assert not talk.session.is_thinking
    assert await talk.ask(play.Move(moves=("4",))) == [play.Ok()]


async def test_what_cannot_be_prepared_is_searched_plainly(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(game: Any, on_progress: Any) -> None:
        raise readiness.PreparationError("no compiler")

    monkeypatch.setattr(readiness, "preparations", readiness.Preparations())
    monkeypatch.setattr(readiness, "prepare", fail)
    monkeypatch.setattr(readiness, "is_ready", lambda game: False)
    await talk.ask(play.SetOption(name="book", value="0"))
    for limits in (Limits(depth=3), Limits(movetime=60), Limits(nodes=500)):
        await talk.ask(play.Go(limits=limits))
        await talk.session.answered()
        *infos, best = talk.replies
        assert isinstance(best, play.BestMove)
        assert best.by == "plain"
        assert infos
        assert not talk.session.is_thinking
    assert caplog.text.count("no compiler") == 1
    assert await talk.ask(play.Ping()) == [play.Pong()]


async def test_an_unexpected_failure_is_told_and_survived(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise KeyError("bug")

    await talk.pool.warmer.request(talk.session.position.game)
    monkeypatch.setattr(talk.session._thinking.engine, "evaluate", fail)
    assert (await talk.refused(play.Eval())).code == ErrorCode.INTERNAL
    assert "command failed" in caplog.text
    assert await talk.ask(play.Ping()) == [play.Pong()]


async def test_a_search_whose_answer_fails_is_answered_and_over(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise KeyError("bug")

    monkeypatch.setattr(thinking.translate, "best_move", fail)
    await talk.ask(play.Go(limits=Limits(movetime=20)))
    await talk.session.answered()
    assert isinstance(talk.replies[-1], Error)
    assert talk.replies[-1].code == ErrorCode.INTERNAL
    assert not talk.session.is_thinking
    assert "command failed" in caplog.text
