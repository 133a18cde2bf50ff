"""Someone else's Connect Four engine: it plays column 1 for ever, or misbehaves on request.
It speaks UGI, UCI or GTP.

Usage: fake_engine.py DIALECT [BEHAVIOUR [FILE]]; each start appends a line to FILE. One that
`leaves-children` writes the ids of its process and of theirs there instead, and hangs. One that
`waits` thinks about its first move until somebody has opened FILE, a FIFO, twice: to read, and to
write.
"""

import os
import subprocess
import sys
import time

dialect = sys.argv[1]
behaviour = sys.argv[2] if len(sys.argv) > 2 else "good"
file = sys.argv[3] if len(sys.argv) > 3 else None
height = 0

if behaviour == "leaves-children":
    quiet = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    child = subprocess.Popen(
        ["sleep", "3600"], stdout=subprocess.DEVNULL, start_new_session=True, **quiet
    )
    # This one is in a session of its own, and its parent has ended.
    shell = "setsid sleep 3600 >/dev/null & echo $!"
    grandchild = subprocess.run(["sh", "-c", shell], stdout=subprocess.PIPE, check=True, **quiet)
    with open(file, "w") as log:  # noqa: PTH123
        print(os.getpid(), child.pid, int(grandchild.stdout), file=log)
elif file and behaviour != "waits":
    with open(file, "a") as log:  # noqa: PTH123 - starts faster without pathlib
        print("started", file=log)

if behaviour == "crash-at-start":
    sys.exit("no licence")
if behaviour == "hang-at-start":
    time.sleep(3600)
if behaviour == "chatty":
    sys.stderr.write("debug\n" * 100_000)

if behaviour == "leaves-a-child":
    # It holds our pipes open when we are gone, and is in no session that could be killed.
    subprocess.Popen(["sleep", "5"], start_new_session=True)

for line in sys.stdin:
    words = line.split()
    if behaviour == "chatty":
        print("info string thinking about", *words)
        print("Copyright by nobody")
    match words[:1]:
        case ["ugi" | "uci"]:
            print("id name Fake")
            if behaviour == "options":
                print("option name Hash type spin default 16 min 1 max 64")
                print("option name Playing Style type combo default solid var solid var risky")
                print("option name Ponder type check default false")
            print(f"{dialect}ok")
        case ["isready"]:
            print("readyok")
        case ["setoption"] if behaviour == "options":
            with open(file, "a") as log:  # noqa: PTH123
                log.write(line)
        case ["position"]:
            height = line.count("P@a")
        case ["go"]:
            if behaviour == "waits":
                for mode in ("w", "r"):
                    open(file, mode).close()  # noqa: PTH123
                behaviour = "good"
            if behaviour == "crash":
                sys.stderr.write("loading\nout of memory\n")
                sys.stderr.flush()
                os._exit(3)
            if behaviour == "escape":
                os.write(2, b"\x1b]0;owned\x07\x1b[2J \xc2\x9b31m\xe2\x80\xaegone\n")
                os._exit(3)
            if behaviour == "half":
                os.write(1, b"bestmo")
                os._exit(3)
            if behaviour == "flood":
                print("info depth 1 nodes 1\n" * 1000)
            if behaviour == "tells":
                print("info depth 3 score cp 5 nodes 40 pv 2")
                print("info depth 4 multipv 1 score cp -12 nodes 99 pv 1")
                print("info depth 4 multipv 2 score cp -70 nodes 99 pv 2")
            if behaviour in ("hang", "leaves-children"):
                time.sleep(3600)
            if behaviour == "deaf":
                os.close(1)
                time.sleep(3600)
            print(
                {
                    "flood": "bestmove 9",
                    "illegal": "bestmove P@d6" if dialect == "uci" else "bestmove 9",
                    "garbage": "bestmove",
                    "noise": "\x00\xff" * 100_000,
                }.get(behaviour, f"bestmove P@a{height + 1}" if dialect == "uci" else "bestmove 1")
            )
        case ["clear_board"]:
            height = 0
            print("=\n")
        case ["play"]:
            height += words[2].startswith("A")
            print("=\n")
        case ["genmove"]:
            height += 1
            named = {"illegal": "D6", "garbage": "I pass on that"}.get(behaviour, f"A{height}")
            print(f"= {named}\n")
        case ["quit"] if behaviour != "stubborn":
            break
        case [number] if dialect == "gtp" and number.isdecimal():
            print(f"={number}\n")
        case _ if dialect == "gtp":
            print("=\n")
    sys.stdout.flush()
if behaviour == "stubborn":
    time.sleep(3600)
