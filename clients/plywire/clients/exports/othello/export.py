"""Write the agent, its evaluation and a judge's loop as one file that needs only NumPy."""

import io
import re
import zipfile
from functools import cache
from importlib import resources

from .packing import Packed, pack

#: CodinGame accepts sources that have fewer characters than this. Botzone's limit is unknown.
MOST_CHARACTERS = 100_000
_WIDTH = 1000
_LEVEL = 9
#: The judges give only one core. NumPy reads this setting when it is loaded, so it comes first.
_HEAD = """import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"
"""


def codingame(seconds: float) -> str:
    """Return the source of a bot for CodinGame's Othello; `seconds` is the time for each move."""
    return _source("codingame.py", seconds)


def botzone(seconds: float) -> bytes:
    """Return the archive of a bot for Botzone's Reversi; Python runs its `__main__.py`."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files:
        # `ZipInfo` has a fixed date, so the same bot always gives the same archive.
        files.writestr(
            zipfile.ZipInfo("__main__.py"), _source("botzone.py", seconds), compresslevel=_LEVEL
        )
    return archive.getvalue()


def _source(loop: str, seconds: float) -> str:
    return _written(loop, seconds, _weights())


@cache
def _weights() -> Packed:
    """Return as many weights as fit into both sources, even if `seconds` has many digits."""
    loops = ("codingame.py", "botzone.py")

    def fits(packed: Packed) -> bool:
        return all(len(_written(loop, 1 / 3, packed)) < MOST_CHARACTERS for loop in loops)

    return pack(fits)


def _written(loop: str, seconds: float, packed: Packed) -> str:
    text = packed.weights
    lines = [f'    "{text[at : at + _WIDTH]}"' for at in range(0, len(text), _WIDTH)]
    agent, main = (
        resources.files(__package__).joinpath(name).read_text("utf-8")
        for name in ("agent.py", loop)
    )
    agent = _set(agent, "WEIGHTS", "\n".join(["(", *lines, ")"]))
    agent = _set(agent, "KNOTS", str(packed.knots))
    agent = _set(agent, "UNIT", str(packed.unit))
    agent = _set(agent, "AVERAGES", str(packed.averages))
    main = _set(main, "SECONDS", str(seconds))
    return "\n".join(
        [_HEAD, agent, "", re.sub(r"^from \.agent .*\n", "", main, flags=re.MULTILINE)]
    )


def _set(source: str, name: str, value: str) -> str:
    changed, count = re.subn(
        rf"^({name}(: .*)?) = .*$", lambda it: f"{it[1]} = {value}", source, flags=re.MULTILINE
    )
    if count != 1:
        raise RuntimeError(f"{name} is set {count} times")
    return changed
