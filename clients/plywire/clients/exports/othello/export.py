"""Writes the agent, its evaluation and a judge's loop as one file that needs NumPy alone."""

import base64
import io
import lzma
import re
import zipfile
from importlib import resources

import numpy as np

from plywire.engine.othello.evaluation.weights import SHIPPED, Weights

from .agent import FILTERS

#: Of the knots of the weights, those that are taken, and the unit to which they are rounded, in
#: hundredths of a disc: what fits into 100,000 characters.
_PICKED = (3, 7)
_UNIT = 130
_WIDTH = 90
_LEVEL = 9
#: Before NumPy is loaded: judges give one core.
_HEAD = """import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"
"""


def codingame(seconds: float) -> str:
    """The source of a bot for CodinGame's Othello that searches so long for each move."""
    return _source("codingame.py", seconds)


def botzone(seconds: float) -> bytes:
    """The archive of a bot for Botzone's game Reversi, in which Python runs `__main__.py`."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files:
        # A fixed date: the same bot is the same archive.
        files.writestr(
            zipfile.ZipInfo("__main__.py"), _source("botzone.py", seconds), compresslevel=_LEVEL
        )
    return archive.getvalue()


def _source(loop: str, seconds: float) -> str:
    weights, picked = Weights.load(SHIPPED), list(_PICKED)
    values = np.rint(weights.values[picked] / _UNIT).astype(np.int8)
    packed = lzma.compress(values.tobytes(), lzma.FORMAT_RAW, filters=FILTERS)
    text = base64.b85encode(packed).decode()
    lines = [f'    "{text[at : at + _WIDTH]}"' for at in range(0, len(text), _WIDTH)]
    agent, main = (
        resources.files(__package__).joinpath(name).read_text("utf-8")
        for name in ("agent.py", loop)
    )
    agent = _set(agent, "WEIGHTS", "\n".join(["(", *lines, ")"]))
    agent = _set(agent, "KNOTS", str(tuple(weights.knots[picked].tolist())))
    agent = _set(agent, "UNIT", str(_UNIT))
    main = _set(main, "SECONDS", str(seconds))
    return "\n".join(
        [_HEAD, agent, "", re.sub(r"^from \.agent .*\n", "", main, flags=re.MULTILINE)]
    )


def _set(source: str, name: str, value: str) -> str:
    """The source with another value of a constant."""
    changed, count = re.subn(
        rf"^({name}(: .*)?) = .*$", lambda it: f"{it[1]} = {value}", source, flags=re.MULTILINE
    )
    if count != 1:
        raise RuntimeError(f"{name} is set {count} times")
    return changed
