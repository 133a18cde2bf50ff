"""What the page draws on what, and the contrast between both, in light and dark.

A contrast is the ratio of luminances that WCAG 2.2 defines; it asks for 4.5 of text and for 3 of
large text, controls and drawings (success criteria 1.4.3 and 1.4.11, level AA). Colours are those
that the style sheet names.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from plywire.server.transports.http import WEB

STYLE = (WEB / "style.css").read_text("utf-8")

TEXT, SHAPE = 4.5, 3.0


class Pair(NamedTuple):
    """What is drawn on what, by names of colours, and the least contrast between them."""

    what: str
    colour: str
    ground: str
    least: float = TEXT

    @property
    def contrasts(self) -> tuple[float, float]:
        """In light and in dark."""
        light, dark = (
            sorted(luminance(colour(name, scheme)) for name in (self.colour, self.ground))
            for scheme in (0, 1)
        )
        return (light[1] + 0.05) / (light[0] + 0.05), (dark[1] + 0.05) / (dark[0] + 0.05)


PAIRS = (
    Pair("Text on the page", "ink", "paper"),
    Pair("Text on cards, chips without a verdict", "ink", "card"),
    Pair("Text of what is pointed at", "ink", "hover"),
    Pair("Quiet text on the page", "quiet", "paper"),
    Pair("Quiet text on cards", "quiet", "card"),
    Pair("Quiet text of what is pointed at", "quiet", "hover"),
    Pair("Links and crosses", "accent", "card"),
    Pair("Main buttons, the current move", "on-accent", "accent"),
    Pair("What is good", "good", "card"),
    Pair("What is bad, noughts", "bad", "card"),
    Pair("What is bad on the page", "bad", "paper"),
    Pair("What is even", "even", "card"),
    Pair("Edges of fields", "field", "card", SHAPE),
    Pair("The focus", "accent", "paper", SHAPE),
    Pair("Black discs, and moves that Black has", "black", "cloth", SHAPE),
    Pair("White discs, and moves that White has", "white", "cloth", SHAPE),
    Pair("Holes in the plate", "well", "plate", SHAPE),
    Pair("The ring of yellow stones", "one-sign", "one", SHAPE),
    Pair("The diamond of red stones", "two-sign", "two", SHAPE),
    Pair("Edges of arrows over holes", "arrow-edge", "arrow", SHAPE),
)


def colour(name: str, scheme: int) -> str:
    """A colour of the light scheme, 0, or the dark one, 1."""
    found = re.search(rf"--{name}: (?:light-dark\((#\w+), (#\w+)\)|(#\w+));", STYLE)
    if found is None:
        raise ValueError(f"the style sheet names no colour {name}")
    return found[3] or found[scheme + 1]


def luminance(colour: str) -> float:
    """As WCAG 2.2 defines it."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
