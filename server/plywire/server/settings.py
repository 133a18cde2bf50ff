"""The settings of a server.

Each value comes from the first of these that has it: the flags of `plywire serve`, the environment
(`PLYWIRE_PORT=7000`), a TOML file, the default.
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

#: The origin of a web page, as browsers send it in the header `Origin`.
Origin = Annotated[str, Field(pattern=r"^(\*|null|[a-z][a-z0-9+.-]*://[^/?#@\s]+)$")]

#: The setting for a broker that the server starts itself.
EMBEDDED = "embedded"


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class LadderSettings(BaseModel):
    """The ladder: it pairs bots that seek rated games by rating, at all hours."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    every: float = Field(5.0, gt=0, le=3600)
    """Seconds between pairings."""
    difference: int = Field(400, ge=0)
    """Largest difference of ratings in a rated game. A bot without a rating counts as 1500."""
    pair_games: int = Field(10, ge=1)
    """Most rated games of two bots against each other in 24 hours."""
    same_address: bool = False
    """Whether bots from one address may play rated games against each other. They may then also ask
    the engine while one of them plays a rated game. An address is an IPv4 address or an IPv6
    network of 64 bits. Bots on this machine have no address."""
    anchor: str = "engine:level=5"
    """Player spec of the anchor, which plays the bot that is left over. Its rating is fixed, so
    that the other ratings do not drift. Empty is no anchor."""
    anchor_name: Name = "Anchor"
    """Name of the anchor; no bot may have it."""
    anchor_rating: int = Field(1500, ge=0, le=4000)
    """Rating of the anchor in all games, from 0 to 4000."""
    anchor_games: int = Field(4, ge=1, le=64)
    """Most games of the anchor at the same time."""

    @field_validator("anchor")
    @classmethod
    def _is_player(cls, spec: str) -> str:
        from plywire.clients.connecting.players.specs import (
            parse_player,  # loads all clients, which is slow
        )

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
    """Address to listen on; `0.0.0.0` is every network."""
    port: Port = 7590
    """TCP port of the line protocols; 0 picks a free one."""
    websocket_port: Port = 7591
    """Port of the page and WebSocket; 0 picks a free one. It has `/healthz` and `/readyz`, too."""
    origins: tuple[Origin, ...] = ()
    """Web origins that may open a WebSocket, such as `https://example.org`. The server's own page
    always may. The server then also answers under the host names of these origins. `*` is every
    origin. Programs that are no web page need no origin."""
    tls_cert: Path | None = None
    """Certificate of the server in PEM, with its chain. All ports except the embedded broker then
    speak TLS: `tls://` and `wss://`."""
    tls_key: Path | None = None
    """Key of the certificate in PEM, if it is in another file."""
    book: Path | None = None
    """Opening book in place of the built-in one. It counts for its own game and board size. A
    client leaves books out by the option `book`."""
    game: str = "connect4"
    """Game with which a session begins; GTP and NBoard begin with Othello."""

    threads: int = Field(default_factory=_processors, ge=1, le=1024)
    """Search threads, shared by all sessions; by default one a processor."""
    max_session_threads: int = Field(1, ge=1, le=1024)
    """Most search threads of one session."""
    hash: int = Field(16, ge=1, le=65536)
    """Transposition tables of a session together, in MB. A client can change this by the option
    `hash`."""
    max_hash: int = Field(64, ge=1, le=65536)
    """Largest `hash` of a session, in MB. All sessions together use at most this size times the
    number of sessions."""
    max_think_time: float = Field(300.0, gt=0, le=86_400)
    """Longest search, in seconds, even if the client asks for more."""
    cluster: str | None = None
    """Dask scheduler for searches, such as `tcp://host:8786`. Its workers search when all threads
    of the server are busy. The way to them must take less than a tenth of the search's time."""
    warmup: bool = True
    """Prepare every game at the start, instead of at its first search."""

    max_sessions: int = Field(128, ge=1, le=65536)
    """Most connections at once. The system's limit of open files may lower it."""
    max_sessions_per_address: int = Field(32, ge=0)
    """Most connections from one address; 0 is no limit. An address is an IPv4 address or an IPv6
    network of 64 bits. Connections from this machine have no limit. A proxy on this machine
    therefore lifts the limit."""
    reserved_sessions: int = Field(16, ge=0)
    """Connections kept for bots of the arena; at most half of all."""
    idle_time: float = Field(600.0, ge=0)
    """Idle seconds until a connection is closed; 0 is never. A search is not idle."""
    first_message_time: float = Field(30.0, ge=0)
    """Seconds until a connection without a first message is closed. With 0, only the idle time
    counts."""
    messages_per_second: float = Field(1000.0, ge=0)
    """Messages a second from a client; 0 is no limit. This is the mean in the long run. Every line
    is a message, even a blank line. A WebSocket ping, a fragment, and each 1024 bytes of a longer
    line count as a message, too."""
    message_burst: int = Field(2000, ge=1)
    """Messages from a client at once; more are refused. After the same number of refused messages,
    the client is disconnected."""
    max_line: int = Field(MAX_LINE, ge=256, le=2**24)
    """Longest message, in bytes."""
    max_unsent: int = Field(2**18, ge=2**12)
    """Bytes kept for a client that reads slowly. Beyond this limit, the server reads nothing more
    from the client, and drops all search reports except the best move."""
    write_timeout: float = Field(30.0, gt=0)
    """Seconds until a client that reads nothing is disconnected."""

    mqtt: str | None = None
    """MQTT broker for clients and for the arena's feed, or `embedded`. Its form is
    `mqtt://[USER:PASSWORD@]HOST[:PORT][/ARENA]`, or `mqtts://` for TLS."""
    mqtt_port: Port = 1883
    """Port of the embedded broker; 0 picks a free one."""

    arena: Path | None = None
    """Folder of the arena: accounts and games. Without it there is no arena."""
    arena_grace: float = Field(30.0, gt=0, le=86_400)
    """Seconds that a bot may be away after a lost connection."""
    arena_max_lag: int = Field(500, ge=0, le=60_000)
    """Bound of the lag compensation, in ms a move."""

    guests: int = Field(0, ge=0, le=65536)
    """Most guests in the arena at once; 0 takes none. Guests have no account and play no rated
    games. At most a quarter of them come from one address."""

    ladder: LadderSettings | None = None
    """Whether to pair bots that seek rated games by rating. In a file, the key is a table with the
    settings of the ladder. The flag uses the defaults."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Lowest level of messages in the log, on standard error."""

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
            raise ValueError("--ladder needs --arena FOLDER: plywire serve --arena arena --ladder")
        if self.guests and self.arena is None:
            raise ValueError(
                f"--guests {self.guests} needs --arena FOLDER:"
                f" plywire serve --arena arena --guests {self.guests}"
            )
        if self.hash > self.max_hash:
            raise ValueError(
                f"hash {self.hash} exceeds max_hash {self.max_hash}: lower hash, or raise max_hash"
            )
        if self.tls_key is not None and self.tls_cert is None:
            raise ValueError("--tls-key needs --tls-cert: --tls-cert CERTIFICATE --tls-key KEY")
        if self.mqtt not in (None, EMBEDDED):
            from plywire.clients.connecting.transports.mqtt_url import MqttUrl

            if MqttUrl.parse(self.mqtt).name is not None:
                raise ValueError("--mqtt must name no bot: write mqtt://HOST/ARENA")
        return self

    @classmethod
    def load(cls, config: Path | None = None, **flags: Any) -> Settings:
        """Return the settings from flags, the environment and a TOML file.

        Raises OSError if the file cannot be read, and ValueError (pydantic's ValidationError, or
        tomllib's TOMLDecodeError) if a value is not accepted.
        """
        chosen = config or (Path(path) if (path := os.environ.get("PLYWIRE_CONFIG")) else None)
        if chosen is None:
            return cls(**flags)
        if not chosen.is_file():
            raise FileNotFoundError(
                f"there is no settings file {chosen}: correct --config or PLYWIRE_CONFIG"
            )

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
