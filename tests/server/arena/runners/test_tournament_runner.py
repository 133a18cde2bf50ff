"""Tournaments from plan to outcome, cut off and resumed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from plywire.clients.play.errors import Termination
from plywire.clients.play.judging.accuracy import GameAccuracy
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.players.base import GameLine
from plywire.engine.registry import load
from plywire.server.arena.job_workers import Workers, processes
from plywire.server.arena.runners.game_runner import GameRunner, RunnerError
from plywire.server.arena.runners.local_runner import LocalRunner
from plywire.server.arena.runners.tournament_runner import TournamentRunner
from plywire.server.arena.runners.worker_runner import WorkerRunner
from plywire.server.arena.store.journal import Journal, JournalError
from plywire.server.arena.tournament.config import parse_config
from plywire.server.arena.tournament.plan import Plan, make_plan
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.arena.tournament.watcher import Watcher

ROUND_ROBIN = """
name = "Cup"
accuracy = false
[format]
system = "round-robin"
games = 4
[time]
depth = 1
[[games]]
game = "tictactoe"
openings = "random"
plies = 2
[[games]]
game = "connect4"
openings = "random"
plies = 4
[players]
Chance = "random:seed=1"
Luck = "random:seed=2"
Greed = "greedy"
"""

SWISS = ROUND_ROBIN.replace('"round-robin"', '"swiss"')


class Cut(Exception):
    """The tournament was cut off."""


class Notes(Watcher):
    """Writes down what it is told, and cuts the tournament off when it was told so many things."""

    def __init__(self, cut_after: int | None = None) -> None:
        self.games: list[ScheduledGame] = []
        self.started_games: list[tuple[int, bool]] = []
        self.moves: list[tuple[int, str]] = []
        self.records: list[GameRecord] = []
        self.accuracies: dict[int, GameAccuracy] = {}
        self.outcome = ""
        self._left = cut_after

    def _count(self) -> None:
        if self._left is not None:
            self._left -= 1
            if self._left == 0:
                raise Cut

    def scheduled(self, games: Sequence[ScheduledGame]) -> None:
        self.games += games
        self._count()

    def started(self, game: ScheduledGame, resumed: bool) -> None:
        self.started_games.append((game.number, resumed))
        self._count()

    def moved(self, game: ScheduledGame, line: GameLine, ms: int) -> None:
        self.moves.append((game.number, line.names[-1]))
        self._count()

    def finished(self, record: GameRecord) -> None:
        self.records.append(record)
        self._count()

    def judged(self, number: int, accuracy: GameAccuracy) -> None:
        self.accuracies[number] = accuracy
        self._count()

    def ended(self, outcome: str) -> None:
        self.outcome = outcome


async def plan(text: str) -> Plan:
    async with Workers(processes(1)) as workers:
        return await make_plan(parse_config(text), workers)


async def run(
    path: Path,
    plan: Plan,
    watcher: Watcher,
    runner: GameRunner | None = None,
    concurrency: int | None = None,
    workers: Workers | None = None,
) -> str:
    """Begin the tournament, or go on with it."""
    runner = runner or LocalRunner()
    if workers is None:
        async with Workers(processes(1)) as workers:
            return await run(path, plan, watcher, runner, concurrency, workers)
    async with Journal(path, create=True) as journal:
        begun = await journal.tournaments()
        if begun:
            identifier = begun[0].id
        else:
            identifier = await journal.create(plan.config.name, plan.model_dump_json())
        tournament = TournamentRunner(
            journal,
            identifier,
            plan,
            runner=runner,
            workers=workers,
            watchers=(watcher,),
            concurrency=concurrency,
        )
        try:
            return await tournament.run()
        finally:
            await runner.close()


async def records(path: Path) -> list[GameRecord | None]:
    async with Journal(path) as journal:
        return [game.record for game in await journal.games(1)]


def check(record: GameRecord) -> None:
    """The moves of a record give its result by the rules."""
    game = load(record.game, record.size)
    result = game.parse(record.fen).play_names(record.moves)[-1].result()
    assert result is not None
    assert record.termination is Termination.NORMAL
    assert record.winner == (None if result.winner is None else result.winner + 1)
    assert len(record.times) == len(record.moves) - record.opening


async def test_a_round_robin_is_played_to_its_end(tmp_path: Path) -> None:
    notes = Notes()
    assert await run(tmp_path / "j", await plan(ROUND_ROBIN), notes) == "all games are played"
    kept = await records(tmp_path / "j")
    assert kept == sorted(notes.records, key=lambda record: record.number)
    assert len(kept) == len(notes.games) == 12
    for record, scheduled in zip(notes.records, notes.games, strict=True):
        check(record)
        assert record.players == scheduled.players
        assert record.moves[: record.opening] == scheduled.opening
        assert record.round == scheduled.round
        assert record.started is not None
    for even, odd in zip(notes.games[::2], notes.games[1::2], strict=True):
        assert even.opening == odd.opening
        assert even.game == odd.game
        assert even.players == odd.players[::-1]
    pairings = [{*game.players} for game in notes.games[::4]]
    assert len({frozenset(pair) for pair in pairings}) == 3
    assert [game.game for game in notes.games[:4]] == ["tictactoe"] * 2 + ["connect4"] * 2


@pytest.mark.parametrize("text", [ROUND_ROBIN, SWISS])
async def test_cut_off_after_any_event_it_goes_on_with_the_same_schedule(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "j"
    drawn_up = await plan(text)
    told: list[Notes] = []
    finished: dict[int, GameRecord] = {}
    outcome = ""
    async with Workers(processes(1)) as workers:
        while not outcome:
            told.append(Notes(cut_after=2 + len(told) % 11))
            before = {record.number: record for record in await _kept(path)}
            with suppress(Cut):
                outcome = await run(
                    path, drawn_up, told[-1], concurrency=1 + len(told) % 2, workers=workers
                )
            after = {record.number: record for record in await _kept(path)}
            assert before.items() <= after.items()
            for record in told[-1].records:
                assert record.number not in finished
                finished[record.number] = record
                assert after[record.number] == record
    assert len(told) > 5
    kept = await records(path)
    assert [record and record.number for record in kept] == list(range(len(kept)))
    for record in kept:
        assert record is not None
        check(record)
    moves = [move for notes in told for move in notes.moves]
    for record in kept:
        assert record is not None
        # No move was taken back or made twice, though games were cut off between their moves; one
        # may have been kept just before all was cut off, too late to be told.
        made = iter(record.moves[record.opening :])
        assert all(name in made for number, name in moves if number == record.number)
    assert any(resumed for notes in told for _, resumed in notes.started_games)


async def _kept(path: Path) -> list[GameRecord]:
    async with Journal(path, create=True):
        pass
    return [record for record in await records(path) if record is not None]


async def test_the_schedule_is_a_function_of_the_seed() -> None:
    one, same, other = [await plan(f"seed = {seed}\n{ROUND_ROBIN}") for seed in (1, 1, 2)]
    assert one == same
    assert one.games(one.schedule({})) == same.games(same.schedule({}))
    assert one.openings != other.openings


async def test_a_plan_survives_the_journal() -> None:
    made = await plan(SWISS)
    assert Plan.model_validate_json(made.model_dump_json()) == made


async def test_each_pairing_plays_the_openings_from_the_first() -> None:
    made = await plan(ROUND_ROBIN)
    games = made.games(made.schedule({}))
    by_pairing = [[game.opening for game in games[first : first + 4]] for first in (0, 4, 8)]
    assert by_pairing[0] == by_pairing[1] == by_pairing[2]
    first, second = (openings[0] for openings in made.openings)
    assert by_pairing[0] == [first, first, second, second]


async def test_games_are_counted_before_they_are_drawn() -> None:
    for text, games in ((ROUND_ROBIN, 12), (SWISS, 8)):
        made = await plan(text)
        schedule = made.schedule({})
        assert made.count(0) == made.count(len(made.games(schedule)), schedule) == games


async def test_a_plan_that_was_kept_before_keeps_its_openings() -> None:
    kept = json.loads((await plan(ROUND_ROBIN)).model_dump_json())
    del kept["openings_by"]
    old = Plan.model_validate(kept)
    games = old.games(old.schedule({}))
    assert [game.opening for game in games[4:8:2]] == [kind[1] for kind in old.openings]


async def test_a_journal_that_fails_stops_the_tournament_and_blames_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "j"
    drawn_up = await plan(ROUND_ROBIN)
    plain = Journal.move
    left = 7

    async def failing(journal: Journal, *event: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise JournalError("the disk is full")
        await plain(journal, *event)  # type: ignore[arg-type]

    monkeypatch.setattr(Journal, "move", failing)
    with pytest.raises(JournalError, match="the disk is full"):
        await run(path, drawn_up, Notes())
    monkeypatch.undo()
    assert await run(path, drawn_up, Notes(), concurrency=3) == "all games are played"
    for record in await records(path):
        assert record is not None
        check(record)


async def test_a_player_that_cannot_start_is_named_before_the_first_game(tmp_path: Path) -> None:
    text = ROUND_ROBIN.replace("greedy", "ugi:/nowhere/engine")
    notes = Notes()
    with pytest.raises(RunnerError, match="Greed cannot play Tic-Tac-Toe"):
        await run(tmp_path / "j", await plan(text), notes)
    assert notes.started_games == []


async def test_workers_play_and_judge(tmp_path: Path) -> None:
    """Moves are judged by exact values, so nobody loses a game of Tic-Tac-Toe by good moves."""
    text = ROUND_ROBIN.replace("accuracy = false", "accuracy = true")
    notes = Notes()
    async with Workers(processes(2)) as workers:
        await run(tmp_path / "j", await plan(text), notes, WorkerRunner(workers), concurrency=2)
    assert len(notes.records) == len(notes.accuracies) == 12
    for record in notes.records:
        check(record)
        accuracy = notes.accuracies[record.number]
        assert accuracy.values[-1] == record.score
        if record.game == "tictactoe":
            assert None not in accuracy.values
            lost = accuracy.values[0] != 0 and record.score == accuracy.values[0]
            assert record.winner is None or lost or accuracy.losing_move is not None
    async with Journal(tmp_path / "j") as journal:
        kept = {game.scheduled.number: game.accuracy for game in await journal.games(1)}
    assert kept == notes.accuracies


async def test_proven_games_are_adjudicated(tmp_path: Path) -> None:
    text = "adjudicate = true\n" + ROUND_ROBIN.replace('game = "connect4"', 'game = "tictactoe"')
    notes = Notes()
    await run(tmp_path / "j", await plan(text), notes)
    assert {record.termination for record in notes.records} == {Termination.ADJUDICATION}
    assert all(len(record.moves) == record.opening for record in notes.records)


async def test_a_lopsided_match_is_stopped_early(tmp_path: Path) -> None:
    text = """
