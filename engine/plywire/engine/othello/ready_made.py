"""Tables that take a while to compute: they are stored, and `tools/kernels.py` computes them."""

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
    """A table of one dimension, read-only, which is kept: kernels know it by its address."""
    return np.frombuffer(lzma.decompress(file_of(name).read_bytes()), kind)


def file_of(name: str) -> Path:
    """Where a table is stored."""
    return FOLDER / f"{name}.xz"
