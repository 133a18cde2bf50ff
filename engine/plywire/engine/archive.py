"""Reads NumPy archives that may be damaged."""

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile

import numpy as np

#: The errors that a damaged archive causes.
_DAMAGED = (
    BadZipFile,
    EOFError,
    IndexError,
    KeyError,
    NotImplementedError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)


@contextmanager
def reading(file: IO[bytes] | Path, kind: str) -> Iterator[Any]:
    """Open an archive, with its arrays by name.

    Raises OSError if the file is unreadable, ValueError if it or the data is not of this `kind`.
    """
    if isinstance(file, Path):
        with file.open("rb") as opened, reading(opened, kind) as archive:
            yield archive  # NumPy does not close files that it cannot read
        return
    try:
        with np.load(file, allow_pickle=False) as archive:
            yield archive
    except _DAMAGED as error:
        raise ValueError(f"not {kind}, or a damaged one") from error
