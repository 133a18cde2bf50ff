"""The configuration of `plywire bot`, from its flags and a TOML file."""

import shlex
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.connecting.players.external import ExternalPlayer
from plywire.clients.connecting.players.specs import parse_clock, parse_player
from plywire.clients.play.matches.outcomes import sentence
from plywire.clients.play.players.base import Player
from plywire.clients.play.ratings.glicko2 import Glicko
from plywire.engine.game import Game
from plywire.engine.registry import load, names
from plywire.protocol.messages.arena import MAX_SLOTS, Challenge, Challenged, Over, Seek
from plywire.protocol.messages.fields import Name, Sentence, Word
from plywire.protocol.messages.limits import MAX_MS, Limits
from plywire.server.arena.tournament.config import first_problem

#: Sets of keys that exclude each other. A flag for one key of a set replaces all keys of the set
#: that are in the file.
_ALTERNATIVES = ({"engine", "player"}, {"movetime", "tc"}, {"seek", "challenge", "join"})

Range = tuple[float, float]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ChallengeConditions(_Section):
    """Conditions for challenges. The bot accepts a challenge that meets all of them.

    Ranges include both ends, and `inf` is no bound.
    """

    games: tuple[Name, ...] = ()
    """Games of accepted challenges; empty is all."""
    rating: Range | None = None
    """Range of the challenger's rating in the game; no rating counts as 1500."""
    movetime: Range | None = None
    """Range of the time a move, in ms, if the challenge sets one."""
    clock: Range | None = None
    """Range of the time a game, in seconds without increments, if the challenge sets one."""
    block: tuple[str, ...] = ()
    """Names of bots whose challenges are declined."""

    @field_validator("rating", "movetime", "clock")
    @classmethod
    def _is_range(cls, given: Range | None) -> Range | None:
        if given is not None and not given[0] <= given[1]:
            raise ValueError(f"the range ends at {given[1]:g}, before it begins: write [LOW, HIGH]")
        return given

    def objection(self, challenge: Challenged) -> str:
        """Return why the bot declines a challenge; empty if it accepts."""
        if challenge.name.lower() in map(str.lower, self.block):
            return f"{challenge.name} is on the block list"
        if self.games and challenge.game not in self.games:
            return f"{challenge.game} is not among {', '.join(self.games)}"
        rating = Glicko().rating if challenge.rating is None else challenge.rating
        limits = challenge.limits
        clock = None if limits.clock is None else limits.clock.left(1) / 1000
        for what, value, accepted in (
            ("a rating of", rating, self.rating),
            ("a movetime of", limits.movetime, self.movetime),
            ("a clock of", clock, self.clock),
        ):
            if value is None or accepted is None:
                continue
            if not accepted[0] <= value <= accepted[1]:
                return f"{what} {value:g} is not from {accepted[0]:g} to {accepted[1]:g}"
        return ""


