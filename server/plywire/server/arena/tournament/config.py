"""The tournament file (TOML); `docs/reference/tournament-file.md` lists all keys."""

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

from plywire.clients.connecting.players.specs import (
    SpecError,
    parse_clock,
    parse_limits,
    parse_player,
)
from plywire.clients.play.matches.adjudication import DrawRule, EarlyEnd, ResignRule
from plywire.clients.play.matches.referee import TimeControl
from plywire.clients.play.ratings.sprt import Sprt
from plywire.engine.game import Game
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits
from plywire.protocol.validation import unfit

from .pairings import Format

#: In the journal, games that bots arrange have this name in place of a tournament's name.
#: Tournaments cannot use it.
SERIES = "lobby"


#: The player spec that stands for a bot of the arena.
REMOTE = "remote"

#: Time for a move in ms, if the configuration file sets no limit.
DEFAULT_MOVETIME = 100


class ConfigError(ValueError):
    """The text describes no valid tournament; one line names the key and the accepted values."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _name(text: str) -> str:
    if text != text.strip() or not text.isprintable():
        raise ValueError("a name is one line, without spaces at its ends")
    return text


Name = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(_name)]


class TimeSection(_Section):
    """Time and other limits of the players."""

    movetime: Annotated[int, Field(ge=1)] | None = None
    """Time for a move, in ms; 100 if the section sets no limit."""
    depth: Annotated[int, Field(ge=1)] | None = None
    """Deepest search, in plies."""
    nodes: Annotated[int, Field(ge=1)] | None = None
    """Most positions to visit for a move."""
    tc: str | None = None
    """Seconds a game and increment, such as `10+0.1`, or with byo-yomi, such as `60+3x30`."""
    players: dict[Name, str] = Field(default_factory=dict)
    """Limits of single players instead of these: `Deep = "10+0.1"`, `Greed = "nodes=5000"`."""
    margin: Annotated[int, Field(ge=0)] = 100
    """Time that a move may come late before it loses by time, in ms. It covers the transport of the
    answer. The player's clock still counts this time."""
    patience: Annotated[float, Field(gt=0, le=86_400)] = 60.0
    """Seconds of silence before a player loses by a stall and its engine is ended. They begin after
    the time and the margin. Without a time limit, they begin when the player is to move. In an
    arena, a player with a clock or a movetime loses as soon as its time and the margin are over."""

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
    """A kind of game that is played, and how its games begin."""

    game: str
    """Name of the game: `connect4`, `othello`, `tictactoe`, or an installed one."""
    size: str | None = None
    """Board size as WIDTHxHEIGHT; by default the usual one."""
    openings: Literal["balanced", "random", "start", "file"] = "balanced"
    """`balanced`: neither player is better; `random`: any moves; `start`: none; `file`: a list."""
    plies: Annotated[int, Field(ge=1, le=60)] | None = None
    """Length of balanced and random openings; by default a fifth of the squares, made even."""
    count: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """Number of balanced or random openings; by default as many as a pairing needs, at least 8.
    All pairings play the same openings in the same order."""
    file: Path | None = None
    """File of openings in any notation; relative to the tournament file."""

    @model_validator(mode="after")
    def _can_be_played(self) -> Self:
        self.kind()
        if (self.openings == "file") != (self.file is not None):
            raise ValueError('file: needs openings = "file", and openings = "file" needs file')
        return self

    def kind(self) -> Game:
        return load(self.game, self.size)


class SprtSection(_Section):
    """A sequential test of the first player against the second, on pairs of games."""

    elo0: float = 0.0
    """Lead of the first player in Elo by the hypothesis H0."""
    elo1: float = 5.0
    """Lead of the first player in Elo by the hypothesis H1; more than `elo0`."""
    alpha: float = 0.05
    """Share of tests that may accept H1 although H0 is true."""
    beta: float = 0.05
    """Share of tests that may accept H0 although H1 is true."""

    @model_validator(mode="after")
    def _is_test(self) -> Self:
        self.test()
        return self

    def test(self) -> Sprt:
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta)


class TournamentConfig(_Section):
    """A tournament."""

    name: Name
    """Name of the tournament, at most 64 characters."""
    format: Format
    """Format, which decides the pairings."""
    games: Annotated[tuple[GameSection, ...], Field(min_length=1)]
    """Kinds of game; each pairing plays the same number of games of each."""
    players: dict[Name, str] = Field(default_factory=dict)
    """Player specs by name, best seed first; `remote` is the arena's bot of that name."""
    seats: Annotated[int, Field(ge=0, le=1024)] = 0
    """Number of bots of an arena that may join, in addition to these players."""
    starts: AwareDatetime | None = None
    """Start of a tournament in an arena. If too few bots have joined by then, the tournament begins
    as soon as there are enough. Without this key, the tournament begins when all seats are
    taken."""
    time: TimeSection = Field(default_factory=TimeSection)
    """Time and other limits of the players."""
    concurrency: Annotated[int, Field(ge=1, le=1024)] = 1
    """Games at the same time, each with its own players. With limited time, choose at most the
    number of cores of the machine or of its workers. In an arena, it limits games with players of
    the server alone: two bots play as soon as both are free."""
    seed: int = 0
    """Seed of random and balanced openings."""
    adjudicate: bool = False
    """Whether to end a game as soon as the engine proves its result. The engine looks at
    `exact_nodes` positions before each move, while no clock runs."""
    accuracy: bool = True
    """Whether to judge the moves of all games after they are played."""
    exact_nodes: Annotated[int, Field(ge=1)] = 20_000
    """Most positions to visit for a proven value, when adjudicating and judging."""
    resign: ResignRule | None = None
    """Rule by which a player that reports scores resigns."""
    draw: DrawRule | None = None
    """Rule by which two players that report scores agree to a draw."""
    sprt: SprtSection | None = None
    """Test that ends the tournament as soon as the test decides which of two players is better."""
    ratings: Path | None = None
    """File of ratings that last, relative to the tournament file. The tournament counts for these
    ratings when it is over. A tournament in an arena counts for the arena's ratings by default."""

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
            raise ValueError(
                f"name: {self.name} is the name of games outside tournaments: choose another"
            )
        if self.format.games % (2 * len(self.games)):
            raise ValueError(
                f"format.games: {self.format.games} games of a pairing cannot be shared out;"
                f" with {len(self.games)} kinds of game it is a multiple of {2 * len(self.games)}"
            )
        names = [*self.players, *(f"seat {number}" for number in range(1, self.seats + 1))]
        if len(names) < 2:
            raise ValueError("players: at least 2 are needed, open seats included")
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
        """The number of openings of each kind of game that a pairing plays without repetition."""
        return self.format.games // 2 // len(self.games)

    @property
    def early_end(self) -> EarlyEnd:
        return EarlyEnd(resign=self.resign, draw=self.draw)

    @property
    def is_live(self) -> bool:
        """Whether only an arena can play the tournament."""
        return self.seats > 0 or self.starts is not None or REMOTE in self.players.values()


def read_config(path: Path) -> TournamentConfig:
    """Read a tournament file, with paths relative to it; raises ConfigError and OSError."""
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
    """Parse a tournament from TOML text; raises ConfigError if the text is invalid."""
    try:
        return TournamentConfig.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"not TOML: {error}") from None
    except ValidationError as error:
        raise ConfigError(first_problem(error, TournamentConfig)) from None


def first_problem(error: ValidationError, kind: type[BaseModel]) -> str:
    """Return the first problem with a file of this kind, with the key as TOML writes it."""
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
