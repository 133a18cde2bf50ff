"""What a bot may ask in the arena.

A bot logs in, finds opponents by `seek`, `challenge` and `accept`, or joins a tournament, and plays
where it has a seat. A game that is being played is a table, and has an id; `turn` counts the moves
made there, those of the opening included.
"""

from typing import Annotated, Literal

from pydantic import Field

from .base import CommandMessage
from .fields import Count, Message, MoveName, Name, Positive, Text, Word
from .limits import Limits

#: The most games that a bot may play at the same time.
MAX_SLOTS = 64


class Login(CommandMessage):
    """Enter the arena by name, and say what the bot plays."""

    type: Literal["login"] = "login"
    name: Name
    token: Word
    """The secret that `plywire bot add` printed."""
    games: Annotated[tuple[Name, ...], Field(max_length=16)] = ()
    """Registry names of the games that it plays; none is all."""
    slots: Annotated[int, Field(ge=1, le=MAX_SLOTS)] = 1
    """How many games it can play at the same time."""


class Resume(CommandMessage):
    """Come back after the connection was lost, to the games as they stand now."""

    type: Literal["resume"] = "resume"
    session: Word
    """The secret in `welcome`."""


class Lobby(CommandMessage):
    """List the bots in the arena and the open seeks."""

    type: Literal["lobby"] = "lobby"


class Watch(CommandMessage):
    """Be told what happens in the arena, without playing: how all stands now, then what changes.

    Given again, all is told anew.
    """

    type: Literal["watch"] = "watch"


class Unwatch(CommandMessage):
    """Be told no more."""

    type: Literal["unwatch"] = "unwatch"


class Seek(CommandMessage):
    """Offer a game to whoever seeks the same."""

    type: Literal["seek"] = "seek"
    game: Name
    size: Word | None = None
    """Board size as WIDTHxHEIGHT; none is the usual one."""
    limits: Limits
    """How long both may think; a clock holds what each begins with."""


class Challenge(CommandMessage):
    """Offer a game to one other bot."""

    type: Literal["challenge"] = "challenge"
    name: Name
    """Of the other bot."""
    game: Name
    size: Word | None = None
    limits: Limits


class Accept(CommandMessage):
    """Play a game that was offered."""

    type: Literal["accept"] = "accept"
    offer: Positive


class Decline(CommandMessage):
    """Refuse a challenge."""

    type: Literal["decline"] = "decline"
    offer: Positive


class Withdraw(CommandMessage):
    """Take back a seek or challenge of one's own."""

    type: Literal["withdraw"] = "withdraw"
    offer: Positive


class Tournaments(CommandMessage):
    """List the tournaments."""

    type: Literal["tournaments"] = "tournaments"


class Join(CommandMessage):
    """Take a seat in a tournament; again, also while it is played, it does no harm."""

    type: Literal["join"] = "join"
    tournament: Text
    """Its name."""


class Leave(CommandMessage):
    """Give the seat in a tournament back, before it begins."""

    type: Literal["leave"] = "leave"
    tournament: Text


class Standings(CommandMessage):
    """Tell who stands where in a tournament."""

    type: Literal["standings"] = "standings"
    tournament: Text


class Play(CommandMessage):
    """Answer a turn; answered again, the same way, it does no harm."""

    type: Literal["play"] = "play"
    table: Word
    turn: Count
    move: MoveName


class Note(CommandMessage):
    """Say something for the record, such as a line of the bot's program; it ends no game.

    The last of them are on the record of a game that the bot is to blame for.
    """

    type: Literal["note"] = "note"
    table: Word
    text: Message


class Resign(CommandMessage):
    """Give a game up, or own a fault of one's own for which the game is lost."""

    type: Literal["resign"] = "resign"
    table: Word
    termination: Literal[
        "resignation", "crash", "stall", "illegal-move", "garbage", "time", "disconnect"
    ] = "resignation"
    """How the game ends, in the words of `over`."""
    reason: Message = ""


class Abort(CommandMessage):
    """Call a game off that one has made no move in; nobody wins."""

    type: Literal["abort"] = "abort"
    table: Word


class Echo(CommandMessage):
    """Answer a probe, at once: it measures how long messages are on their way."""

    type: Literal["echo"] = "echo"
    number: Count


ArenaCommand = (
    Login
    | Resume
    | Lobby
    | Watch
    | Unwatch
    | Seek
    | Challenge
    | Accept
    | Decline
    | Withdraw
    | Tournaments
    | Join
    | Leave
    | Standings
    | Play
    | Note
    | Resign
    | Abort
    | Echo
)
