"""Everything that can be set on a server, in one place.

Each value is taken from the first of these that gives it: the flags of `plywire serve`, the
environment (`PLYWIRE_PORT=7000`), a TOML file, the default.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from plywire.protocol.framing import MAX_LINE
from plywire.protocol.messages.fields import Name

Port = Annotated[int, Field(ge=0, le=65535)]

#: What a web page is from, as browsers tell it.
Origin = Annotated[str, Field(pattern=r"^(\*|null|[a-z][a-z0-9+.-]*://[^/?#@\s]+)$")]

#: The broker that the server starts itself.
EMBEDDED = "embedded"


def _processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class LadderSettings(BaseModel):
    """The ladder: bots that seek rated games are paired by rating, around the clock."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    every: float = Field(5.0, gt=0, le=3600)
    """Seconds between pairings."""
    difference: int = Field(400, ge=0)
    """Most that the ratings of two who play a rated game may differ by; who has none counts as
    1500."""
    pair_games: int = Field(10, ge=1)
    """Most rated games that two bots may begin against each other in 24 hours."""
    same_address: bool = False
    """Whether bots from one IPv4 address or IPv6 network of 64 bits, such as those of a class, may
    play each other, and may ask the engine while one of them plays a rated game. This machine
    itself has none."""
    anchor: str = "engine:level=5"
    """Player, as `plywire match` takes them, that plays who is left over, and whose rating is
    fixed, so that the others do not drift; empty is none."""
    anchor_name: Name = "Anchor"
    """What the anchor is called; no bot may have the name."""
    anchor_rating: int = Field(1500, ge=0, le=4000)
    """Rating of the anchor, in all games, from 0 to 4000."""
    anchor_games: int = Field(4, ge=1, le=64)
    """Games that the anchor plays at the same time."""

    @field_validator("anchor")
    @classmethod
    def _is_player(cls, spec: str) -> str:
        from plywire.clients.players.specs import parse_player  # loads all clients, which is slow

        if spec:
            parse_player(spec)
        return spec

    @property
    def anchors(self) -> dict[str, float]:
        """The fixed ratings of players."""
        return {self.anchor_name: self.anchor_rating} if self.anchor else {}


