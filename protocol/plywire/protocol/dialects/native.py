"""The native line protocol: one command a line, one event a line.

The grammar is in PROTOCOL.md, section "Native".
"""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from plywire.protocol import commands, events
from plywire.protocol.commands import Command
from plywire.protocol.events import Event
from plywire.protocol.limits import Clock, Limits
from plywire.protocol.validation import shorten

from .base import Dialect
from .words import build, integer, numbers, syntax, unknown_command, unspeakable, words

Words = Sequence[str]

#: The drawing of the largest board, 64 squares high, with room for coordinates.
_MAX_BOARD_LINES = 128


class Native(Dialect):
    """The dialect spoken to whoever is not recognised as speaking another."""

    name: ClassVar[str] = "plywire"

    def __init__(self) -> None:
        """At the beginning of a connection."""
        self._board: list[str] = []

    @classmethod
    def opens(cls, line: str) -> bool:
        """Any line may be one of a person typing."""
        return True

    def decode_command(self, line: str) -> list[Command]:
        """The command on a line."""
        match words(line):
            case [verb, *rest] if verb in _COMMANDS:
                return [_COMMANDS[verb](rest)]
            case [verb, *_]:
                raise unknown_command(verb, list(_COMMANDS))
            case _:
                return []

    def encode_event(self, event: Event, command: Command | None) -> list[str]:
        """One line an event, but several for a board."""
        match event:
            case events.Hello():
                listed = "".join(
                    f" {key}={','.join(values)}"
                    for key, values in (
                        ("games", event.games),
                        ("options", [_option_word(option) for option in event.options]),
                    )
                    if values
                )
                software = f" software={event.software}" if event.software else ""
                return [f"hello {event.server} {event.version}{listed}{software}"]
            case events.GameInfo():
                players = ",".join(event.players)
                return [
                    f"game {event.name} size={event.size} players={players} title={event.title}"
                ]
            case events.Error():
                return [f"error {event.code} {event.message}".rstrip(" ")]
            case events.Legal():
                return [" ".join(("legal", *event.moves))]
            case events.Show():
                moves = " ".join(("moves", *event.moves))
                return [
                    *(f"board {row}" for row in event.board.split("\n")),
                    f"show {event.game} {event.size} turn {event.turn} fen {event.fen} {moves}",
                ]
            case events.Eval():
                return [f"eval {_score_words(event.score)}"]
            case events.Result():
                return [_result_line(event)]
            case events.Info():
                pv = f" pv {' '.join(event.pv)}" if event.pv else ""
                return [
                    f"info depth {event.depth} multipv {event.multipv}"
                    f" score {_score_words(event.score)} nodes {event.nodes} nps {event.nps}"
                    f" hashfull {event.hashfull} time {event.time}{pv}"
                ]
            case events.BestMove():
                return [f"bestmove {event.move or 'none'}"]
            case events.Bye():
                return [f"bye {event.reason}".rstrip(" ")]
            case events.Ok() | events.Pong():
                return [event.type]

    def encode_command(self, command: Command) -> list[str]:
        """One line a command."""
        match command:
            case commands.Hello():
                return [f"hello {command.version} {command.name or ''}".rstrip(" ")]
            case commands.NewGame():
                if command.game is not None and command.game.startswith("size="):
                    raise unspeakable(self.name, command)
                size = f"size={command.size}" if command.size else ""
                return [" ".join(word for word in ("new-game", command.game, size) if word)]
            case commands.SetPosition():
                fen = command.fen or "startpos"
                if command.fen == "startpos" or "moves" in fen.split(" "):
                    raise unspeakable(self.name, command)
                moves = ("moves", *command.moves) if command.moves else ()
                return [" ".join(("position", fen, *moves))]
            case commands.Move():
                return [" ".join(("move", *command.moves))]
            case commands.Undo():
                return [f"undo {command.count}"]
            case commands.SetOption():
                if " " in command.name:
                    raise unspeakable(self.name, command)
                return [f"option {command.name} {command.value}"]
            case commands.Go():
                return [" ".join(("go", *_limit_words(command)))]
            case _:
                return [command.type]

    def decode_event(self, line: str) -> list[Event]:
        """The event on a line; the lines of a board are kept until its `show`."""
        if line.startswith("board "):
            if len(self._board) == _MAX_BOARD_LINES:
                raise syntax(f"a board has at most {_MAX_BOARD_LINES} lines")
            self._board.append(line.removeprefix("board "))
            return []
        match words(line):
            case ["show", *rest]:
                board, self._board = "\n".join(self._board), []
                return [_read_show(rest, board)]
            case [verb, *rest] if verb in _EVENTS:
                return [_EVENTS[verb](rest)]
            case [verb, *_]:
                raise syntax(f"unknown event {shorten(verb)}: the events are {', '.join(_EVENTS)}")
            case _:
                return []


