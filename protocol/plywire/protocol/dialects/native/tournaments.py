"""What is told of tournaments in the native dialect."""

from collections.abc import Callable

from plywire.protocol.dialects.words import Words, build, integer, read_fields, split, syntax
from plywire.protocol.messages import arena_events as events
from plywire.protocol.messages.events import Event

from .limits import limit_words, read_limits

_COUNTS = ("players", "seats", "played", "scheduled")
_RESULTS = ("wins", "draws", "losses")


def write_tournament(event: events.Tournament | events.Progress) -> str:
    """The line for a tournament."""
    counts = (f"{key}={getattr(event, key)}" for key in _COUNTS)
    starts = [] if event.starts is None else [f"starts={event.starts}"]
    return " ".join(
        (
            *(event.type, event.state, f"games={','.join(event.games)}", *counts, *starts),
            *(*limit_words(event.limits), "name", event.name),
        )
    )


def read_tournament(
    kind: type[events.Tournament] | type[events.Progress],
) -> Callable[[Words], Event]:
    """A reader of such lines."""

    def read(rest: Words) -> Event:
        terms, name = split(rest, "name")
        keyed = [word for word in terms[1:] if "=" in word]
        fields, _ = read_fields(keyed, ("games", *_COUNTS, "starts"))
        if not terms or not {"games", *_COUNTS} <= fields.keys():
            raise syntax(
                "expected STATE games=GAME,... players=N seats=N played=N scheduled=N"
                " [starts=TIME] LIMITS name NAME"
            )
        limits, _ = read_limits("tournament", [word for word in terms[1:] if "=" not in word])
        return build(
            kind,
            state=terms[0],
            games=tuple(fields["games"].split(",")),
            starts=fields.get("starts"),
            limits=limits,
            name=" ".join(name),
            **{key: integer(key, fields[key]) for key in _COUNTS},
        )

    return read


def write_standing(event: events.Standing) -> str:
    """The line for a player's standing."""
    results = " ".join(f"{key}={getattr(event, key)}" for key in _RESULTS)
    return f"standing {event.rank} {event.player} points={event.points:.1f} {results}"


def read_standing(rest: Words) -> Event:
    """The event of such a line."""
    fields, _ = read_fields(rest[2:], ("points", *_RESULTS))
    if not {"points", *_RESULTS} <= fields.keys():
        raise syntax("expected RANK PLAYER points=N wins=N draws=N losses=N")
    whole, _, half = fields["points"].partition(".")
    if half not in ("", "0", "5"):
        raise syntax("points are halves, such as 7.5")
    return build(
        events.Standing,
        rank=integer("rank", rest[0]),
        player=rest[1],
        points=integer("points", whole) + (0.5 if half == "5" else 0.0),
        **{key: integer(key, fields[key]) for key in _RESULTS},
    )
