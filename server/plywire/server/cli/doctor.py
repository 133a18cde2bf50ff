"""`plywire doctor`: find problems of this machine, and say what to do."""

import asyncio
import platform
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import typer
from rich.markup import escape
from rich.table import Table

from plywire.clients.connecting.client import Backoff, connect
from plywire.clients.connecting.errors import ClientError
from plywire.clients.connecting.transports.mqtt_url import MqttUrl
from plywire.engine.compiled.store import cache_dir, distrust
from plywire.protocol.mqtt_frames import DEFAULT_ARENA
from plywire.server.settings import EMBEDDED, Settings

from .common import screen
from .flags import taking_settings

#: The settings to check, because wrong values can prevent a server from starting.
_FIELDS = ("host", "port", "websocket_port", "arena", "mqtt", "mqtt_port")

#: Maximum wait for an answer from a port, in seconds.
_WAIT = 2.0


@dataclass(frozen=True, slots=True)
class _Diagnosis:
    what: str
    found: str
    advice: str = ""
    is_fault: bool = False


@taking_settings(_FIELDS)
def main(settings: Settings) -> None:
    """Check this machine: versions, folders, ports, browser and broker.

    The command changes nothing. It checks the ports, the arena and the broker that `plywire serve`
    would use with the same settings, and says what to do. The exit status is 1 if anything does not
    work.

    Examples:

        plywire doctor

        plywire doctor --config plywire.toml
    """
    table = Table(box=None, pad_edge=False)
    for heading in ("", "What", "Found", "What to do"):
        table.add_column(heading, overflow="fold")
    is_well = True
    for item in _diagnoses(settings):
        is_well = is_well and not item.is_fault
        sign = "[red]✗[/]" if item.is_fault else "[green]✓[/]"
        table.add_row(sign, item.what, escape(item.found), escape(item.advice))
    screen().print(table)
    raise typer.Exit(0 if is_well else 1)


def _diagnoses(settings: Settings) -> Iterator[_Diagnosis]:
    yield from _versions()
    yield _machine_code()
    if settings.arena is not None:
        yield _arena(settings.arena)
    for what, scheme, port in (
        ("TCP port", "tcp", settings.port),
        ("WebSocket port", "ws", settings.websocket_port),
    ):
        yield _port(what, settings.host, port, f"{scheme}://{settings.host}:{port}")
    yield _broker(settings)
    yield _browser()


def _versions() -> Iterator[_Diagnosis]:
    yield _Diagnosis("Plywire", metadata.version("plywire"))
    yield _Diagnosis("Python", f"{platform.python_version()}, {sys.executable}")
    yield _Diagnosis("System", platform.platform())
    try:
        yield _Diagnosis("llvmlite", metadata.version("llvmlite"))
    except metadata.PackageNotFoundError:
        yield _Diagnosis(
            "llvmlite",
            "not installed: searches are plain and weak",
            "pip install 'plywire[engine]'",
            is_fault=True,
        )


def _machine_code() -> _Diagnosis:
    """Look at the folder of machine code. Without the folder, each process makes its own code."""
    what, folder = "Machine code", cache_dir()
    choose = "set PLYWIRE_CACHE_DIR to a folder of your own"
    if folder is None:
        return _Diagnosis(what, "no home folder to keep them in", choose, is_fault=True)
    if (trouble := _unwritable(folder)) is not None:
        return _Diagnosis(what, trouble, choose, is_fault=True)
    if folder.exists() and (why := distrust(folder)):
        return _Diagnosis(what, f"not kept in {folder}: {why}", choose, is_fault=True)
    files = [path for path in folder.glob("*") if path.is_file()]
    if not files:
        advice = "`plywire warmup` makes it, so that no first search waits"
        return _Diagnosis(what, f"none yet in {folder}", advice)
    size = sum(path.stat().st_size for path in files)
    return _Diagnosis(what, f"{len(files)} in {folder}, {size / 1e6:.0f} MB")


def _arena(folder: Path) -> _Diagnosis:
    if (trouble := _unwritable(folder)) is not None:
        advice = "let this user write there, or choose another by --arena"
        return _Diagnosis("Arena", trouble, advice, is_fault=True)
    return _Diagnosis("Arena", str(folder.absolute()))


def _unwritable(folder: Path) -> str | None:
    """Return why this user cannot write a folder or make it, None if that works."""
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=nearest):
            return None
    except OSError as error:
        return f"cannot write {nearest}: {error.strerror}"


def _port(what: str, host: str, port: int, url: str) -> _Diagnosis:
    """Look whether a port is free. A Plywire server at `url` may use the port already."""
    if port == 0:
        return _Diagnosis(what, "any that is free")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as trial:
            if sys.platform != "win32":  # on Windows, it would let two programs share a port
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except OSError as error:
        if asyncio.run(_is_ours(url)):
            return _Diagnosis(what, f"{port}, where a Plywire server runs already")
        found, advice = (
            f"{port} cannot be used: {error.strerror}",
            "choose another, or end that program",
        )
        return _Diagnosis(what, found, advice, is_fault=True)
    return _Diagnosis(what, f"{port} is free")


async def _is_ours(url: str) -> bool:
    try:
        async with asyncio.timeout(_WAIT), connect(url, backoff=Backoff(attempts=1)) as game:
            return (await game.hello()).server == "plywire"
    except (ClientError, TimeoutError):
        return False


def _broker(settings: Settings) -> _Diagnosis:
    if settings.mqtt is None:
        return _Diagnosis("MQTT broker", "none is used")
    if settings.mqtt == EMBEDDED:
        port = settings.mqtt_port
        url = f"mqtt://{settings.host}:{port}/{DEFAULT_ARENA}/doctor"
        return _port("MQTT broker", settings.host, port, url)
    broker = MqttUrl.parse(settings.mqtt)
    where = f"{broker.host}:{broker.port}"
    try:
        socket.create_connection((broker.host, broker.port), _WAIT).close()
    except OSError as error:
        advice = "start it, or use --mqtt embedded"
        return _Diagnosis("MQTT broker", f"no answer at {where}: {error}", advice, is_fault=True)
    return _Diagnosis("MQTT broker", f"answers at {where}")


def _browser() -> _Diagnosis:
    """Look for a browser. Only the page needs a browser, even on another machine."""
    try:
        return _Diagnosis("Browser", getattr(webbrowser.get(), "name", "the system's own"))
    except webbrowser.Error:
        return _Diagnosis(
            "Browser", "none here", "open the page from another machine: --host 0.0.0.0"
        )
