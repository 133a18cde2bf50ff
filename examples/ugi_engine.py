"""A whole engine that speaks UGI on its standard input and output: it moves at random.

Only the rules are borrowed. https://github.com/kz04px/ugi describes the protocol.
"""

import random
import sys

from plywire.engine.registry import load

game = load("connect4")
position = game.start()

for line in sys.stdin:
    match line.split():
        case ["ugi"]:
            print("id name Random")
            print("option name Game type combo default connect4 var connect4 var othello")
            print("ugiok")
        case ["isready"]:
            print("readyok")
        case ["setoption", "name", "Game", "value", name]:
            game = load(name)
        case ["position", "startpos", *moves]:
            names = ["pass" if move == "0000" else move for move in moves[1:]]
            position = [game.start(), *game.start().play_names(names)][-1]
        case ["go", *_]:
            move = game.move_name(random.choice(position.moves()))
            print("bestmove", "0000" if move == "pass" else move)
        case ["quit"]:
            break
    sys.stdout.flush()