# --- commands ---------------------------------------------------------------------------------


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
    fen, moves = _split(rest, "moves")
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


_LIMITS = {"movetime": 1, "depth": 1, "nodes": 1, "clock": 4, "infinite": 0, "multipv": 1}


def _read_go(rest: Words) -> Command:
    given = numbers("go", rest, _LIMITS)
    single = {key: given[key][0] for key in ("movetime", "depth", "nodes") if key in given}
    clock = None
    if "clock" in given:
        p1, p2, inc1, inc2 = given["clock"]
        clock = build(Clock, p1=p1, p2=p2, inc1=inc1, inc2=inc2)
    limits = build(Limits, **single, clock=clock, infinite="infinite" in given)
    return build(commands.Go, limits=limits, multipv=given.get("multipv", [1])[0])


def _limit_words(command: commands.Go) -> list[str]:
    limits = command.limits
    line = [
        f"{key} {value}"
        for key, value in (
            ("movetime", limits.movetime),
            ("depth", limits.depth),
            ("nodes", limits.nodes),
        )
        if value is not None
    ]
    if (clock := limits.clock) is not None:
        line.append(f"clock {clock.p1} {clock.p2} {clock.inc1} {clock.inc2}")
    if limits.infinite:
        line.append("infinite")
    if command.multipv != 1:
        line.append(f"multipv {command.multipv}")
    return line


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
}


# --- events -----------------------------------------------------------------------------------


def _score_words(score: events.Score) -> str:
    return score.kind if score.kind == "draw" else f"{score.kind} {score.value}"


def _read_score(rest: Words) -> events.Score:
    match rest:
        case ["draw"]:
            return events.Score(kind="draw")
        case ["cp" | "win" | "loss" | "exact" as kind, value]:
            return build(events.Score, kind=kind, value=integer(kind, value))
        case _:
            raise syntax("a score is cp N, win N, loss N, draw or exact N")


def _option_word(option: events.Option) -> str:
    return f"{option.name}:{option.default}:{option.min}:{option.max}"


def _read_option_word(word: str) -> events.Option:
    match word.split(":"):
        case [name, default, least, most]:
            return build(
                events.Option,
                name=name,
                default=integer(name, default),
                min=integer(name, least),
                max=integer(name, most),
            )
        case _:
            raise syntax(f"an option is NAME:DEFAULT:MIN:MAX, not {shorten(word)}")


def _read_hello_event(rest: Words) -> Event:
    fields, software = _read_fields(rest[2:], ("games", "options"), last="software")
    if len(rest) < 2:
        raise syntax("expected hello SERVER VERSION [games=...] [options=...] [software=...]")
    return build(
        events.Hello,
        server=rest[0],
        version=integer("version", rest[1]),
        games=tuple(fields["games"].split(",")) if "games" in fields else (),
        options=tuple(
            _read_option_word(word) for word in fields.get("options", "").split(",") if word
        ),
        software=software,
    )


def _read_game(rest: Words) -> Event:
    fields, title = _read_fields(rest[1:], ("size", "players"), last="title")
    if not rest or len(fields) < 2:
        raise syntax("expected game NAME size=WIDTHxHEIGHT players=FIRST,SECOND title=TITLE")
    return build(
        events.GameInfo,
        name=rest[0],
        size=fields["size"],
        players=tuple(fields["players"].split(",")),
        title=title,
    )


