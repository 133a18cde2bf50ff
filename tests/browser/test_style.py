"""What is drawn on the board stands out from it."""

from __future__ import annotations

import re

import pytest

from plywire.server.transports.http import WEB

STYLE = (WEB / "style.css").read_text("utf-8")


def colour(name: str, scheme: int) -> str:
    """A colour of the light scheme, 0, or the dark one, 1."""
    found = re.search(rf"--{name}: (?:light-dark\((#\w+), (#\w+)\)|(#\w+));", STYLE)
    assert found is not None
    return found[3] or found[scheme + 1]


def luminance(colour: str) -> float:
    """As WCAG 2.2 defines it."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_possible_moves_are_seen_on_the_cloth(scheme: int) -> None:
    assert ".possible { stroke: var(--white);" in STYLE
    dot, cloth = (luminance(colour(name, scheme)) for name in ("white", "cloth"))
    assert (dot + 0.05) / (cloth + 0.05) >= 3
