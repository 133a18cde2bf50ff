"""Events in the native dialect."""

from collections.abc import Callable, Mapping

from plywire.protocol.dialects.words import (
    Words,
    build,
    integer,
    numbers,
    read_fields,
    split,
    syntax,
)
from plywire.protocol.messages import events, feed_events
from plywire.protocol.messages.events import Event
from plywire.protocol.validation import shorten

from .arena import ARENA_EVENTS, write_arena_event
from .feed import read_feed_event, write_feed_event


def read_event(verb: str, rest: Words) -> Event:
    """The event that a verb and the words after it make; a board is none of those.

    Raises PeerError if they make none.
    """
    if verb not in _EVENTS:
        raise syntax(f"unknown event {shorten(verb)}: the events are {', '.join(_EVENTS)}")
    return _EVENTS[verb](rest)


def read_show(rest: Words, board: str) -> Event:
    """The board that a `show` line and the `board` lines before it make."""
    match rest:
        case [game, size, "turn", turn, "fen", *words_left]:
            fen, moves = split(words_left, "moves")
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


def write_event(event: Event) -> list[str]:
    """The line for an event; several for a board."""
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
            return [f"game {event.name} size={event.size} players={players} title={event.title}"]
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
            confidence = f" confidence {event.confidence}" if event.confidence < 100 else ""
            return [
                f"info depth {event.depth} multipv {event.multipv}"
                f" score {_score_words(event.score)} nodes {event.nodes} nps {event.nps}"
                f" hashfull {event.hashfull} time {event.time}{confidence}{pv}"
            ]
        case events.BestMove():
            return [f"bestmove {event.move or 'none'}"]
        case events.Bye():
            return [f"bye {event.reason}".rstrip(" ")]
        case events.Ok() | events.Pong():
            return [event.type]
        case feed_events.GameState() | feed_events.Standings() | feed_events.Status():
            return [write_feed_event(event)]
        case _:
            return [write_arena_event(event)]


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
    fields, software = read_fields(rest[2:], ("games", "options"), last="software")
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
    fields, title = read_fields(rest[1:], ("size", "players"), last="title")
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


_INFO = dict.fromkeys(("depth", "multipv", "nodes", "nps", "hashfull", "time", "confidence"), 1)


def _read_info(rest: Words) -> Event:
    before, pv = split(rest, "pv")
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
    "feed": read_feed_event,
    **ARENA_EVENTS,
}
