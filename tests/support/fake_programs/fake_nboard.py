"""Someone else's Othello engine: it plays d3, at once or when it is told to stop.

Usage: fake_nboard.py BEHAVIOUR FILE; the words that begin the lines it is told go to FILE.
"""

import os
import sys

behaviour, file = sys.argv[1:]
thinking = False

with open(file, "w") as log:  # noqa: PTH123 - starts faster without pathlib
    for line in sys.stdin:
        words = line.split()
        print(words[0], file=log, flush=True)
        match words:
            case ["go"]:
                if behaviour == "crash":
                    sys.stderr.write("out of memory\n")
                    sys.stderr.flush()
                    os._exit(3)
                thinking = True
            case ["quit"]:
                break
        if thinking and (behaviour == "good" or words[0] == "ping"):
            thinking = False
            print("=== D3/0.00/0.01")
        if words[0] == "ping":
            print("pong", words[1])
        sys.stdout.flush()
