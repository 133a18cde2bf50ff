"""The eight symmetries of the board, which leave what a position is worth as it is."""

from collections.abc import Iterator

#: Single squares change places, then blocks of four, of sixteen: how far apart the bits are that
#: do, and which are the lower of them.
_DIAGONAL_STEPS = (
    (7, 0x00AA_00AA_00AA_00AA),
    (14, 0x0000_CCCC_0000_CCCC),
    (28, 0x0000_0000_F0F0_F0F0),
)


def flipped(word: int) -> int:
    """The board upside down: the rows change places."""
    word = word >> 8 & 0x00FF_00FF_00FF_00FF | (word & 0x00FF_00FF_00FF_00FF) << 8
    word = word >> 16 & 0x0000_FFFF_0000_FFFF | (word & 0x0000_FFFF_0000_FFFF) << 16
    return word >> 32 | (word & 0xFFFF_FFFF) << 32


def mirrored(word: int) -> int:
    """The board in a mirror: the files change places."""
    word = word >> 1 & 0x5555_5555_5555_5555 | (word & 0x5555_5555_5555_5555) << 1
    word = word >> 2 & 0x3333_3333_3333_3333 | (word & 0x3333_3333_3333_3333) << 2
    return word >> 4 & 0x0F0F_0F0F_0F0F_0F0F | (word & 0x0F0F_0F0F_0F0F_0F0F) << 4


def transposed(word: int) -> int:
    """Rows become files: a2 and b1 change places."""
    for step, lower in _DIAGONAL_STEPS:
        change = (word ^ word >> step) & lower
        word = word ^ change ^ change << step
    return word


def images(word: int) -> Iterator[int]:
    """The eight images of a board, the board itself first."""
    for turned in (word, transposed(word)):
        for upright in (turned, flipped(turned)):
            yield upright
            yield mirrored(upright)


def canonical(own: int, other: int) -> tuple[int, int]:
    """The least of a position's images, which all of them share."""
    return min(zip(images(own), images(other), strict=True))
