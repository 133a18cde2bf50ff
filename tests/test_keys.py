"""The keys of TOML files are described as they are."""

from pathlib import Path

import pytest

from docs.keys import FOLDER, examples, written
from plywire.server.arena.tournament.config import parse_config


@pytest.mark.parametrize(("path", "text"), written().items(), ids=[p.name for p in written()])
def test_what_is_written_is_what_they_are(path: Path, text: str) -> None:
    """`python -m docs.keys` mends it."""
    assert path.read_text("utf-8") == text, path.name


@pytest.mark.parametrize(
    "text", examples((FOLDER / "reference" / "tournament-file.md").read_text("utf-8"))
)
def test_examples_are_tournaments(text: str) -> None:
    parse_config(text)
