"""URLs of brokers: `mqtt://[USER[:PASSWORD]@]HOST[:PORT][/ARENA[/NAME]]`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import quote, unquote, urlsplit

from plywire.protocol.mqtt_frames import DEFAULT_ARENA, check_name

#: The default port of each scheme. `mqtts` is MQTT over TLS.
MQTT_PORTS = {"mqtt": 1883, "mqtts": 8883}


@dataclass(frozen=True, slots=True)
class MqttUrl:
    """A broker, an arena on that broker, and perhaps a bot in that arena."""

    host: str
    port: int
    is_secure: bool = False
    username: str | None = None
    password: str | None = None
    arena: str = DEFAULT_ARENA
    name: str | None = None

    @classmethod
    def parse(cls, url: str) -> MqttUrl:
        try:
            parts = urlsplit(url)
            port = parts.port or MQTT_PORTS[parts.scheme]
            host = parts.hostname or ""
            if not host or parts.query or parts.fragment:
                raise ValueError
            arena, _, name = parts.path.strip("/").partition("/")
        except (KeyError, ValueError):
            raise ValueError(
                "not a broker's URL; expected mqtt://[USER:PASSWORD@]HOST[:PORT][/ARENA[/NAME]],"
                " or mqtts:// for TLS"
            ) from None
        return cls(
            host,
            port,
            parts.scheme == "mqtts",
            None if parts.username is None else unquote(parts.username),
            None if parts.password is None else unquote(parts.password),
            check_name(arena or DEFAULT_ARENA),
            check_name(name) if name else None,
        )

    def bot(self) -> str:
        if self.name is None:
            raise ValueError("the URL names no bot; expected mqtt://HOST/ARENA/NAME")
        return self.name

    def named(self, name: str) -> MqttUrl:
        """Return the URL with this bot's name; a URL that names a bot is returned unchanged."""
        return self if self.name else replace(self, name=name)

    def __str__(self) -> str:
        login = "" if self.username is None else quote(self.username, safe="")
        login += "" if self.password is None else f":{quote(self.password, safe='')}"
        path = f"/{self.arena}" + (f"/{self.name}" if self.name else "")
        scheme = "mqtts" if self.is_secure else "mqtt"
        return f"{scheme}://{login}{'@' if login else ''}{bracketed(self.host)}:{self.port}{path}"


def bracketed(host: str) -> str:
    """Return a host as URLs write it: IPv6 addresses get brackets because they contain colons."""
    return f"[{host}]" if ":" in host else host
