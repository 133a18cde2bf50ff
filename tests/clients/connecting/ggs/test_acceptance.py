"""Whose requests are accepted."""

from typing import Any

import pytest

from plywire.clients.connecting.ggs.acceptance import Acceptance
from plywire.clients.connecting.ggs.messages import Request, read_message


def request(words: str = "1720 bob 05:00//02:00 8 U 1700 ann") -> Request:
    found = read_message(f"/os: + .1 {words}")
    assert isinstance(found, Request)
    return found


@pytest.mark.parametrize(
    ("rules", "words", "objection"),
    [
        ({}, "1720 bob 05:00//02:00 8 U 1700 ann", ""),
        ({}, "1720 bob 05:00//02:00 10 U 1700 ann", "no boards of 10x10"),
        ({"types": ("8", "s8r")}, "1720 bob 05:00 s8r20 U", ""),
        ({"types": ("8",)}, "1720 bob 05:00 8b U", ""),
        ({"types": ("8",)}, "1720 bob 05:00 s8r20 U", "s8r20 is not among 8"),
        ({"rated": False}, "1720 bob 05:00 8 R", "no rated matches"),
        ({"rated": True}, "1720 bob 05:00 8 U", "only rated matches"),
        (
            {"rating": (2000, 3000)},
            "1720 bob 05:00 8 U",
            "a rating of 1720 is not from 2000 to 3000",
        ),
        ({"initial": (60, 900)}, "1720 bob 05:00 8 U", ""),
        ({"initial": (60, 900)}, "1720 bob 05:00 00:30 8 U", "a clock of 30 is not from 60 to 900"),
        ({"only": ("Carl",)}, "1720 bob 05:00 8 U", "bob is not among Carl"),
        ({"only": ("BOB",)}, "1720 bob 05:00 8 U", ""),
        ({"block": ("Bob",)}, "1720 bob 05:00 8 U", "bob is on the block list"),
    ],
)
def test_rules(rules: dict[str, Any], words: str, objection: str) -> None:
    assert Acceptance(**rules).objection(request(words)) == objection
