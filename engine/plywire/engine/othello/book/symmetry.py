"""The eight symmetries of the board, which do not change the value of a position."""

from collections.abc import Iterator

#: The steps of a transposition. First single squares change places, then blocks of 4 squares, then
#: blocks of 16. A step has the distance between the bits of a pair, and the lower bits of all
#: pairs.
_DIAGONAL_STEPS = (
    (7, 0x00AA_00AA_00AA_00AA),
    (14, 0x0000_CCCC_0000_CCCC),
    (28, 0x0000_0000_F0F0_F0F0),
)


def flipped(word: int) -> int:
    """Return the board upside down: the rows change places."""
    word = word >> 8 & 0x00FF_00FF_00FF_00FF | (word & 0x00FF_00FF_00FF_00FF) << 8
    word = word >> 16 & 0x0000_FFFF_0000_FFFF | (word & 0x0000_FFFF_0000_FFFF) << 16
    return word >> 32 | (word & 0xFFFF_FFFF) << 32


def mirrored(word: int) -> int:
    """Return the mirrored board: the files change places."""
    word = word >> 1 & 0x5555_5555_5555_5555 | (word & 0x5555_5555_5555_5555) << 1
    word = word >> 2 & 0x3333_3333_3333_3333 | (word & 0x3333_3333_3333_3333) << 2
    return word >> 4 & 0x0F0F_0F0F_0F0F_0F0F | (word & 0x0F0F_0F0F_0F0F_0F0F) << 4


def transposed(word: int) -> int:
    """Return the board with rows as files: a2 and b1 change places."""
    for step, lower in _DIAGONAL_STEPS:
        change = (word ^ word >> step) & lower
        word = word ^ change ^ change << step
    return word


def images(word: int) -> Iterator[int]:
    """Yield the eight images of a board, first the board itself."""
    for turned in (word, transposed(word)):
        for upright in (turned, flipped(turned)):
            yield upright
            yield mirrored(upright)


def canonical(own: int, other: int) -> tuple[int, int]:
    """Return the least image of a position, which is the same for all its images."""
    return min(zip(images(own), images(other), strict=True))
