"""Ways to a server or an engine: each moves bytes and knows nothing of what they mean."""

from __future__ import annotations

import asyncio
import ssl

from websockets.asyncio.client import connect as connect_websocket
from websockets.exceptions import (
    InvalidStatus,
    WebSocketException,
)

from plywire.protocol.text import printable

from .base import _CLOSED_WITHIN, Transport
from .mqtt_url import MQTT_PORTS, MqttUrl, bracketed
from .stream import StreamTransport
from .url import split_url
from .websocket import WebSocketTransport

#: How much of what a server says that refuses a WebSocket is told, in bytes.
_MOST_SAID = 200


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
