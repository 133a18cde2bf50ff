"""Open a transport by its URL."""

import asyncio
import ssl

from .base import ClientTransport
from .mqtt_url import MQTT_PORTS, MqttUrl, bracketed
from .stream import StreamTransport
from .url import split_url


async def open_transport(url: str) -> ClientTransport:
    """Connect to `tcp://host:port`, `ws://host:port` or `mqtt://broker:port/arena/name`.

    `tls`, `wss` and `mqtts` are the same over TLS. The server's certificate must come from an
    authority that the system trusts, or from one in the file that SSL_CERT_FILE names.

    Raises OSError if nobody answers there, ValueError if the URL has another form.
    """
    # The imports below are slow, so each scheme's libraries are imported only when it is used.
    scheme, host, port = split_url(url)
    where = f"{bracketed(host)}:{port}"
    try:
        if scheme in ("tcp", "tls"):
            context = ssl.create_default_context() if scheme == "tls" else None
            return StreamTransport(*await asyncio.open_connection(host, port, ssl=context))
        if scheme in MQTT_PORTS:
            from .mqtt import MqttTransport

            return await MqttTransport.open(MqttUrl.parse(url))
        from .websocket import WebSocketTransport

        return await WebSocketTransport.open(url)
    except ssl.SSLCertVerificationError as error:
        raise ConnectionRefusedError(
            f"the certificate of {where} is not trusted: {error.verify_message};"
            " SSL_CERT_FILE may name a file of other authorities"
        ) from error
    except ssl.SSLError as error:
        raise ConnectionRefusedError(f"no TLS at {where}: {error.reason or error}") from error
