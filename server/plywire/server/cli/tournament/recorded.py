"""Games in a file of records, such as a match writes: reported like a tournament."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from plywire.clients.play.matches.records import GameRecord
from plywire.engine.game import RulesError
from plywire.engine.registry import load
from plywire.server.arena.reports.tournament_report import Report
from plywire.server.arena.store.journalled import JudgedGame

RECORDS_SUFFIX = ".jsonl"


class RecordsError(Exception):
    """A file has no records of games."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The games of a file, in its order and numbered by it."""

    title: str
    results: Sequence[GameRecord]

    @property
    def state(self) -> str:
        return "1 game." if len(self.results) == 1 else f"{len(self.results)} games."

    def report(self) -> Report:
        return Report(title=self.title, games=self.results, summary=self.state)

    async def games(self, most: int) -> AsyncIterator[list[JudgedGame]]:
        """Yield the games, `most` at a time; they are not judged."""
        for place in range(0, len(self.results), most):
            yield [(record, None) for record in self.results[place : place + most]]


def read_records(file: Path) -> Recorded:
    """Read JSON lines of `GameRecord`; raises RecordsError and OSError."""
    records = []
    for number, line in enumerate(file.read_text("utf-8", "replace").splitlines(), 1):
        try:
            record = GameRecord.model_validate_json(line)
            load(record.game, record.size).parse(record.fen).play_names(record.moves)
        except ValidationError as error:
            fault = error.errors()[0]
            place = ".".join(map(str, fault["loc"]))
            raise RecordsError(
                f"{file}: line {number} is no record of a game, as plywire match --out"
                f" games.jsonl writes it: {place + ': ' if place else ''}{fault['msg']}"
            ) from None
        except RulesError as error:
            raise RecordsError(f"{file}: line {number}: {error}") from None
        records.append(record.model_copy(update={"number": number - 1}))
    if not records:
        raise RecordsError(f"{file} is empty: plywire match --out {file} adds games to it")
    return Recorded(file.stem, records)