def _read_error(rest: Words) -> Event:
    if not rest:
        raise syntax("expected error CODE MESSAGE")
    return build(events.Error, code=rest[0], message=" ".join(rest[1:]))


def _read_show(rest: Words, board: str) -> Event:
    match rest:
        case [game, size, "turn", turn, "fen", *words_left]:
            fen, moves = _split(words_left, "moves")
            return build(
                events.Show,
                game=game,
                size=size,
                turn=integer("turn", turn),
                fen=" ".join(fen),
                moves=tuple(moves),
                board=board,
            )
        case _:
            raise syntax("expected show GAME SIZE turn 1|2 fen FEN moves MOVE...")


def _result_line(event: events.Result) -> str:
    if not event.over:
        return f"result playing turn {event.turn}"
    return (
        f"result over turn {event.turn} winner {event.winner or 'none'} score {event.score}"
        f" reason {event.reason}"
    ).rstrip(" ")


def _read_result(rest: Words) -> Event:
    match rest:
        case ["playing", "turn", turn]:
            return build(events.Result, over=False, turn=integer("turn", turn))
        case ["over", "turn", turn, "winner", winner, "score", score, "reason", *reason]:
            return build(
                events.Result,
                over=True,
                turn=integer("turn", turn),
                winner=None if winner == "none" else integer("winner", winner),
                score=integer("score", score),
                reason=" ".join(reason),
            )
        case _:
            raise syntax(
                "expected result playing turn 1|2,"
                " or result over turn 1|2 winner 1|2|none score N reason TEXT"
            )


_INFO = {"depth": 1, "multipv": 1, "nodes": 1, "nps": 1, "hashfull": 1, "time": 1}


def _read_info(rest: Words) -> Event:
    before, pv = _split(rest, "pv")
    match before:
        case ["depth", depth, "multipv", multipv, "score", "draw", *counts]:
            score = ["draw"]
        case ["depth", depth, "multipv", multipv, "score", kind, value, *counts]:
            score = [kind, value]
        case _:
            raise syntax("expected info depth N multipv N score SCORE ... [pv MOVE...]")
    given = numbers("info", ["depth", depth, "multipv", multipv, *counts], _INFO)
    return build(
        events.Info,
        score=_read_score(score),
        pv=tuple(pv),
        **{key: value for key, [value] in given.items()},
    )


def _read_best_move(rest: Words) -> Event:
    if len(rest) != 1:
        raise syntax("expected bestmove MOVE|none")
    return build(events.BestMove, move=None if rest[0] == "none" else rest[0])


def _read_bye(rest: Words) -> Event:
    return events.Bye(reason=" ".join(rest))


_EVENTS: Mapping[str, Callable[[Words], Event]] = {
    "hello": _read_hello_event,
    "game": _read_game,
    "ok": lambda rest: events.Ok(),
    "error": _read_error,
    "legal": lambda rest: build(events.Legal, moves=tuple(rest)),
    "eval": lambda rest: events.Eval(score=_read_score(rest)),
    "result": _read_result,
    "info": _read_info,
    "bestmove": _read_best_move,
    "pong": lambda rest: events.Pong(),
    "bye": _read_bye,
}


# --- both -------------------------------------------------------------------------------------


def _split(rest: Words, keyword: str) -> tuple[list[str], list[str]]:
    """The words before the keyword and those after it, or none."""
    if keyword not in rest:
        return list(rest), []
    place = rest.index(keyword)
    return list(rest[:place]), list(rest[place + 1 :])


def _read_fields(rest: Words, keys: Words, *, last: str) -> tuple[dict[str, str], str]:
    """Read `key=word` for some of the keys, then perhaps `last=` and the rest of the line."""
    fields: dict[str, str] = {}
    for place, word in enumerate(rest):
        key, equals, value = word.partition("=")
        if key == last and equals:
            return fields, " ".join((value, *rest[place + 1 :]))
        if key not in keys or not equals or key in fields:
            expected = "=, ".join((*keys, last))
            raise syntax(f"expected {expected}= at most once each, not {shorten(word)}")
        fields[key] = value
    return fields, ""
