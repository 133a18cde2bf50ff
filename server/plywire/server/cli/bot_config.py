"""What `plywire bot` goes by: its flags, and a TOML file with these keys."""

import tomllib
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from plywire.clients.players.specs import parse_clock
from plywire.clients.ratings.glicko2 import Glicko
from plywire.engine.game import Game
from plywire.engine.registry import load
from plywire.protocol.messages.arena import MAX_SLOTS, Challenge, Challenged, Seek
from plywire.protocol.messages.fields import Name, Sentence, Word
from plywire.protocol.messages.limits import MAX_MS, Limits
from plywire.server.arena.tournament.config import first_problem

#: A flag that is given puts the file's choice among these aside.
_ALTERNATIVES = ({"engine", "player"}, {"movetime", "tc"}, {"seek", "challenge", "join"})

Range = tuple[float, float]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Acceptance(_Section):
    """Whose challenges to take: those to which all of this applies. Of a range, both ends count,
    and `inf` is no bound."""

    games: tuple[Name, ...] = ()
    """Games to take challenges to; none named is all."""
    rating: Range | None = None
    """Range of the challenger's rating in the game; who has none counts as 1500."""
    movetime: Range | None = None
    """Range of the time a move, in ms, where the challenge sets one."""
    clock: Range | None = None
    """Range of the time a game, in seconds and without increments, where the challenge sets one."""
    block: tuple[str, ...] = ()
    """Names of bots to take none from."""

    @field_validator("rating", "movetime", "clock")
    @classmethod
    def _is_range(cls, given: Range | None) -> Range | None:
        if given is not None and not given[0] <= given[1]:
            raise ValueError(f"the range ends at {given[1]:g}, before it begins")
        return given

    def objection(self, challenge: Challenged) -> str:
        """Why a challenge is declined, empty if it is not."""
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
    """Server: tcp://HOST:PORT, ws://HOST:PORT or mqtt://BROKER/ARENA; over TLS tls://, wss:// and
    mqtts://."""
    name: Name
    """The bot's name."""
    token: Word
    """What `plywire bot add` printed; better in the variable PLYWIRE_TOKEN than in a file."""
    engine: str | None = None
    """Command of a program that speaks UGI, or another dialect."""
    dialect: str = "ugi"
    """Dialect of the program: ugi, uci, gtp or nboard."""
    player: str | None = None
    """Instead of a program, a player of `plywire match`, such as `engine:level=5`."""
    game: str = "connect4"
    """Game to offer."""
    size: str | None = None
    """Its board size as WIDTHxHEIGHT; the usual one unless set."""
    movetime: Annotated[int, Field(ge=1, le=MAX_MS)] | None = None
    """Time a move in games that it offers, in ms; 1000 if neither this nor `tc` is set."""
    tc: str | None = None
    """Time a game, such as `10+0.1` seconds, or with byo-yomi, such as `60+3x30`."""
    challenge: tuple[Name, ...] = ()
    """Bots to challenge, one after the other, over and over."""
    join: str | None = None
    """Tournament to join; the bot leaves when it is over."""
    seek: bool | None = None
    """Whether to seek games of anybody; unless set, it does where it neither challenges nor
    joins."""
    rated: bool = False
    """Whether games that it offers count for the ratings, those that it seeks on the server's
    ladder, and it takes challenges to rated games."""
    slots: Annotated[int, Field(ge=1, le=MAX_SLOTS)] = 1
    """Games at the same time."""
    games: Annotated[int, Field(ge=1)] | None = None
    """Games after which to leave; never, unless set."""
    greeting: Sentence = ""
    """What to say to each opponent when a game begins."""
    accept: Acceptance = Acceptance()
    """Whose challenges to take, as below; all, unless set."""

    @model_validator(mode="before")
    @classmethod
    def _is_complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        if ("engine" in given) == ("player" in given):
            raise ValueError("give either engine, a command, or player, a spec")
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
        """The rules of the game that it offers."""
        return load(self.game, self.size)

    def limits(self) -> Limits:
        """The time control that it offers."""
        neither = self.movetime is None and self.tc is None
        return Limits(
            movetime=1000 if neither else self.movetime,
            clock=None if self.tc is None else parse_clock(self.tc),
        )

    def offers(self) -> list[Seek | Challenge]:
        """The challenges and seeks to make."""
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


def read_bot_config(path: Path | None, flags: dict[str, Any]) -> BotConfig:
    """The bot that a file and flags describe; flags count first.

    Raises ValueError, one line, if they describe none, and OSError if the file cannot be read.
    """
    try:
        given = {} if path is None else tomllib.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    for names in _ALTERNATIVES:
        if not names.isdisjoint(flags):
            given = {key: value for key, value in given.items() if key not in names}
    try:
        return BotConfig.model_validate({**given, **flags})
    except ValidationError as error:
        raise ValueError(first_problem(error, BotConfig)) from None
