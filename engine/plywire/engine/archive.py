"""Reads NumPy archives that may be damaged."""

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile

import numpy as np

#: Errors that NumPy can raise when it reads a damaged archive.
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
    """Open an archive, which maps names to arrays.

    Raises OSError if the file is unreadable. Raises ValueError, with the words of `kind`, if the
    file or the data that is read from it is wrong.
    """
    if isinstance(file, Path):
        # The file is opened here, because NumPy does not close files that it cannot read.
        with file.open("rb") as opened, reading(opened, kind) as archive:
            yield archive
        return
    try:
        with np.load(file, allow_pickle=False) as archive:
            yield archive
    except _DAMAGED as error:
        raise ValueError(f"not {kind}, or a damaged one") from error
