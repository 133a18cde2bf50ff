"""Links from the games of a report to the page, where the reader analyses them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlencode, urlsplit

from plywire.clients.play.judging.accuracy import Accuracy
from plywire.clients.play.matches.records import GameRecord
from plywire.engine.registry import load


@dataclass(frozen=True, slots=True)
class AnalysisLinks:
    """The page that analyses the games, for one file of a report."""

    page: str
    """Address of the page, as seen from the file."""
    games: Collection[str] | None = None
    """Games that the page knows; None if it asks a server for all others."""

    def from_folder(self) -> AnalysisLinks:
        """Return the links of a file in a folder next to this file."""
        is_relative = not urlsplit(self.page).scheme and not self.page.startswith("/")
        return AnalysisLinks(f"../{self.page}", self.games) if is_relative else self

    def address(self, record: GameRecord, accuracy: Accuracy | None) -> str:
        """Return the address of a game, before its losing move if it has one.

        The address of a game that the page does not know is empty.
        """
        if self.games is not None and record.game not in self.games:
            return ""
        fields = {"mode": "analyse", "game": record.game, "size": record.size}
        if record.fen != _start(record.game, record.size):
            fields["fen"] = record.fen
        if record.moves:
            fields["moves"] = ".".join(record.moves)
        if accuracy is not None and accuracy.losing_move is not None:
            fields["at"] = str(accuracy.losing_move)
        return f"{self.page}#{urlencode(fields)}"


def page_address(text: str) -> str:
    """Return the address of a page; raises ValueError if the text is none."""
    parts = urlsplit(text)
    is_whole = parts.scheme in ("http", "https") and parts.netloc
    is_relative = not parts.scheme and parts.path
    if "#" in text or not (is_whole or is_relative):
        raise ValueError(f"{text!r} is no address of a page, such as http://127.0.0.1:7591/")
    return text


@cache
def _start(game: str, size: str) -> str:
    return load(game, size).start().fen()
