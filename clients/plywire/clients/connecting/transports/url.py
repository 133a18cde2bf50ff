"""URLs of servers: `tcp://HOST:PORT`, `wss://HOST` and similar."""

from urllib.parse import urlsplit

from .mqtt_url import MQTT_PORTS, MqttUrl

DEFAULT_PORTS = {"tcp": 7590, "tls": 7590, "ws": 7591, "wss": 443, **MQTT_PORTS}


def url_for(url: str, name: str) -> str:
    """Return the URL for this bot, which has its own topics on a broker; raises ValueError."""
    if url.partition("://")[0] in MQTT_PORTS:
        url = str(MqttUrl.parse(url).named(name))
    split_url(url)
    return url


def without_password(url: str) -> str:
    """Return the URL without login and password, for people to read."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def split_url(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of a server's URL; raises ValueError for other URLs."""
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
        from websockets.exceptions import InvalidURI
        from websockets.uri import parse_uri

        try:
            parse_uri(url)
        except InvalidURI as error:
            raise ValueError(f"not a server's URL: {error}") from None
    return parts.scheme, host, port or DEFAULT_PORTS[parts.scheme]
