"""Dialects: commands and events as lines; a client's first line selects one."""

from .base import Answering, Dialect, Driving
from .gtp.answering import GtpAnswering
from .gtp.driving import GtpDriving
from .json import JsonAnswering, JsonDriving
from .native.answering import NativeAnswering
from .native.driving import NativeDriving
from .nboard.answering import NboardAnswering
from .nboard.driving import NboardDriving
from .uxi.uci import UciAnswering, UciDriving
from .uxi.ugi import UgiAnswering, UgiDriving

#: The answering sides by name. The last one is for peers that no other side recognises.
ANSWERING: dict[str, type[Answering]] = {
    side.name: side
    for side in (
        JsonAnswering,
        UgiAnswering,
        UciAnswering,
        NboardAnswering,
        GtpAnswering,
        NativeAnswering,
    )
}

DRIVING: dict[str, type[Driving]] = {
    side.name: side
    for side in (JsonDriving, UgiDriving, UciDriving, NboardDriving, GtpDriving, NativeDriving)
}


def detect(line: str) -> Answering:
    """Return a new answering side for a peer whose first line this is."""
    return next((side() for side in ANSWERING.values() if side.opens(line)), NativeAnswering())


__all__ = ["ANSWERING", "DRIVING", "Answering", "Dialect", "Driving", "detect"]
