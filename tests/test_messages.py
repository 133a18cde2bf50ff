"""The messages are described, field by field, as they are."""

from pathlib import Path

import pytest

from docs.messages import PAGE, ROOT, written


@pytest.mark.parametrize(("path", "text"), written().items(), ids=[p.name for p in written()])
def test_what_is_written_is_what_they_are(path: Path, text: str) -> None:
    """`python -m docs.messages` mends it."""
    assert path.read_text("utf-8") == text, path.relative_to(ROOT)


def test_the_page_has_tables_of_commands_events_and_objects() -> None:
    lines = written()[PAGE].splitlines()
    heads = [line.split("|")[1].strip() for line in lines if line.endswith("| meaning |")]
    assert heads == ["command", "event", "object"]
