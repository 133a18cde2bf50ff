"""The results of a build so far, in a file of chunks."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

#: The number of positions that a process solves before it reports. A process that is killed loses
#: at most these results.
CHUNK = 64
_CHUNK_TYPE = np.dtype([("scores", np.int8, (CHUNK,)), ("checksum", np.uint32)])


class Checkpoint:
    """The scores, or columns, that are known so far, in a file of chunks.

    Each chunk has a checksum of its scores and of the keys of its positions. If the checksum is
    wrong, the chunk was never solved, was cut off, is damaged, or belongs to other positions. In
    all these cases it is solved again, so a book holds only scores that were found for it.
    """

    def __init__(self, path: Path, keys: NDArray[np.uint64]) -> None:
        """Open the file for positions with these keys, or begin it.

        Raises ValueError if the file has another number of scores.
        """
        self._keys = keys
        shape = (-(-len(keys) // CHUNK),)
        if path.exists():
            chunks = np.lib.format.open_memmap(path, mode="r+")
            if (chunks.shape, chunks.dtype) != (shape, _CHUNK_TYPE):
                raise ValueError(f"{path} is not a checkpoint of {len(keys)} positions")
        else:
            chunks = np.lib.format.open_memmap(path, mode="w+", dtype=_CHUNK_TYPE, shape=shape)
        self._chunks: NDArray[np.void] = chunks
        self._flush = chunks.flush
        self._known = np.array([self._fits(number) for number in range(len(chunks))], np.bool_)
        self._solved = int(self.known.sum())

    @property
    def solved(self) -> int:
        """The number of known scores."""
        return self._solved

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which scores are known."""
        return np.repeat(self._known, CHUNK)[: len(self._keys)]

    @property
    def scores(self) -> NDArray[np.int8]:
        """All scores; unknown ones have any value."""
        scores: NDArray[np.int8] = self._chunks["scores"].reshape(-1)[: len(self._keys)]
        return np.array(scores)

    def missing(self) -> Iterator[range]:
        """Yield the chunks that are not solved yet, in order."""
        for number in np.flatnonzero(~self._known).tolist():
            yield range(CHUNK * number, min(CHUNK * (number + 1), len(self._keys)))

    def put(self, first: int, scores: Sequence[int]) -> None:
        """Store the scores of the chunk that begins with the position `first`."""
        number = first // CHUNK
        self._chunks["scores"][number, : len(scores)] = scores
        self._chunks["checksum"][number] = self._checksum(number)
        self._known[number] = True
        self._solved += len(scores)
        self._flush()

    def _fits(self, number: int) -> bool:
        return bool(self._chunks["checksum"][number] == self._checksum(number))

    def _checksum(self, number: int) -> int:
        keys = self._keys[CHUNK * number : CHUNK * (number + 1)]
        return crc32(self._chunks["scores"][number].tobytes(), crc32(keys.tobytes()))
