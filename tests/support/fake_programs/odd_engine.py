"""An engine of any game here that plays legal moves, and is odd in one way.

Usage: odd_engine.py DIALECT GAME ODDITY

It speaks UGI, UCI, GTP or NBoard, and writes bytes: see `odd_games.py` for the oddities.
"""

import sys

from plywire.clients.play.players.base import GameLine
from plywire.engine.registry import load
from plywire.protocol.dialects.uxi.drops import VARIANTS
from plywire.protocol.ggf import read_ggf, read_move

dialect, game, oddity = sys.argv[1:]
rules = load(game)
offered = "chess" if oddity == "wrong-variant" else VARIANTS.get(game, game)
line = GameLine.at(rules.start())
moves_made = 0

BEFORE = {
    "colours": b"%(comment)s \x1b[31mhot\x1b[0m \x1b]0;title\x07 line\n",
    "backspaces": b"%(comment)s 10%%\b\b\b20%%\b\b\b30%%\n",
    "latin-1": b"%(comment)s calcul termin\xe9\n",
    "bidi": "%(comment)s \u202egnola thgir\n".encode(),
    "long-line": b"%(comment)s " + b"d3 " * 60_000 + b"\n",
    "blank-lines": b"\n\r\n   \n\t\n" if dialect != "gtp" else b"",
    "noise": b"\xff\xfe\x00\x01 Copyright \xa9 nobody\n",
    "chatter": b"readyok\npong 9999\nresponse true\nuciok\nbestmo\nsearch\n=== \n"
    if dialect in ("ugi", "uci")
    else b"readyok\nbestmove\nnodestats x y\nsearch x\n",
}
COMMENT = {"ugi": b"info string", "uci": b"info string", "gtp": b"#", "nboard": b"status"}


def say(text: bytes) -> None:
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


def answer(text: str) -> bytes:
    """A response of GTP, or the line itself."""
    return f"= {text}\n\n".encode() if dialect == "gtp" else f"{text}\n".encode()


def named() -> str:
    """The next move, as the dialect writes it."""
    position = line.position
    if position.is_over:
        return {"gtp": "pass", "nboard": "PA"}.get(dialect, "0000")
    name = line.legal_moves[0].name
    where = position.game.square_name(line.legal_moves[0])
    if dialect == "ugi":
        return "0000" if name == "pass" else name
    if dialect == "uci":
        return "0000" if name == "pass" else f"P@{where}"
    if dialect == "gtp":
        return "PASS" if name == "pass" else where.upper()
    return "PA" if name == "pass" else name.upper()


def go() -> None:
    global moves_made, line
    moves_made += 1
    move = named()
    if oddity == "resigns" and moves_made == 3:
        move = "resign"
    elif oddity == "illegal" and moves_made == 3:
        move = {"ugi": "z9", "uci": "P@z9", "gtp": "Z9", "nboard": "A1"}[dialect]
        if dialect == "nboard":
            move = next(
                name
                for name in ("D4", "E4")
                if name.lower() not in {legal.name for legal in line.legal_moves}
            )
    elif dialect == "gtp" and not line.position.is_over:
        line = line.play(line.legal_moves[0])
    verb = {"ugi": "bestmove ", "uci": "bestmove ", "gtp": "= ", "nboard": "=== "}[dialect]
    text = (verb + move).encode()
    if oddity in BEFORE:
        say(BEFORE[oddity].replace(b"%(comment)s", COMMENT[dialect]).replace(b"%%", b"%"))
    if oddity == "nul":
        text += b"\x00"
    elif oddity == "coloured-move":
        text = b"\x1b[1;32m" + text + b"\x1b[0m"
    elif oddity == "long-answer" and dialect != "gtp":
        text += b" " + b"x" * 200_000
    elif oddity == "unreadable" and moves_made == 3:
        text = verb.encode() + b"\xff\xfe\xff"
    elif oddity == "crash" and moves_made == 3:
        sys.exit("out of memory")
    end = b"\n\n" if dialect == "gtp" else b"\n"
    extra = text + end if oddity == "answers-twice" else b""
    if oddity == "extra-pass":
        extra = (verb + {"gtp": "PASS", "nboard": "PA"}.get(dialect, "0000")).encode() + end
    say(text + end + extra)


def uxi(words: list[str]) -> None:
    global line, moves_made
    match words:
        case ["ugi" | "uci" as verb]:
            author = b"Ren\xe9e" if oddity == "latin-1" else b"Nobody"
            mark = b"\xef\xbb\xbf" if oddity == "byte-order-mark" else b""
            option = "UCI_Variant" if dialect == "uci" else "Game"
            say(
                mark
                + b"id name Odd\nid author "
                + author
                + f"\noption name {option} type combo default {offered} var {offered}\n".encode()
                + f"{verb}ok\n".encode()
            )
        case ["isready"]:
            say(b"readyok\nreadyok\n" if oddity == "answers-twice" else b"readyok\n")
        case ["uginewgame" | "ucinewgame"]:
            moves_made = 0
        case ["position", "startpos", *rest]:
            line = GameLine.at(rules.start())
            for text in rest[1:]:
                legal = line.legal_moves
                name = "pass" if text == "0000" else text.removeprefix("P@")
                line = line.play(
                    next(each for each in legal if name in (each.name, rules.square_name(each)))
                )
        case ["go", *_]:
            go()


def gtp(words: list[str]) -> None:
    global line, moves_made
    match words:
        case ["name"]:
            say(b"= Ren\xe9e\n\n" if oddity == "latin-1" else b"= Odd\n\n")
        case ["list_commands"]:
            say(answer("name\nlist_games\nset_game\nplay\ngenmove\nclear_board"))
        case ["list_games"]:
            say(answer(offered.capitalize() if offered != "cfour" else "Connect4"))
        case ["clear_board"]:
            line, moves_made = GameLine.at(rules.start()), 0
            say(answer(""))
        case ["play", _, vertex]:
            for each in line.legal_moves:
                if vertex.lower() in (each.name, rules.square_name(each)):
                    line = line.play(each)
                    break
            say(answer(""))
        case ["genmove", _]:
            go()
        case [_, *_]:
            say(answer(""))


def nboard(words: list[str], text: str) -> None:
    global line, moves_made
    match words:
        case ["nboard", _]:
            say(b"set myname Ren\xe9e\n" if oddity == "latin-1" else b"set myname Odd\n")
        case ["set", "game", *_]:
            played = read_ggf(text)
            line = GameLine.at(rules.parse(played.fen)).play_names(played.names)
            if not played.names:
                moves_made = 0
        case ["move", move, *_]:
            line = line.play_names([read_move(move).name])
        case ["ping", number]:
            say(f"pong {number}\n".encode() * (2 if oddity == "answers-twice" else 1))
        case ["go"]:
            go()


for text in sys.stdin:
    words = text.split()
    if words == ["quit"]:
        break
    match dialect:
        case "gtp":
            gtp(words)
        case "nboard":
            nboard(words, text)
        case _:
            uxi(words)