class Settings(BaseSettings):
    """The settings of a server; every field is a flag, a variable and a key of the file."""

    model_config = SettingsConfigDict(env_prefix="PLYWIRE_", extra="ignore", frozen=True)

    host: str = "127.0.0.1"
    """Address to listen on; 0.0.0.0 is every network."""
    port: Port = 7590
    """TCP port of the line protocols; 0 picks a free one."""
    websocket_port: Port = 7591
    """Port of the web page, WebSocket and /healthz; 0 picks a free one."""
    origins: tuple[Origin, ...] = ()
    """Web origins that may open a WebSocket besides the server's own page, such as
    https://example.org, which is then a name of the server too; * is all. Programs that are no
    web page need none."""
    tls_cert: Path | None = None
    """Certificate of the server, in PEM, with those that lead to its authority: all but the
    embedded broker then speak TLS, tls:// and wss://."""
    tls_key: Path | None = None
    """Key of that certificate, in PEM, where the file has it not as well."""
    book: Path | None = None
    """Opening book of one's own, for the game and board size whose it is, in place of ours; a peer
    leaves books out by the option `book`."""
    game: str = "connect4"
    """The game a session begins with; over GTP and NBoard that is always Othello."""

    threads: int = Field(default_factory=_processors, ge=1, le=1024)
    """Search threads, shared by all sessions; one a processor unless set."""
    max_session_threads: int = Field(1, ge=1, le=1024)
    """Most threads that one session may search with."""
    hash: int = Field(16, ge=1, le=65536)
    """All transposition tables of a session together, in MB, unless it asks."""
    max_hash: int = Field(64, ge=1, le=65536)
    """Most that a session may ask for, in MB. All sessions together use at most this times the
    number of sessions."""
    max_think_time: float = Field(300.0, gt=0, le=86_400)
    """Longest search, in seconds, whatever limits the peer gives."""
    cluster: str | None = None
    """Dask scheduler, such as tcp://host:8786, whose workers search where all threads here are
    taken, if its way is less than a tenth of the time asked for."""
    warmup: bool = True
    """Load or compile every game at the start, not when it is first searched."""

    max_sessions: int = Field(128, ge=1, le=65536)
    """Peers connected at once; fewer where the system allows fewer open files."""
    max_sessions_per_address: int = Field(32, ge=0)
    """Of these, the most from one IPv4 address or IPv6 network of 64 bits; 0 is no limit. This
    machine itself has none, and so whoever comes by a proxy on it."""
    reserved_sessions: int = Field(16, ge=0)
    """Of these, kept for bots that log in, where there is an arena; half of all at most."""
    idle_time: float = Field(600.0, ge=0)
    """Close a session that neither says anything nor searches for that many seconds; 0 never
    does."""
    first_message_time: float = Field(30.0, ge=0)
    """Close a session whose first message has not come within that many seconds; 0 leaves that to
    the idle time."""
    messages_per_second: float = Field(1000.0, ge=0)
    """Messages a peer may send in the long run; 0 is no limit. Every line is one, also a blank one,
    and so are 1024 bytes of longer ones, a WebSocket ping and a fragment."""
    message_burst: int = Field(2000, ge=1)
    """Messages a peer may send at once. Beyond it each is refused; a peer that has as many refused
    again is disconnected."""
    max_line: int = Field(MAX_LINE, ge=256, le=2**24)
    """Longest message, in bytes."""
    max_unsent: int = Field(2**18, ge=2**12)
    """Bytes kept for a peer that reads slowly. Beyond it nothing more is read from it, and what its
    search reports is dropped, but for the best move."""
    write_timeout: float = Field(30.0, gt=0)
    """Disconnect a peer that reads nothing for that many seconds."""

    mqtt: str | None = None
    """Broker by which peers may come, and which gets the feed of the arena:
    mqtt://[USER:PASSWORD@]HOST[:PORT][/ARENA], mqtts:// for TLS, or `embedded` for one of our
    own."""
    mqtt_port: Port = 1883
    """Port of the embedded broker; 0 picks a free one."""

    arena: Path | None = None
    """Folder of the accounts and games of bots that play over the network; not set, there is no
    arena."""
    arena_grace: float = Field(30.0, gt=0, le=86_400)
    """Seconds that a bot whose connection was lost may be away."""
    arena_max_lag: int = Field(500, ge=0, le=60_000)
    """How much of a bot's measured lag is not counted as its time, in ms a move."""

    guests: int = Field(0, ge=0, le=65536)
    """People without an account who may be in the arena at once, to play games that are not rated;
    0 takes none. From one address come a quarter of them at most."""

    ladder: LadderSettings | None = None
    """Table of how bots that seek rated games are paired by rating; not set, they are not. As a
    flag, with the usual values where the file has no others."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """What to log on the standard error output, and everything graver."""

    @field_validator("book")
    @classmethod
    def _is_book(cls, given: Path | None) -> Path | None:
        if given is not None:
            from plywire.engine.registry import read_book  # loads NumPy, which is slow

            try:
                read_book(given)
            except OSError as error:
                raise ValueError(str(error)) from None
        return given

    @field_validator("ladder", mode="before")
    @classmethod
    def _is_usual(cls, given: Any) -> Any:
        return {} if given is True else given

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.ladder is not None and self.arena is None:
            raise ValueError("ladder needs arena, a folder: plywire serve --arena arena --ladder")
        if self.guests and self.arena is None:
            raise ValueError(
                f"guests = {self.guests} needs arena, a folder:"
                f" plywire serve --arena arena --guests {self.guests}"
            )
        if self.hash > self.max_hash:
            raise ValueError(f"hash ({self.hash}) must not exceed max_hash ({self.max_hash})")
        if self.tls_key is not None and self.tls_cert is None:
            raise ValueError("tls_key needs tls_cert: --tls-cert CERTIFICATE --tls-key KEY")
        if self.mqtt not in (None, EMBEDDED):
            from plywire.clients.transports.mqtt_url import (
                MqttUrl,  # loads all clients, which is slow
            )

            if MqttUrl.parse(self.mqtt).name is not None:
                raise ValueError("mqtt must name no bot: mqtt://HOST/ARENA")
        return self

    @classmethod
    def load(cls, config: Path | None = None, **flags: Any) -> Settings:
        """The settings as flags, environment and a TOML file give them.

        Raises OSError if the file cannot be read, and ValueError (pydantic's ValidationError, or
        tomllib's TOMLDecodeError) if a value is not accepted.
        """
        chosen = config or (Path(path) if (path := os.environ.get("PLYWIRE_CONFIG")) else None)
        if chosen is None:
            return cls(**flags)
        if not chosen.is_file():
            raise FileNotFoundError(f"there is no settings file {chosen}")

        class _WithFile(cls):  # type: ignore[valid-type,misc]
            model_config = SettingsConfigDict(toml_file=chosen, extra="forbid")

            @classmethod
            def settings_customise_sources(
                cls,
                settings_cls: type[BaseSettings],
                init_settings: InitSettingsSource,
                env_settings: PydanticBaseSettingsSource,
                **_: PydanticBaseSettingsSource,
            ) -> tuple[PydanticBaseSettingsSource, ...]:
                return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)

        given = _WithFile(**flags)
        return cls.model_construct(given.model_fields_set, **dict(given))