name = "Match"
accuracy = false
sprt = { elo0 = 0, elo1 = 200 }
[format]
system = "round-robin"
games = 200
[[games]]
game = "connect4"
openings = "random"
[players]
Greed = "greedy"
Chance = "random:seed=1"
"""
    notes = Notes()
    drawn_up = await plan(text)
    outcome = await run(tmp_path / "j", drawn_up, notes)
    assert outcome == "H1 accepted: Greed is better by 200 Elo"
    assert 10 < len(notes.records) < 100
    async with Journal(tmp_path / "j") as journal:
        (tournament,) = await journal.tournaments()
    assert tournament.outcome == outcome


async def test_games_run_at_the_same_time(tmp_path: Path) -> None:
    class Meeting(LocalRunner):
        """Lets games begin only when three of them are there."""

        barrier = asyncio.Barrier(3)

        async def play(self, *arguments):  # type: ignore[no-untyped-def]
            await self.barrier.wait()
            return await super().play(*arguments)

    async with asyncio.timeout(60):
        await run(tmp_path / "j", await plan(ROUND_ROBIN), Notes(), Meeting(), concurrency=3)


async def test_a_knockout_has_a_winner(tmp_path: Path) -> None:
    text = ROUND_ROBIN.replace('"round-robin"', '"knockout"')
    notes = Notes()
    outcome = await run(tmp_path / "j", await plan(text), notes)
    assert outcome in {"Chance won", "Luck won", "Greed won"}
    assert {record.round for record in notes.records} == {1, 2}
