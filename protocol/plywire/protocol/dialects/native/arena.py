"""The arena in the native dialect: its commands and its events."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from plywire.protocol.dialects.words import Words, build, integer, read_fields, split, syntax
from plywire.protocol.messages import arena_commands as commands
from plywire.protocol.messages import arena_events as events
from plywire.protocol.messages.commands import Command
from plywire.protocol.messages.events import Event
from plywire.protocol.messages.limits import Limits
from plywire.protocol.validation import shorten

from .limits import limit_words, read_limits
from .tournaments import read_standing, read_tournament, write_standing, write_tournament

M = TypeVar("M", bound=BaseModel)


def write_arena_command(command: Command) -> str:
    """The line for a command of the arena, or for one that is a single word."""
    match command:
        case commands.Login():
            games = f" games={','.join(command.games)}" if command.games else ""
            return f"login {command.name} {command.token}{games} slots={command.slots}"
        case commands.Resume():
            return f"resume {command.session}"
        case commands.Seek():
            return f"seek {_terms(command)}"
        case commands.Challenge():
            return f"challenge {command.name} {_terms(command)}"
        case commands.Accept() | commands.Decline() | commands.Withdraw():
            return f"{command.type} {command.offer}"
        case commands.Join() | commands.Leave() | commands.Standings():
            return f"{command.type} {command.tournament}"
        case commands.Play():
            return f"play {command.table} {command.turn} {command.move}"
        case commands.Note():
            return f"note {command.table} {command.text}".rstrip(" ")
        case commands.Resign(termination="resignation", reason=""):
            return f"resign {command.table}"
        case commands.Resign():
            return f"resign {command.table} {command.termination} {command.reason}".rstrip(" ")
        case commands.Abort():
            return f"abort {command.table}"
        case commands.Echo():
            return f"echo {command.number}"
        case _:
            return command.type


def write_arena_event(event: Event) -> str:
    """The line for an event of the arena."""
    match event:
        case events.Welcome():
            return (
                f"welcome {event.name} session={event.session} grace={event.grace}"
                f" tables={event.tables}"
            )
        case events.Bot():
            games = f" games={','.join(event.games)}" if event.games else ""
            return f"bot {event.name}{games} slots={event.slots} tables={event.tables}"
        case events.Offer() | events.Challenged():
            return f"{event.type} {event.offer} {event.name} {_terms(event)}"
        case events.Offered():
            return f"offered {event.offer}"
        case events.Withdrawn():
            return f"withdrawn {event.offer} {event.reason}".rstrip(" ")
        case events.Start():
            return (
                f"start {event.table} {event.game} size={event.size} player={event.player}"
                f" opponent={event.opponent} {_limits_and_moves(event)}"
            )
        case events.Turn():
            return f"turn {event.table} {event.turn} {_limits_and_moves(event)}"
        case events.Played():
            return f"played {event.table} {event.turn} {event.move} time={event.time}"
        case events.Over():
            return (
                f"over {event.table} {event.termination} winner {event.winner or 'none'}"
                f" score {event.score} reason {event.reason}"
            ).rstrip(" ")
        case events.Tournament() | events.Progress():
            return write_tournament(event)
        case events.Standing():
            return write_standing(event)
        case events.Probe():
            return f"probe {event.number}"
        case _:
            return event.type


def _terms(terms: commands.Seek | commands.Challenge | events.Offer | events.Challenged) -> str:
    size = [f"size={terms.size}"] if terms.size else []
    return " ".join((terms.game, *size, *limit_words(terms.limits)))


def _limits_and_moves(event: events.Start | events.Turn) -> str:
    return " ".join((*limit_words(event.limits), "fen", event.fen, "moves", *event.moves))


def _read_login(rest: Words) -> Command:
    if len(rest) < 2:
        raise syntax("expected login NAME TOKEN [games=GAME,...] [slots=N]")
    fields, _ = read_fields(rest[2:], ("games", "slots"))
    return build(
        commands.Login,
        name=rest[0],
        token=rest[1],
        games=tuple(fields["games"].split(",")) if "games" in fields else (),
        slots=integer("slots", fields.get("slots", "1")),
    )


def _read_terms(verb: str, rest: Words) -> dict[str, Any]:
    """Game, size and limits."""
    if not rest:
        raise syntax(f"{verb}: expected GAME [size=WIDTHxHEIGHT] LIMITS")
    size = next((word[5:] for word in rest[1:2] if word.startswith("size=")), None)
    limits, _ = read_limits(verb, rest[1 if size is None else 2 :])
    return {"game": rest[0], "size": size, "limits": limits}


def _read_challenge(rest: Words) -> Command:
    if not rest:
        raise syntax("expected challenge NAME GAME [size=WIDTHxHEIGHT] LIMITS")
    return build(commands.Challenge, name=rest[0], **_read_terms("challenge", rest[1:]))


def _read_play(rest: Words) -> Command:
    match rest:
        case [table, turn, move]:
            return build(commands.Play, table=table, turn=integer("turn", turn), move=move)
        case _:
            raise syntax("expected play TABLE TURN MOVE")


def _read_note(rest: Words) -> Command:
    if not rest:
        raise syntax("expected note TABLE TEXT")
    return build(commands.Note, table=rest[0], text=" ".join(rest[1:]))


def _read_resign(rest: Words) -> Command:
    match rest:
        case [table]:
            return build(commands.Resign, table=table)
        case [table, termination, *reason]:
            return build(
                commands.Resign, table=table, termination=termination, reason=" ".join(reason)
            )
        case _:
            raise syntax("expected resign TABLE [HOW [REASON]]")


def _word(kind: type[M], verb: str, field: str) -> Callable[[Words], M]:
    """A reader of what takes one word."""

    def read(rest: Words) -> M:
        if len(rest) != 1:
            raise syntax(f"expected {verb} {field.upper()}")
        return build(kind, **{field: rest[0]})

    return read


def _number(kind: type[M], verb: str, field: str) -> Callable[[Words], M]:
    """A reader of what takes one number."""

    def read(rest: Words) -> M:
        if len(rest) != 1:
            raise syntax(f"expected {verb} {field.upper()}")
        return build(kind, **{field: integer(field, rest[0])})

    return read


def _bare(kind: type[M], verb: str) -> Callable[[Words], M]:
    """A reader of what takes no words."""

    def read(rest: Words) -> M:
        if rest:
            raise syntax(f"{verb} takes nothing after it, not {shorten(rest[0])}")
        return kind()

    return read


def _text(kind: type[M], field: str) -> Callable[[Words], M]:
    """A reader of what takes the rest of the line."""
    return lambda rest: build(kind, **{field: " ".join(rest)})


ARENA_COMMANDS: Mapping[str, Callable[[Words], Command]] = {
    "login": _read_login,
    "resume": _word(commands.Resume, "resume", "session"),
    "lobby": _bare(commands.Lobby, "lobby"),
    "watch": _bare(commands.Watch, "watch"),
    "unwatch": _bare(commands.Unwatch, "unwatch"),
    "seek": lambda rest: build(commands.Seek, **_read_terms("seek", rest)),
    "challenge": _read_challenge,
    "accept": _number(commands.Accept, "accept", "offer"),
    "decline": _number(commands.Decline, "decline", "offer"),
    "withdraw": _number(commands.Withdraw, "withdraw", "offer"),
    "tournaments": _bare(commands.Tournaments, "tournaments"),
    "join": _text(commands.Join, "tournament"),
    "leave": _text(commands.Leave, "tournament"),
    "standings": _text(commands.Standings, "tournament"),
    "play": _read_play,
    "note": _read_note,
    "resign": _read_resign,
    "abort": _word(commands.Abort, "abort", "table"),
    "echo": _number(commands.Echo, "echo", "number"),
}


def _read_fields_of(verb: str, rest: Words, *keys: str) -> dict[str, str]:
    """All of these keys, in any order."""
    fields, _ = read_fields(rest, keys)
    if len(fields) < len(keys):
        raise syntax(f"{verb}: expected {'=, '.join(keys)}=")
    return fields


def _numbers(fields: dict[str, str], *keys: str) -> dict[str, int]:
    return {key: integer(key, fields[key]) for key in keys}


def _read_welcome(rest: Words) -> Event:
    fields = _read_fields_of("welcome", rest[1:], "session", "grace", "tables")
    numbers = _numbers(fields, "grace", "tables")
    return build(events.Welcome, name=rest[0], session=fields["session"], **numbers)


def _read_bot(rest: Words) -> Event:
    fields, _ = read_fields(rest[1:], ("games", "slots", "tables"))
    if not rest or not {"slots", "tables"} <= fields.keys():
        raise syntax("expected bot NAME [games=GAME,...] slots=N tables=N")
    games = tuple(fields["games"].split(",")) if "games" in fields else ()
    return build(events.Bot, name=rest[0], games=games, **_numbers(fields, "slots", "tables"))


def _read_offer(kind: type[events.Offer] | type[events.Challenged]) -> Callable[[Words], Event]:
    def read(rest: Words) -> Event:
        if len(rest) < 2:
            raise syntax("expected OFFER NAME GAME size=WIDTHxHEIGHT LIMITS")
        offer = integer("offer", rest[0])
        return build(kind, offer=offer, name=rest[1], **_read_terms("offer", rest[2:]))

    return read


def _read_withdrawn(rest: Words) -> Event:
    if not rest:
        raise syntax("expected withdrawn OFFER [REASON]")
    return build(events.Withdrawn, offer=integer("offer", rest[0]), reason=" ".join(rest[1:]))


def _read_course(verb: str, rest: Words) -> tuple[Limits, dict[str, Any]]:
    """Limits, position and moves, the last of which end the line."""
    before, after = split(rest, "fen")
    fen, moves = split(after, "moves")
    return read_limits(verb, before)[0], {"fen": " ".join(fen), "moves": tuple(moves)}


def _read_start(rest: Words) -> Event:
    if len(rest) < 5:
        raise syntax(
            "expected start TABLE GAME size= player= opponent= LIMITS fen FEN moves MOVE..."
        )
    fields = _read_fields_of("start", rest[2:5], "size", "player", "opponent")
    limits, course = _read_course("start", rest[5:])
    return build(
        events.Start,
        table=rest[0],
        game=rest[1],
        size=fields["size"],
        player=integer("player", fields["player"]),
        opponent=fields["opponent"],
        limits=limits,
        **course,
    )


def _read_turn(rest: Words) -> Event:
    if len(rest) < 2:
        raise syntax("expected turn TABLE TURN LIMITS fen FEN moves MOVE...")
    limits, course = _read_course("turn", rest[2:])
    return build(events.Turn, table=rest[0], turn=integer("turn", rest[1]), limits=limits, **course)


def _read_played(rest: Words) -> Event:
    match rest:
        case [table, turn, move, time] if time.startswith("time="):
            return build(
                events.Played,
                table=table,
                turn=integer("turn", turn),
                move=move,
                time=integer("time", time[5:]),
            )
        case _:
            raise syntax("expected played TABLE TURN MOVE time=MS")


def _read_over(rest: Words) -> Event:
    match rest:
        case [table, termination, "winner", winner, "score", score, "reason", *reason]:
            return build(
                events.Over,
                table=table,
                termination=termination,
                winner=None if winner == "none" else integer("winner", winner),
                score=integer("score", score),
                reason=" ".join(reason),
            )
        case _:
            raise syntax("expected over TABLE HOW winner 1|2|none score N reason TEXT")


def _read_replaced(rest: Words) -> Event:
    return events.Replaced()


ARENA_EVENTS: Mapping[str, Callable[[Words], Event]] = {
    "welcome": _read_welcome,
    "bot": _read_bot,
    "offer": _read_offer(events.Offer),
    "challenged": _read_offer(events.Challenged),
    "offered": _number(events.Offered, "offered", "offer"),
    "withdrawn": _read_withdrawn,
    "start": _read_start,
    "turn": _read_turn,
    "played": _read_played,
    "over": _read_over,
    "tournament": read_tournament(events.Tournament),
    "progress": read_tournament(events.Progress),
    "standing": read_standing,
    "probe": _number(events.Probe, "probe", "number"),
    "replaced": _read_replaced,
}
