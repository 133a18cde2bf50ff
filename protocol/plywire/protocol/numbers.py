"""Reads decimal numbers of protocols and game records."""

import re

#: Maximum length of a number, in characters.
_LONGEST = 64
#: Maximum absolute value of a number.
_MOST = 2.0**53

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")


def read_decimal(text: str) -> float | None:
    """Read a number such as `-3`, `.5`, `2.7680000000000002` or `1e-05`; None for other text.

    An absolute value above 2**53, up to which floats represent every whole number, gives None.
    """
    if len(text) > _LONGEST or not _DECIMAL.fullmatch(text):
        return None
    number = float(text)
    return number if abs(number) <= _MOST else None
