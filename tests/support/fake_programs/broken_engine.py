"""A UGI engine of Connect Four and Othello with one fault, or none.

Usage: broken_engine.py FAULT FILE. It plays the first legal move; FILE is for the faults that
remember something.
"""

import fcntl
import sys
import time
from pathlib import Path

from plywire.engine.registry import load

fault, file = sys.argv[1], Path(sys.argv[2])
game = load("connect4")
position = game.start()

if fault == "leaves-a-lock" and file.exists():
    file.unlink()
    sys.exit("locked")
if fault == "plays-alone":
    lock = file.open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit("another is running")

for line in sys.stdin:
    match line.split():
        case ["ugi"]:
            print("id name Broken 1")
            print("option name Game type combo default connect4 var connect4 var othello")
            default = 1 if fault == "bad-default" else 16
            print(f"option name Hash type spin default {default} min 16 max 64")
            print("uciok" if fault == "no-greeting" else "ugiok")
        case ["isready"]:
            print("readyok")
        case ["setoption", "name", "Hash", *_]:
            if fault == "dies-of-an-option":
                sys.exit("out of memory")
        case ["setoption", "name", "Game", "value", name]:
            if fault == "claims-too-much" and name == "othello":
                sys.exit("no such game")
            game = load(name)
        case ["uginewgame"]:
            pass
        case ["position", "startpos", *moves]:
            played = ["pass" if move == "0000" else move for move in moves[1:]]
            position = [game.start(), *game.start().play_names(played)][-1]
        case ["go", *limits]:
            if fault == "late" and limits == ["movetime", "100"]:
                time.sleep(4)
            names = [game.move_name(move) for move in position.moves()]
            move = names[0] if names else "0000"
            if fault == "illegal" and len(played) > 10 and names:
                move = "9"
            if move == "pass":
                move = "a1" if fault == "never-passes" else "0000"
            if fault == "moves-after-the-end" and not names:
                move = "1"
            if fault == "dies-at-the-end" and not names:
                sys.exit("no move left")
            if fault == "garbled" and names and len(names) < 7:
                print("bestmove")
            elif not (fault == "never-stops" and limits == ["infinite"]):
                print("bestmove", move)
        case ["query", _] if fault == "knows-no-queries":
            pass
        case ["query", "gameover"]:
            print("response", "true" if position.is_over else "false")
        case ["query", "result"]:
            result = position.result()
            won = None if result is None else result.winner
            told = (
                "p1win" if fault == "wrong-winner" and result else {0: "p1win", 1: "p2win"}.get(won)
            )
            print("response", told or ("draw" if result else "none"))
        case ["query", "p1turn"]:
            print("response", "false" if position.turn else "true")
        case ["stop"]:
            if fault == "answers-twice":
                print("bestmove 1")
        case ["quit"]:
            if fault == "leaves-a-lock":
                file.touch()
            if fault == "fails-at-the-end":
                sys.exit(3)
            if fault != "never-quits":
                break
        case _ if fault == "dies-of-garbage":
            sys.exit(f"cannot read {line!r}")
    sys.stdout.flush()
