"""Run all checks on an engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from plywire.engine.game import Game
from plywire.engine.registry import load, names

from .check import Check, Trial
from .checked_engine import CheckedEngine, FailedError, InapplicableError, Subject
from .engine_checks import FIRST, LAST
from .game_checks import CHECKS

#: The game to check in each dialect in which engines do not name their games.
_USUAL = {"gtp": "othello", "nboard": "othello"}


class CheckResult(StrEnum):
    """Result of a check."""

    PASSED = "ok"
    FAILED = "failed"
    INAPPLICABLE = "does not apply"
    UNREACHED = "not reached"


Progress = Callable[[int, int, str], None]
"""Called with the number of finished checks, the number of all checks, and the present check."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    check: str
    game: str
    """Name of the game; empty if the check is independent of the game."""
    expected: str
    verdict: CheckResult
    said: str
    """What the engine did, or why the check did not run."""
    seconds: float = 0.0
    last_lines: tuple[str, ...] = ()
    """The last lines to and from the engine if the check failed, as in `Player.last_lines`."""

    @property
    def is_skipped(self) -> bool:
        return self.verdict in (CheckResult.INAPPLICABLE, CheckResult.UNREACHED)


async def examine(
    subject: Subject,
    *,
    games: Sequence[Game] = (),
    positions: int = 200,
    margin: int = 100,
    on_progress: Progress = lambda done, total, text: None,
) -> list[Finding]:
    """Run all checks in these games, by default in those that the engine offers.

    `positions` is the number of positions of each game in which the engine must move. `margin` is
    the longest time by which a move may be late, in ms. Failures of the engine become findings and
    are never raised.
    """
    examiner = _Examiner(subject, positions, margin, on_progress)
    usual = load(_USUAL.get(subject.dialect, "connect4"))
    try:
        is_greeted = await examiner.try_all(FIRST, (games or (usual,))[0])
        obstacle = "" if is_greeted else f"no {FIRST[0].name}"
        games = games or examiner.claimed or (usual,)
        examiner.total = len(FIRST) + len(games) * len(CHECKS) + len(LAST)
        for game in games:
            await examiner.try_all(CHECKS, game, obstacle, shown=game.name)
        await examiner.try_all(LAST, games[0], obstacle)
    finally:
        await examiner.close()
    return examiner.findings


class _Examiner:
    def __init__(
        self, subject: Subject, positions: int, margin: int, on_progress: Progress
    ) -> None:
        self.findings: list[Finding] = []
        self.total = len(FIRST) + len(CHECKS) + len(LAST)
        self._subject = subject
        self._positions = positions
        self._margin = margin
        self._on_progress = on_progress
        self._engine: CheckedEngine | None = None

    @property
    def claimed(self) -> list[Game]:
        """Games that the engine offers and that we know, too."""
        told = () if self._engine is None else self._engine.hello.games
        return [load(name) for name in told if name in names()]

    async def try_all(
        self, checks: Sequence[Check], game: Game, obstacle: str = "", shown: str = ""
    ) -> bool:
        """Run these checks unless there is an obstacle; return whether all vital checks passed."""
        for check in checks:
            if obstacle:
                finding = Finding(
                    check.name, shown, check.expected, CheckResult.UNREACHED, obstacle
                )
            else:
                finding = await self._try(check, game, shown)
                if check.is_vital and finding.verdict is CheckResult.FAILED:
                    obstacle = f"no {check.name}"
            self.findings.append(finding)
        return not obstacle

    async def close(self) -> None:
        if self._engine is not None:
            await self._engine.close()

    async def _try(self, check: Check, game: Game, shown: str) -> Finding:
        def tell(how_far: str = "") -> None:
            text = " ".join(filter(None, (check.name, shown, how_far)))
            self._on_progress(len(self.findings), self.total, text)

        tell()
        began = time.monotonic()
        lines: tuple[str, ...] = ()
        try:
            engine = await self._greeted()
            said = await check.run(
                Trial(self._subject, game, engine, self._positions, self._margin, tell)
            )
            verdict = CheckResult.PASSED
        except InapplicableError as reason:
            verdict, said = CheckResult.INAPPLICABLE, str(reason)
        except FailedError as failure:
            verdict, said = CheckResult.FAILED, str(failure)
            lines = self._engine.last_lines if self._engine is not None else ()
        seconds = time.monotonic() - began
        return Finding(check.name, shown, check.expected, verdict, said, seconds, lines)

    async def _greeted(self) -> CheckedEngine:
        if self._engine is None or not self._engine.is_open:
            self._engine = None
            self._engine = await CheckedEngine.open(self._subject)
            await self._engine.greet()
        return self._engine
