"""The command `plywire doctor`."""

import asyncio
import importlib.metadata as metadata
import os
import socket
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plywire.server.cli import app
from plywire.server.serve import Server
from plywire.server.settings import Settings
from tests.engine.compiled.test_store import give_away


def run(*arguments: str, code: int = 0) -> str:
    runner = CliRunner(env={"COLUMNS": "300", "NO_COLOR": "1", "TERM": "dumb"})
    result = runner.invoke(app, ("doctor", *arguments))
    assert result.exit_code == code, result.output
    return "\n".join(" ".join(line.split()) for line in result.output.splitlines())


#: Of what listens on no port of its own.
NO_PORTS = ("--port", "0", "--websocket-port", "0")


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"PLYWIRE_{name.upper()}", raising=False)
    monkeypatch.setenv("PLYWIRE_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def taken() -> Iterator[str]:
    """A port at which a program listens that says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield str(listening.getsockname()[1])


def test_where_all_is_well(tmp_path: Path) -> None:
    shown = run(*NO_PORTS, "--arena", str(tmp_path / "arena"))
    assert "✓ Plywire 0." in shown
    assert "✓ llvmlite" in shown
    assert f"✓ Machine code none yet in {tmp_path / 'cache'}" in shown
    assert "`plywire warmup` makes it" in shown
    assert f"✓ Arena {tmp_path / 'arena'}" in shown
    assert "✓ TCP port any that is free" in shown
    assert "✓ MQTT broker none is used" in shown
    assert not (tmp_path / "arena").exists()


def test_without_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    found = metadata.version

    def version(name: str) -> str:
        if name == "llvmlite":
            raise metadata.PackageNotFoundError(name)
        return found(name)

    monkeypatch.setattr(metadata, "version", version)
    assert "pip install 'plywire[engine]'" in run(*NO_PORTS, code=1)


def test_a_port_that_another_program_has(taken: str) -> None:
    shown = run("--port", taken, "--websocket-port", "0", code=1)
    assert f"✗ TCP port {taken} cannot be used: Address already in use choose another" in shown


async def test_ports_that_a_server_of_ours_has() -> None:
    async with Server(Settings(port=0, websocket_port=0, warmup=False)) as server:
        port, websocket_port = (
            str(address[1]) for address in (server.tcp_address, server.websocket_address)
        )
        shown = await asyncio.to_thread(run, "--port", port, "--websocket-port", websocket_port)
    assert f"✓ TCP port {port}, where a Plywire server runs already" in shown
    assert f"✓ WebSocket port {websocket_port}, where a Plywire server runs already" in shown


def test_a_broker(taken: str) -> None:
    shown = run(*NO_PORTS, "--mqtt", f"mqtt://127.0.0.1:{taken}")
    assert f"✓ MQTT broker answers at 127.0.0.1:{taken}" in shown
    shown = run(*NO_PORTS, "--mqtt", "embedded", "--mqtt-port", taken, code=1)
    assert f"✗ MQTT broker {taken} cannot be used" in shown


def test_a_broker_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    shown = run(*NO_PORTS, "--mqtt", f"mqtt://127.0.0.1:{port}", code=1)
    assert f"✗ MQTT broker no answer at 127.0.0.1:{port}" in shown


def test_folders_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("PLYWIRE_CACHE_DIR", str(file))
    shown = run(*NO_PORTS, "--arena", str(file / "arena"), code=1)
    assert f"✗ Machine code cannot write {file}: Not a directory" in shown
    assert "set PLYWIRE_CACHE_DIR to a folder" in shown
    assert f"✗ Arena cannot write {file}: Not a directory" in shown


@pytest.mark.skipif(os.name != "posix", reason="there are no owners")
def test_machine_code_that_another_user_could_plant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache" / "kernels"
    folder.mkdir(parents=True)
    give_away(folder, monkeypatch)
    shown = run(*NO_PORTS, code=1)
    assert f"✗ Machine code not kept in {folder}: it belongs to another user" in shown
    assert "set PLYWIRE_CACHE_DIR to a folder of your own" in shown


def test_no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    def get() -> None:
        raise webbrowser.Error

    monkeypatch.setattr(webbrowser, "get", get)
    assert "✓ Browser none here open the page from another machine" in run(*NO_PORTS)


def test_settings_that_cannot_be() -> None:
    assert "port: must be at most 65535, not 70000" in run("--port", "70000", code=2)
