"""Ways to a server or an engine: each moves bytes and knows nothing of what they mean."""

from __future__ import annotations

import asyncio
import ssl
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_websocket
from websockets.exceptions import (
    ConnectionClosed,
    InvalidStatus,
    InvalidURI,
    WebSocketException,
)
from websockets.uri import parse_uri

from plywire.protocol.text import printable

from .mqtt_url import MQTT_PORTS, MqttUrl, bracketed

DEFAULT_PORTS = {"tcp": 7590, "tls": 7590, "ws": 7591, "wss": 443, **MQTT_PORTS}

_CHUNK = 65536
#: How much of what a server says that refuses a WebSocket is told, in bytes.
_MOST_SAID = 200
#: Seconds to wait for the peer when a connection is closed: it may have gone without a word.
_CLOSED_WITHIN = 1.0


class Transport(ABC):
    """A connected byte stream in both directions; a failed one reads as ended."""

    @abstractmethod
    async def read(self) -> bytes:
        """Whatever came next, empty once the peer has gone."""

    @abstractmethod
    async def write(self, lines: Sequence[str]) -> None:
        """Send lines, given without line endings.

        Raises OSError if the peer has gone.
        """

    @abstractmethod
    async def close(self) -> None:
        """Let go of the connection, whatever state it is in."""


async def open_transport(url: str) -> Transport:
    """Connect to `tcp://host:port`, `ws://host:port` or `mqtt://broker:port/arena/name`.

    `tls`, `wss` and `mqtts` are the same over TLS. Then the server must show a certificate of an
    authority that the system trusts, or one in the file that the variable SSL_CERT_FILE names.

    Raises OSError if nobody answers there, ValueError if the URL is not of that form.
    """
    scheme, host, port = split_url(url)
    where = f"{bracketed(host)}:{port}"
    try:
        if scheme in ("tcp", "tls"):
            context = ssl.create_default_context() if scheme == "tls" else None
            return StreamTransport(*await asyncio.open_connection(host, port, ssl=context))
        if scheme in MQTT_PORTS:
            from .mqtt import MqttTransport  # few need it, and it takes time to import

            return await MqttTransport.open(MqttUrl.parse(url))
        return WebSocketTransport(
            await connect_websocket(url, compression=None, close_timeout=_CLOSED_WITHIN)
        )
    except ssl.SSLCertVerificationError as error:
        raise ConnectionRefusedError(
            f"the certificate of {where} is not trusted: {error.verify_message};"
            " SSL_CERT_FILE may name a file of other authorities"
        ) from error
    except ssl.SSLError as error:
        raise ConnectionRefusedError(f"no TLS at {where}: {error.reason or error}") from error
    except WebSocketException as error:
        raise ConnectionRefusedError(f"no WebSocket at {where}: {_reason(error)}") from error


def _reason(error: WebSocketException) -> str:
    """Why a server takes no WebSocket, in its own words where it has some."""
    body = error.response.body if isinstance(error, InvalidStatus) else None
    said = printable(bytes(body or b"")[:_MOST_SAID].decode(errors="replace").strip())
    return f"{error}: {said}" if said else str(error)


def url_for(url: str, name: str) -> str:
    """A server's URL as a bot of that name uses it: on a broker each has topics of its own.

    Raises ValueError if it is not one.
    """
    if url.partition("://")[0] in MQTT_PORTS:
        url = str(MqttUrl.parse(url).named(name))
    split_url(url)
    return url


def without_password(url: str) -> str:
    """A URL for people to read."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def split_url(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of a server's URL.

    Raises ValueError if it is not one.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        host = None
    else:
        host = parts.hostname if parts.scheme in DEFAULT_PORTS else None
    if not host:
        raise ValueError(
            f"not a server's URL: {url!r}; expected tcp://HOST:PORT, ws://HOST:PORT or"
            " mqtt://BROKER/ARENA/NAME, over TLS tls://, wss:// or mqtts://"
        )
    if parts.scheme in MQTT_PORTS:
        MqttUrl.parse(url).bot()
    if parts.scheme in ("ws", "wss"):
        try:
            parse_uri(url)
        except InvalidURI as error:
            raise ValueError(f"not a server's URL: {error}") from None
    return parts.scheme, host, port or DEFAULT_PORTS[parts.scheme]


class StreamTransport(Transport):
    """Lines over a pair of asyncio streams, as TCP gives them."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take over both streams."""
        self._reader = reader
        self._writer = writer

    async def read(self) -> bytes:
        """The bytes that came in, at most 64 KiB."""
        try:
            return await self._reader.read(_CHUNK)
        except OSError:
            return b""

    async def write(self, lines: Sequence[str]) -> None:
        """Send the lines and wait while the peer is slow to read."""
        self._writer.write("".join(f"{line}\n" for line in lines).encode())
        await self._writer.drain()

    async def close(self) -> None:
        """Close the stream; what a peer does not read is lost."""
        self._writer.close()
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_CLOSED_WITHIN):
                await self._writer.wait_closed()
        self._writer.transport.abort()


class WebSocketTransport(Transport):
    """A line a text message."""

    def __init__(self, connection: ClientConnection) -> None:
        """Take over the connection."""
        self._connection = connection

    async def read(self) -> bytes:
        """The next message, ended as a line."""
        try:
            return await self._connection.recv(decode=False) + b"\n"
        except ConnectionClosed:
            return b""

    async def write(self, lines: Sequence[str]) -> None:
        """Send a message a line."""
        try:
            for line in lines:
                await self._connection.send(line)
        except ConnectionClosed as error:
            raise ConnectionResetError(printable(str(error))) from error

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.close()
