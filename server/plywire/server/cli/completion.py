"""Completion in a shell: names of games, and kinds of players."""

from collections.abc import Iterator

from plywire.engine.registry import names

#: The beginnings of player specs, and the meaning of each.
_PLAYERS = {
    "random": "any legal move",
    "greedy": "one ply ahead",
    "engine": "this engine",
    "engine:level=": "as hard as that, from 1 to 10",
    "python:": "a class of your own, MODULE:CLASS",
    "ugi:": "a program that speaks UGI",
    "uci:": "a program that speaks UCI",
    "gtp:": "a program that speaks GTP",
    "nboard:": "a program that speaks NBoard",
    "tcp://": "a server",
    "ws://": "a server",
}


def complete_game(incomplete: str) -> list[str]:
    """List the installed games whose names begin with a text."""
    return [name for name in names() if name.startswith(incomplete)]


def complete_player(incomplete: str) -> Iterator[tuple[str, str]]:
    """List the kinds of player specs that begin with a text, with their meanings."""
    return (kind for kind in _PLAYERS.items() if kind[0].startswith(incomplete))
