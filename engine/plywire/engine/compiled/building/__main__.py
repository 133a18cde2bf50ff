"""Build the IR of one program: JSON on standard input and output, see `native.py`."""

import json
import sys

from plywire.engine.compiled.program import Program

from .builder import build

if __name__ == "__main__":
    json.dump(build(Program(**json.load(sys.stdin))).to_bytes().hex(), sys.stdout)
