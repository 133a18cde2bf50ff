"""Dialects: commands and events as lines; a client's first line selects one."""

from .base import Dialect
from .gtp.dialect import Gtp
from .json import Json
from .native.dialect import Native
from .nboard.dialect import Nboard
from .uxi.uci import Uci
from .uxi.ugi import Ugi

#: By name; the last one is spoken to a peer whose first line no other recognises.
DIALECTS: dict[str, type[Dialect]] = {
    dialect.name: dialect for dialect in (Json, Ugi, Uci, Nboard, Gtp, Native)
}


def detect(line: str) -> Dialect:
    """A new dialect object for the connection of a peer whose first line this is."""
    return next((dialect() for dialect in DIALECTS.values() if dialect.opens(line)), Native())


__all__ = ["DIALECTS", "Dialect", "Gtp", "Json", "Native", "Nboard", "Uci", "Ugi", "detect"]
