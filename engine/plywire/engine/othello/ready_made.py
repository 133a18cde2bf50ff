"""Tables that take long to compute; `tools/kernels.py` computes and stores them."""

from __future__ import annotations

import lzma
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

FOLDER = Path(__file__).with_name("tables")


@cache
def ready_made(name: str, kind: DTypeLike) -> NDArray[Any]:
    """Return a stored table of one dimension; it is kept, because kernels know its address."""
    return np.frombuffer(lzma.decompress(file_of(name).read_bytes()), kind)


def file_of(name: str) -> Path:
    """Return the path of a stored table."""
    return FOLDER / f"{name}.xz"
