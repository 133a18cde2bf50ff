"""Commands in the native dialect."""

from collections.abc import Callable, Mapping

from plywire.protocol.dialects.words import (
    Words,
    build,
    integer,
    split,
    syntax,
    unknown_command,
    unspeakable,
)
from plywire.protocol.messages import commands
from plywire.protocol.messages.commands import Command
from plywire.protocol.validation import shorten

from .arena import ARENA_COMMANDS, write_arena_command
from .limits import limit_words, read_limits


def read_command(verb: str, rest: Words) -> Command:
    """The command that a verb and the words after it make.

    Raises PeerError if they make none.
    """
    if verb not in _COMMANDS:
        raise unknown_command(verb, list(_COMMANDS))
    return _COMMANDS[verb](rest)


def write_command(command: Command) -> str:
    """The line for a command.

    Raises UnspeakableError if it would be read as another.
    """
    match command:
        case commands.Hello():
            return f"hello {command.version} {command.name or ''}".rstrip(" ")
        case commands.NewGame():
            if command.game is not None and command.game.startswith("size="):
                raise unspeakable("plywire", command)
            size = f"size={command.size}" if command.size else ""
            return " ".join(word for word in ("new-game", command.game, size) if word)
        case commands.SetPosition():
            fen = command.fen or "startpos"
            if command.fen == "startpos" or "moves" in fen.split(" "):
                raise unspeakable("plywire", command)
            moves = ("moves", *command.moves) if command.moves else ()
            return " ".join(("position", fen, *moves))
        case commands.Move():
            return " ".join(("move", *command.moves))
        case commands.Undo():
            return f"undo {command.count}"
        case commands.SetOption():
            if " " in command.name:
                raise unspeakable("plywire", command)
            return f"option {command.name} {command.value}"
        case commands.Go():
            multipv = [] if command.multipv == 1 else [f"multipv {command.multipv}"]
            return " ".join(("go", *limit_words(command.limits), *multipv))
        case _:
            return write_arena_command(command)


def _read_hello(rest: Words) -> Command:
    version = integer("version", rest[0]) if rest else 1
    return build(commands.Hello, version=version, name=" ".join(rest[1:]) or None)


def _read_new_game(rest: Words) -> Command:
    game = [word for word in rest if not word.startswith("size=")]
    size = [word.removeprefix("size=") for word in rest if word.startswith("size=")]
    if len(game) > 1 or len(size) > 1:
        raise syntax("expected new-game [GAME] [size=WIDTHxHEIGHT]")
    return build(commands.NewGame, game=game[0] if game else None, size=size[0] if size else None)


def _read_position(rest: Words) -> Command:
    fen, moves = split(rest, "moves")
    if not fen:
        raise syntax("expected position startpos|FEN [moves MOVE...]")
    return build(
        commands.SetPosition,
        fen=None if fen == ["startpos"] else " ".join(fen),
        moves=tuple(moves),
    )


def _read_move(rest: Words) -> Command:
    return build(commands.Move, moves=tuple(rest))


def _read_undo(rest: Words) -> Command:
    if len(rest) > 1:
        raise syntax("expected undo [COUNT]")
    return build(commands.Undo, count=integer("count", rest[0]) if rest else 1)


def _read_option(rest: Words) -> Command:
    if len(rest) < 2:
        raise syntax("expected option NAME VALUE")
    return build(commands.SetOption, name=rest[0], value=" ".join(rest[1:]))


def _read_go(rest: Words) -> Command:
    limits, multipv = read_limits("go", rest, {"multipv": 1})
    return build(commands.Go, limits=limits, multipv=multipv.get("multipv", [1])[0])


def _bare(make: Callable[[], Command]) -> Callable[[Words], Command]:
    """A reader of a command that takes no words."""

    def read(rest: Words) -> Command:
        command = make()
        if rest:
            raise syntax(f"{command.type} takes nothing after it, not {shorten(rest[0])}")
        return command

    return read


_COMMANDS: Mapping[str, Callable[[Words], Command]] = {
    "hello": _read_hello,
    "games": _bare(commands.Games),
    "new-game": _read_new_game,
    "position": _read_position,
    "move": _read_move,
    "undo": _read_undo,
    "legal": _bare(commands.Legal),
    "show": _bare(commands.Show),
    "eval": _bare(commands.Eval),
    "result": _bare(commands.Result),
    "option": _read_option,
    "go": _read_go,
    "stop": _bare(commands.Stop),
    "ping": _bare(commands.Ping),
    "quit": _bare(commands.Quit),
    **ARENA_COMMANDS,
}
