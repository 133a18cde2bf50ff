"""Build the IR of one program: JSON on standard input and output, see `native.py`."""

import json
import sys

from plywire.engine.compiled.program import Program

from .builder import build

#: Of what Numba says of an error, the first lines tell it; many more follow.
_LINES, _LENGTH = 3, 400


def main() -> None:
    """Answer on what is standard output now: kernels' modules may print."""
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