class BotConfig(_Section):
    """A bot."""

    server: str = "ws://127.0.0.1:7591"
    """Address of the server: `tcp://HOST:PORT`, `ws://HOST:PORT` or `mqtt://BROKER/ARENA`; with TLS
    `tls://`, `wss://` and `mqtts://`."""
    name: Name
    """Name of the bot."""
    token: Word
    """Token that `plywire bot add` printed; better in the variable `PLYWIRE_TOKEN` than here."""
    engine: str | None = None
    """Command of an engine that speaks UGI, or another dialect."""
    dialect: str = "ugi"
    """Dialect of the engine: `ugi`, `uci`, `gtp` or `nboard`."""
    player: str | None = None
    """Player spec instead of an engine, such as `engine:level=5`."""
    game: str = "connect4"
    """Game to offer."""
    size: str | None = None
    """Board size as WIDTHxHEIGHT; by default the usual one."""
    movetime: Annotated[int, Field(ge=1, le=MAX_MS)] | None = None
    """Time a move in offered games, in ms; 1000 if neither this nor `tc` is set."""
    tc: str | None = None
    """Time a game in seconds and increment, such as `10+0.1`, or with byo-yomi, such as
    `60+3x30`."""
    challenge: tuple[Name, ...] = ()
    """Bots to challenge in turn, again and again."""
    join: str | None = None
    """Tournament to join; the bot ends when the tournament is over."""
    seek: bool | None = None
    """Whether to seek games with any bot; by default, only without `challenge` and `join`."""
    rated: bool = False
    """Whether to offer rated games, by seeking on the ladder, and to accept rated challenges."""
    slots: Annotated[int, Field(ge=1, le=MAX_SLOTS)] = 1
    """Games at the same time."""
    games: Annotated[int, Field(ge=1)] | None = None
    """Number of games after which the bot ends; by default it goes on."""
    greeting: Sentence = ""
    """Text for each opponent when a game begins."""
    accept: ChallengeConditions = ChallengeConditions()
    """Challenges that the bot accepts, as below; by default all."""

    @model_validator(mode="before")
    @classmethod
    def _is_complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        if ("engine" in given) == ("player" in given):
            raise ValueError("give either engine, with a command, or player, with a spec")
        if not given.get("name") or not given.get("token"):
            raise ValueError("name and token are needed; `plywire bot add` makes them")
        return given

    @model_validator(mode="after")
    def _can_be_played(self) -> Self:
        self.kind()
        self.limits()
        for game in self.accept.games:
            load(game)
        return self

    def kind(self) -> Game:
        """Load the rules of the game that the bot offers."""
        return load(self.game, self.size)

    def limits(self) -> Limits:
        neither = self.movetime is None and self.tc is None
        return Limits(
            movetime=1000 if neither else self.movetime,
            clock=None if self.tc is None else parse_clock(self.tc),
        )

    def offers(self) -> list[Seek | Challenge]:
        """List the challenges and seeks that the bot makes, in turn."""
        game, limits = self.kind(), self.limits()
        terms: dict[str, Any] = {
            "game": game.name,
            "size": game.size,
            "limits": limits,
            "rated": self.rated,
        }
        made: list[Seek | Challenge] = [Challenge(name=one, **terms) for one in self.challenge]
        seeks = not self.challenge and self.join is None if self.seek is None else self.seek
        return [*made, Seek(**terms)] if seeks else made

    def player_factory(self) -> Callable[[], Player]:
        """Return a maker of players; raises ValueError if they do not play the offered game."""
        make: Callable[[], Player]
        if self.engine is not None:
            make = partial(ExternalPlayer, shlex.split(self.engine), self.dialect, name=self.name)
        else:
            make = parse_player(self.player or "", self.name)
        plays = make().games
        if plays and self.offers() and self.game not in plays:
            raise ValueError(f"{self.player} plays {' and '.join(plays)}, not {self.game}")
        return make

    def games_to_prepare(self) -> list[Game]:
        """List the games that the bot may have to play, including those that others may choose."""
        accepted = (self.accept.games if not self.join else ()) or names()
        return [*([self.kind()] if self.offers() else ()), *map(load, accepted)]

    def arena_bot(self, make: Callable[[], Player], on_line: Callable[[str], object]) -> ArenaBot:
        """Make the bot, without connecting it.

        `on_line` receives a line about each game that ends. Raises ValueError if the
        server's URL is wrong.
        """

        def over(ended: Over) -> None:
            if (start := bot.start_of(ended.table)) is None:
                return
            names = (self.name, start.opponent)
            players = names if start.player == 1 else names[::-1]
            who = {None: "nobody", start.player: "you"}.get(ended.winner, start.opponent)
            how = sentence(players, ended.winner, None, ended.reason, ended.termination)
            on_line(f"{ended.table}: {who} won: {how}")

        bot = ArenaBot(
            self.server,
            self.name,
            self.token,
            make,
            BotOptions(
                offers=self.offers(),
                join=self.join,
                games=make().games,
                slots=self.slots,
                objection=self.accept.objection,
                greeting=self.greeting,
                rated=self.rated,
                on_over=over,
            ),
        )
        return bot


def read_bot_config(path: Path | None, flags: dict[str, Any]) -> BotConfig:
    """Read the configuration from a file and flags. A flag replaces the key of the same name.

    Raises ValueError with one line if a value is wrong, OSError if the file cannot be read.
    """
    try:
        given = {} if path is None else tomllib.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    for keys in _ALTERNATIVES:
        if not keys.isdisjoint(flags):
            given = {key: value for key, value in given.items() if key not in keys}
    try:
        return BotConfig.model_validate({**given, **flags})
    except ValidationError as error:
        raise ValueError(first_problem(error, BotConfig)) from None
