"""What a tournament is, as its TOML file says; `docs/tournaments.md` shows some, with all keys."""

import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from plywire.clients.matches.adjudication import DrawRule, EarlyEnd, ResignRule
from plywire.clients.matches.referee import TimeControl
from plywire.clients.players.specs import SpecError, parse_clock, parse_limits, parse_player
from plywire.clients.ratings.sprt import Sprt
from plywire.engine.game import Game
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits
from plywire.protocol.validation import unfit

from .pairings import Format

#: What the games that bots arrange among themselves are called in the journal; no tournament is.
SERIES = "lobby"


#: The spec of a player that is a bot of the arena.
REMOTE = "remote"

#: Of a move, where the file sets no limit.
DEFAULT_MOVETIME = 100


class ConfigError(ValueError):
    """The file describes no tournament; one line names the key and says what is accepted."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _name(text: str) -> str:
    if text != text.strip() or not text.isprintable():
        raise ValueError("a name is one line, without spaces at its ends")
    return text


Name = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(_name)]


class TimeSection(_Section):
    """How long players may think, unless they bring limits of their own."""

    movetime: Annotated[int, Field(ge=1)] | None = None
    """Time for a move, in ms; 100 if the section sets no limit."""
    depth: Annotated[int, Field(ge=1)] | None = None
    """How deep players search at most, in plies."""
    nodes: Annotated[int, Field(ge=1)] | None = None
    """How many positions they visit for a move at most."""
    tc: str | None = None
    """Seconds a game and gained a move, such as `10+0.1`, or with byo-yomi, such as `60+3x30`."""
    players: dict[Name, str] = Field(default_factory=dict)
    """Instead of all that, for single players: `Deep = "10+0.1"`, `Greed = "nodes=5000"`."""
    margin: Annotated[int, Field(ge=0)] = 100
    """How far a move may come after its time, in ms, before it loses by time: the way of the answer
    takes some. A clock is charged for it all the same."""
    patience: Annotated[float, Field(gt=0, le=86_400)] = 60.0
    """Seconds that a player may be silent after its time and the margin, or in all if it has no
    time limit, before it loses by a stall, and its program is ended. In an arena, where others may
    be waiting, who has a clock or a movetime has lost when that and the margin are over, connected
    or not, and the patience is for those who have neither."""

    @field_validator("tc")
    @classmethod
    def _is_clock(cls, text: str | None) -> str | None:
        if text is not None:
            parse_clock(text)
        return text

    @field_validator("players")
    @classmethod
    def _are_limits(cls, players: dict[str, str]) -> dict[str, str]:
        for name, text in players.items():
            try:
                parse_limits(text)
            except SpecError as error:
                raise ValueError(f"{name}: {error}") from None
        return players

    @model_validator(mode="before")
    @classmethod
    def _has_limit(cls, given: Any) -> Any:
        if isinstance(given, dict) and not given.keys() & {"movetime", "depth", "nodes", "tc"}:
            return {**given, "movetime": DEFAULT_MOVETIME}
        return given

    @property
    def summary(self) -> str:
        """The limits in words."""
        limits = (
            (self.tc, "{} s"),
            (self.movetime, "{} ms a move"),
            (self.depth, "depth {}"),
            (self.nodes, "{} nodes a move"),
        )
        own = [f"{name}: {text}" for name, text in self.players.items()]
        told = ", ".join(words.format(value) for value, words in limits if value is not None)
        return "; ".join([told, *own])

    def control(self) -> TimeControl:
        """What the referee goes by."""
        limits = Limits(
            movetime=self.movetime,
            depth=self.depth,
            nodes=self.nodes,
            clock=None if self.tc is None else parse_clock(self.tc),
        )
        return TimeControl(
            limits,
            {name: parse_limits(text) for name, text in self.players.items()},
            margin=self.margin,
            patience=round(self.patience * 1000),
        )


class GameSection(_Section):
    """One of the games that are played, and how its games begin."""

    game: str
    """Its name: `connect4`, `othello`, `tictactoe`, or one that was installed beside them."""
    size: str | None = None
    """Board size as WIDTHxHEIGHT, the usual one by default."""
    openings: Literal["balanced", "random", "start", "file"] = "balanced"
    """`balanced`: neither side is better; `random`: any moves; `start`: none; `file`: a list."""
    plies: Annotated[int, Field(ge=1, le=60)] | None = None
    """How long balanced and random openings are; by default a fifth of the squares, made even."""
    count: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """How many balanced or random openings; by default as many as a pairing needs, and 8 at least.
    All pairings play the same openings in the same order."""
    file: Path | None = None
    """Move strings, one a line, PGN, GGF or SGF; relative to the tournament's file."""

    @model_validator(mode="after")
    def _can_be_played(self) -> Self:
        self.kind()
        if (self.openings == "file") != (self.file is not None):
            raise ValueError('file: goes with openings = "file", and that with file')
        return self

    def kind(self) -> Game:
        """The rules of the game."""
        return load(self.game, self.size)


class SprtSection(_Section):
    """A sequential test of the first player against the second, on pairs of games."""

    elo0: float = 0.0
    """How much better the first player is by the hypothesis H0, in Elo."""
    elo1: float = 5.0
    """How much better it is by the hypothesis H1; more than `elo0`."""
    alpha: float = 0.05
    """How often H1 may be accepted though H0 is true."""
    beta: float = 0.05
    """How often H0 may be accepted though H1 is true."""

    @model_validator(mode="after")
    def _is_test(self) -> Self:
        self.test()
        return self

    def test(self) -> Sprt:
        """The test itself, of the first player against the second."""
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta)


