"""Give a player an exam: questions first, then games against levels of the engine."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from importlib.metadata import version
from operator import attrgetter

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.match import (
    MatchStanding,
    PlayerFactory,
    Schedule,
    play_match,
    start_player,
)
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import Referee, TimeControl
from plywire.clients.play.players.base import GameLine, Player
from plywire.clients.play.players.local import EnginePlayer, RandomPlayer
from plywire.engine.game import Game, Result
from plywire.protocol.messages.limits import Limits

from .marks import Answer, ExamResult, LevelScore, Share, all_marks
from .questions import GRADES, Question, draw_questions

#: Called with the number of finished steps, the number of all steps, and the name of the current
#: step.
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Exam:
    """Settings of an exam; with the same settings a player gets the same questions."""

    games: Sequence[Game]
    positions: int = 20
    """Number of questions of each grade of each game."""
    levels: Sequence[int] = (1, 3, 5, 7, 9)
    level_games: int = 2
    """Games against each level in each game, with alternating colours."""
    seed: int = 0
    control: TimeControl = field(default_factory=TimeControl)

    async def sit(
        self, make: PlayerFactory, on_progress: Progress = lambda done, total, text: None
    ) -> ExamResult:
        """Let a player answer all questions and play all games.

        Raises MatchError if the player cannot start a game; other failures are part of the result.
        """
        questions = len(self.games) * self.positions * len(GRADES)
        total = 2 * questions + len(self.games) * len(self.levels) * self.level_games
        done = 0

        def advance(text: str) -> None:
            nonlocal done
            done += 1
            on_progress(done, total, text)

        name, answers, levels = "", [], []
        for game in self.games:
            async with AsyncExitStack() as stack:
                player = await start_player(stack, make, game)
                name = player.name
                drawn = draw_questions(game, self.positions, self.seed)
                asked: list[Question] = []
                while (question := await asyncio.to_thread(next, drawn, None)) is not None:
                    asked.append(question)
                    advance(f"{game.title}: drawing positions")
                for question in sorted(asked, key=attrgetter("grade")):
                    answers.append(await self._ask(player, question))
                    advance(f"{game.title}: positions")
        if self.level_games:
            for game in self.games:
                for level in self.levels:
                    text = f"{game.title}: level {level}"
                    levels.append(await self._play(make, game, level, lambda: advance(text)))  # noqa: B023
        return ExamResult(
            player=name,
            seed=self.seed,
            version=version("plywire"),
            marks=all_marks(answers),
            levels=tuple(levels),
            answers=tuple(answers),
        )

    async def _ask(self, player: Player, question: Question) -> Answer:
        line, asked = question.line, len(question.line.moves)
        game, turn = line.start.game, line.position.turn

        def after_one_move(line: GameLine) -> Result | None:
            return Result(None, 0, "answered") if len(line.moves) > asked else None

        other = RandomPlayer()
        sides = (other, player) if turn else (player, other)
        record = await Referee(game, self.control, adjudicate=after_one_move).play(sides, line)
        move = None
        if len(record.moves) > asked:
            move = game.parse_move(line.position, record.moves[asked])
        return Answer(
            game=game.name,
            grade=question.grade,
            depth=question.depth,
            fen=line.position.fen(),
            moves=line.names,
            legal=len(question.values),
            keeping=tuple(map(game.move_name, sorted(question.keeping))),
            move=None if move is None else game.move_name(move),
            regret=None if move is None else question.regret(move),
            ms=None if move is None else record.times[0],
            failure=record.termination if move is None else None,
            reason=record.reason if move is None else "",
        )

    async def _play(
        self, make: PlayerFactory, game: Game, level: int, advance: Callable[[], None]
    ) -> LevelScore:
        def opponent() -> Player:
            return EnginePlayer(Limits(), level=level, seed=self.seed, name=name)

        name = f"level {level}"
        standing = MatchStanding()

        def finished(record: GameRecord) -> None:
            standing.add(record)
            advance()

        # Random opening moves are a tenth of the plies. For Tic-Tac-Toe, which is short, this gives
        # 0.
        plies = game.start().plies_left // 10
        schedule = Schedule(game, self.level_games, random_plies=plies, seed=self.seed)
        await play_match(schedule, (make, opponent), self.control, finished)
        tally, found = standing.tally, standing.tally.estimate()
        failures = Counter[Termination]()
        for (who, ending, _), count in standing.failures.items():
            if who != name:
                failures[ending] += count
        return LevelScore(
            game=game.name,
            level=level,
            wins=tally.wins,
            draws=tally.draws,
            losses=tally.losses,
            score=Share(value=found.score, low=found.low, high=found.high),
            failures=failures,
        )
