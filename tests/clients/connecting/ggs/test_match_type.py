"""Types of match."""

import pytest

from plywire.clients.connecting.ggs.match_type import MatchType, MatchTypeError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8", MatchType()),
        ("8b", MatchType(colour="b")),
        ("s8", MatchType(synchro=True)),
        ("8r", MatchType(discs=0)),
        ("S8R20", MatchType(synchro=True, discs=20)),
        ("10", MatchType(size=10)),
        ("8kr18w", MatchType(komi=True, discs=18, colour="w")),
        ("6a", MatchType(size=6, anti=True)),
    ],
)
def test_types_are_read_and_written(text: str, expected: MatchType) -> None:
    assert MatchType.parse(text) == expected
    assert str(expected) == text.lower()


@pytest.mark.parametrize("text", ["", "s", "r20", "8r99", "8r1", "8x", "८", "8" * 50])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(MatchTypeError, match="no type of match"):
        MatchType.parse(text)


@pytest.mark.parametrize(
    ("text", "objection"),
    [
        ("8", ""),
        ("s8r20", ""),
        ("10", "no boards of 10x10"),
        ("8k", "no komi games"),
        ("8a", "no anti"),
    ],
)
def test_what_we_can_play(text: str, objection: str) -> None:
    assert MatchType.parse(text).objection.startswith(objection)
    assert bool(MatchType.parse(text).objection) == bool(objection)


@pytest.mark.parametrize(
    ("text", "name", "is_like"),
    [
        ("8b", "8", True),
        ("s8r20", "s8r", True),
        ("s8r20", "s8r20", True),
        ("s8r20", "s8r18", False),
        ("s8r20", "8r", False),
        ("8", "8r", False),
        ("8r20", "8", False),
    ],
)
def test_kinds_of_type(text: str, name: str, is_like: bool) -> None:
    assert MatchType.parse(text).is_like(name) is is_like
