"""Reading NumPy archives that may be damaged."""

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile

import numpy as np

#: What reading an archive raises where bytes of it are wrong.
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
    """Open an archive, its arrays by name.

    Raises OSError if the file cannot be read, and ValueError, saying that it is not `kind`, where
    it is no archive or what is done with it within the block shows that it is a wrong one.
    """
    if isinstance(file, Path):
        with file.open("rb") as opened, reading(opened, kind) as archive:
            yield archive  # NumPy forgets to close what it cannot read
        return
    try:
        with np.load(file, allow_pickle=False) as archive:
            yield archive
    except _DAMAGED as error:
        raise ValueError(f"not {kind}, or a damaged one") from error
