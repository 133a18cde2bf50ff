"""Lines that nobody should send, in every dialect: a corpus, and what chance makes of it."""

from __future__ import annotations

import json
import random

#: What opens a connection in each dialect, and what begins the line that ends the answer.
OPENINGS = {
    "plywire": (b"hello 1", "hello"),
    "json": (b'{"type":"hello"}', '{"type":"hello"'),
    "ugi": (b"ugi", "ugiok"),
    "uci": (b"uci", "uciok"),
    "gtp": (b"0 boardsize 8", "=0"),
    "nboard": (b"nboard 2", "set myname"),
}

#: A ping, and what answers it.
PINGS = {
    "plywire": (b"ping", "pong"),
    "json": (b'{"type":"ping"}', '{"type":"pong"}'),
    "ugi": (b"isready", "readyok"),
    "uci": (b"isready", "readyok"),
    "gtp": (b"2000000000 protocol_version", "=2000000000"),
    "nboard": (b"ping 9007199254740992", "pong 9007199254740992"),
}

#: What ends a search; in GTP nothing does, and in NBoard a ping.
STOPS = {
    "plywire": b"stop",
    "json": b'{"type":"stop"}',
    "ugi": b"stop",
    "uci": b"stop",
    "gtp": b"",
    "nboard": b"",
}

_ASKING = {
    "plywire": (
        "hello 1 someone",
        "games",
        "legal",
        "show",
        "result",
        "eval",
        "ping",
        "go depth 2",
        "go nodes 50 multipv 3",
        "go clock 1000 1000 10 10 depth 2",
        "go infinite",
        "go level 1",
        "review nodes 50",
    ),
    "json": tuple(
        json.dumps(message)
        for message in (
            {"type": "hello", "version": 1, "name": "someone"},
            {"type": "games", "id": "a"},
            {"type": "legal", "id": 1},
            {"type": "show"},
            {"type": "result", "id": None},
            {"type": "ping", "id": 2**40},
            {"type": "go", "limits": {"depth": 2}},
            {"type": "review", "nodes": 50, "winner": 1},
            {"type": "go", "level": 1, "id": 3},
            {"type": "go", "limits": {"nodes": 50}, "multipv": 3},
            {"type": "go", "limits": {"clock": {"p1": 1, "p2": 1}, "depth": 2}},
        )
    ),
    "ugi": (
        "ugi",
        "isready",
        "query gameover",
        "query islegal 4",
        "query fen",
        "go depth 2",
        "go p1time 100 p2time 100 p1inc 1 p2inc 1 depth 2",
        "debug on",
    ),
    "uci": ("uci", "isready", "go depth 2", "go wtime 100 btime 100 depth 2", "register later"),
    # No search, for a `reg_genmove` may become a `genmove`, which plays its move.
    "gtp": (
        "1 protocol_version",
        "name",
        "list_commands",
        "12 known_command play",
        "showboard",
        "final_score # of what?",
        "gogui-rules_legal_moves",
        "gogui-rules_board",
        "gogui-rules_side_to_move",
        "time_settings 60 10 5",
        "time_left black 10 0",
        "komi 6.5",
        "list_games",
    ),
    "nboard": (
        "ping 12",
        "set depth 2",
        "set contempt 3.5",
        "hint 2",
        "go",
        "learn",
        "analyze",
    ),
}

_CHANGING = {
    "plywire": ("new-game", "position", "move", "undo", "option"),
    "json": ("new-game", "position", "move", "undo", "option"),
    "ugi": ("setoption", "position"),
    "uci": ("setoption", "position"),
    "gtp": ("play", "boardsize", "set_game", "genmove", "9 play black"),
    "nboard": ("set game", "move", "set depth", "hint"),
}

_BAD = (
    "",
    "-1",
    "0",
    "9",
    "99999999999999999999999999",
    "1e9",
    "chess",
    "size=0x0",
    "size=99999x99999",
    "pass",
    "P@z9",
    "P@",
    "name value",
    "name Hash value",
    "name Hash value -1",
    "fen",
    "fen 7/7 x",
    "xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx x",
    "startpos moves 9",
    "moves moves moves",
    "null",
    "\u202e\u0661\u00e9\U0001f600",
    "%s%n\\x00",
)


def line(dialect: str, chance: random.Random) -> bytes:
    """A line that changes no position: not well formed, not allowed, or only asking."""
    kind = chance.random()
    if kind < 0.15:
        return _noise(chance)
    if kind < 0.3:
        return _changing_badly(dialect, chance)
    text = chance.choice(_ASKING[dialect]).encode()
    return text if kind < 0.4 else _mutated(text, chance)


def _noise(chance: random.Random) -> bytes:
    size = chance.choice((1, 3, 10, 40, 200))
    noise = bytes(chance.randrange(256) for _ in range(size))
    # Noise that opens with this byte, which UTF-8 does not know, is a line of no dialect.
    return b"\xff" + noise.replace(b"\n", b" ")


def _changing_badly(dialect: str, chance: random.Random) -> bytes:
    verb, bad = chance.choice(_CHANGING[dialect]), chance.choice(_BAD)
    if dialect != "json":
        # A backquote stands in no move, number, name or position.
        return f"{verb} {bad} `".encode()
    field = {"new-game": "game", "position": "fen", "move": "moves", "undo": "count"}.get(verb, "x")
    value = chance.choice((bad + "`", None if verb == "move" else [bad], {"a": bad}, 0.5, -1, [[]]))
    return json.dumps({"type": verb, field: value}).encode()


def _mutated(text: bytes, chance: random.Random) -> bytes:
    changed = bytearray(text)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(changed) + 1)
        match chance.randrange(4):
            case 0:
                changed[place:place] = bytes([chance.randrange(32, 256)])
            case 1:
                del changed[place : place + chance.randint(1, 8)]
            case 2:
                changed[place:place] = changed[: chance.randint(1, 30)]
            case _:
                changed[place : place + 1] = chance.choice((b" ", b"{", b'"', b"\\", b"9" * 30))
    return bytes(changed).replace(b"\n", b" ")
