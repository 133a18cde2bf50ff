"""Builds the IR of one program for `native.py`: JSON on standard input and output."""

import json
import sys

from plywire.engine.compiled.program import Program

from .builder import build

#: Maximum number of lines, and of characters, of a Numba error that are reported.
_LINES, _LENGTH = 3, 400


def main() -> None:
    """Build the IR and write it to standard output; other output goes to standard error."""
    answer, sys.stdout = sys.stdout, sys.stderr
    asked = Program(**json.load(sys.stdin))
    try:
        content = build(asked).to_bytes()
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        sys.exit(f"{type(error).__name__}: {' '.join(lines[:_LINES])}"[:_LENGTH])
    json.dump(content.hex(), answer)


if __name__ == "__main__":
    main()
