"""The addresses of a server: where it listens, and where clients reach it."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Self

from plywire.clients.connecting.transports.mqtt_url import bracketed
from plywire.server.settings import EMBEDDED, Settings

#: The hosts that mean all addresses of the machine, and where the machine itself reaches them.
_EVERYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}


def is_everywhere(host: str) -> bool:
    """Return whether a server on this host listens at all addresses of the machine."""
    return host in _EVERYWHERE


def reachable(host: str) -> str:
    """Return the host at which the machine itself reaches a server that listens on `host`."""
    return _EVERYWHERE.get(host, host)


@contextmanager
def listening_by(option: str, host: str, port: int) -> Iterator[None]:
    """Add the port's option to the OSError that is raised if the port is in use."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        at = f"{bracketed(host)}:{port}"
        raise OSError(
            f"{at}: address already in use; choose another port by {option}, or 0 for a free one"
        ) from None


@dataclass(frozen=True, slots=True)
class Listening:
    """The addresses of a server, as clients on its machine reach it."""

    page: str
    lines: str
    websocket: str
    nc: str
    """An `nc` command for the line protocols; empty if they speak TLS."""

    @classmethod
    def at(cls, settings: Settings, lines: tuple[str, int], page: tuple[str, int]) -> Self:
        """Make the addresses from the host and port of the line protocols and of the page."""
        lines_at, page_at = (f"{bracketed(reachable(host))}:{port}" for host, port in (lines, page))
        if settings.tls_cert is not None:
            return cls(f"https://{page_at}/", f"tls://{lines_at}", f"wss://{page_at}", nc="")
        nc = f"nc {reachable(lines[0])} {lines[1]}"
        return cls(f"http://{page_at}/", f"tcp://{lines_at}", f"ws://{page_at}", nc)

    def for_people(self) -> tuple[str, ...]:
        example = f"  (try: {self.nc})" if self.nc else ""
        return (
            f"Page in the browser:  {self.page}",
            f"Line clients:         {self.lines}{example}",
            f"WebSocket clients:    {self.websocket}",
        )

    def for_logs(self) -> tuple[str, ...]:
        return (
            f"listening url={self.lines}",
            f"listening url={self.websocket} health={self.page}healthz",
            f"listening url={self.page}",
        )


def exposure(settings: Settings) -> str | None:
    """Return a warning that others can reach the server; None if only this machine can."""
    host = settings.host
    if host == "localhost" or _is_loopback(host):
        return None
    where = "any address of this machine" if is_everywhere(host) else host
    told = [f"open to others: every client that reaches {where} may connect and search"]
    if settings.tls_cert is None:
        told.append("nothing is encrypted (see --tls-cert)")
    if settings.mqtt == EMBEDDED:
        told.append("the embedded broker asks for no name and encrypts nothing")
    told.append("--origins adds names under which the page may be opened")
    told.append("--max-sessions, --threads and --max-hash set limits")
    return "; ".join(told)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
