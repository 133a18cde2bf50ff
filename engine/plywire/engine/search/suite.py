"""The contract of a suite: `plywire bench` solves its positions, whose scores are known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plywire.engine.game import Game


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """A result for people, and the same as values for programs."""

    text: str
    values: Mapping[str, object]


class Suite(ABC):
    """Reads and solves the positions of one game; each game has a format of its own."""

    @abstractmethod
    def __init__(self, game: Game, *, table_mb: int, threads: int, book: bool) -> None:
        """Raises ValueError if a number is out of range or memory is short."""

    @classmethod
    @abstractmethod
    def read(cls, game: Game, lines: Iterable[str]) -> Sequence[Any]:
        """Read a file; raise RulesError, with the number of the line, if a line is invalid."""

    @abstractmethod
    def run(self, problems: Sequence[Any], first: int) -> Iterator[SuiteReport | None]:
        """Solve problems, each on an empty table, and yield reports; the last one covers all.

        None shows that a problem without a report is solved. `first` is the number of the first
        problem.
        """
