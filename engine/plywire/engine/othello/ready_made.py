"""Tables that take a while to compute: they are stored, and `make kernels` computes them."""

from __future__ import annotations

import lzma
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

FOLDER = Path(__file__).with_name("tables")


def ready_made(name: str, kind: DTypeLike) -> NDArray[Any]:
    """A table of one dimension, read-only."""
    return np.frombuffer(lzma.decompress(file_of(name).read_bytes()), kind)


def file_of(name: str) -> Path:
    """Where a table is stored."""
    return FOLDER / f"{name}.xz"


def computed() -> Mapping[Path, bytes]:
    """The files of all tables, as they are to be."""
    from .endgame.stability import compute_edges
    from .midgame.regression import SHIPPED, Regression

    tables: dict[str, Callable[[], NDArray[Any]]] = {
        "edges": compute_edges,
        "probcut": lambda: Regression.load(SHIPPED).table(),
    }
    return {
        file_of(name): lzma.compress(table().tobytes(), preset=9) for name, table in tables.items()
    }