class TournamentConfig(_Section):
    """A tournament."""

    name: Name
    """What it is called, in 64 characters at most."""
    format: Format
    """Who meets whom."""
    games: Annotated[tuple[GameSection, ...], Field(min_length=1)]
    """What is played: the games of each pairing are shared out evenly among these."""
    players: dict[Name, str] = Field(default_factory=dict)
    """Specs by name, best seed first; `remote` is the bot of that name, in an arena."""
    seats: Annotated[int, Field(ge=0, le=1024)] = 0
    """How many bots of an arena may join, beside these players."""
    starts: AwareDatetime | None = None
    """When a tournament in an arena begins, or as soon as enough have joined after that; without
    it, when all seats are taken."""
    time: TimeSection = Field(default_factory=TimeSection)
    """How long players may think."""
    concurrency: Annotated[int, Field(ge=1, le=1024)] = 1
    """Games at the same time, with players of their own; where time is limited, no more than the
    machine, or its workers, have cores. In an arena, of those in which players of the server take
    part: two bots play as soon as both are free."""
    seed: int = 0
    """Of random and balanced openings."""
    adjudicate: bool = False
    """End a game as soon as the engine proves how it ends; it looks at `exact_nodes` positions
    before each move, which is nobody's time."""
    accuracy: bool = True
    """Judge the moves of all games once they are played."""
    exact_nodes: Annotated[int, Field(ge=1)] = 20_000
    """Positions to visit for the proven value of one, when adjudicating and judging."""
    resign: ResignRule | None = None
    """When a player that tells scores has resigned."""
    draw: DrawRule | None = None
    """When two players that tell scores have agreed to a draw."""
    sprt: SprtSection | None = None
    """When the question is answered which of two players is better; no game begins after that."""
    ratings: Path | None = None
    """A file of ratings that last, which this tournament counts for when it is over; relative to
    the tournament's file. Tournaments in an arena count for the arena's own, if none is named."""

    @field_validator("players")
    @classmethod
    def _are_players(cls, players: dict[str, str]) -> dict[str, str]:
        for name, spec in players.items():
            if spec == REMOTE:
                continue
            try:
                parse_player(spec, name)
            except SpecError as error:
                raise ValueError(f"{name}: {error}") from None
        return players

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.name.lower() == SERIES:
            raise ValueError(f"name: {self.name} is what games outside tournaments are called")
        if self.format.games % (2 * len(self.games)):
            raise ValueError(
                f"format.games: {self.format.games} games of a pairing cannot be shared out;"
                f" with {len(self.games)} kinds of game it is a multiple of {2 * len(self.games)}"
            )
        names = [*self.players, *(f"seat {number}" for number in range(1, self.seats + 1))]
        if len(names) < 2:
            raise ValueError("players: there must be at least 2, with the open seats")
        unknown = self.time.players.keys() - self.players.keys()
        if unknown and not self.seats:
            raise ValueError(f"time.players: there is no player {min(unknown)}")
        if self.sprt is not None and len(names) != 2:
            raise ValueError(f"sprt: compares two players, not {len(names)}")
        try:
            self.format.check(names)
        except ValueError as error:
            raise ValueError(f"format: {error}") from None
        return self

    @property
    def openings_needed(self) -> int:
        """How many openings of each kind of game make all pairs of a pairing different."""
        return self.format.games // 2 // len(self.games)

    @property
    def early_end(self) -> EarlyEnd:
        """When games end before their end."""
        return EarlyEnd(resign=self.resign, draw=self.draw)

    @property
    def is_live(self) -> bool:
        """Whether it can be played in an arena only."""
        return self.seats > 0 or self.starts is not None or REMOTE in self.players.values()


def read_config(path: Path) -> TournamentConfig:
    """The tournament in a TOML file; paths in it are relative to it.

    Raises ConfigError if it describes none, OSError if it cannot be read.
    """
    try:
        config = parse_config(path.read_text("utf-8"))
    except (ConfigError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None
    games = tuple(
        section
        if section.file is None
        else section.model_copy(update={"file": path.parent / section.file})
        for section in config.games
    )
    ratings = config.ratings and path.parent / config.ratings
    return config.model_copy(update={"games": games, "ratings": ratings})


def parse_config(text: str) -> TournamentConfig:
    """The tournament that TOML text describes; raises ConfigError if it describes none."""
    try:
        return TournamentConfig.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"not TOML: {error}") from None
    except ValidationError as error:
        raise ConfigError(first_problem(error, TournamentConfig)) from None


def first_problem(error: ValidationError, kind: type[BaseModel]) -> str:
    """The first problem with a file of that kind, with its key as TOML writes it."""
    problem = error.errors()[0]
    systems = ("round-robin", "gauntlet", "swiss", "knockout")
    keys = [
        f"[{part}]" if isinstance(part, int) else f".{part}"
        for part in problem["loc"]
        if part not in systems
    ]
    message = unfit(problem)
    match problem["type"]:
        case "extra_forbidden":
            schema = kind.model_json_schema()
            parts = (schema, *schema["$defs"].values())
            known = {key for part in parts for key in part.get("properties", ())}
            unknown = str(problem["loc"][-1])
            near = get_close_matches(unknown, known - {unknown}, 1)
            message = f"there is no such key{f', did you mean {near[0]}?' if near else ''}"
        case "missing":
            message = "is missing"
        case "union_tag_invalid" | "union_tag_not_found":
            tag = problem["ctx"]["discriminator"].strip("'")
            keys.append(f".{tag}")
            if problem["type"] == "union_tag_not_found":
                accepted = " or ".join(systems)
                message = f"is missing: it must be {accepted}"
    where = "".join(keys).removeprefix(".")
    return f"{where}: {message}" if where else message
