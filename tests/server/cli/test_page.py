"""`plywire page build`: the files it writes, and what it refuses."""

from __future__ import annotations

import json
import re
import shutil
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
from typer.testing import CliRunner, Result

from plywire.server.arena.reports import tournament_report
from plywire.server.cli import app
from plywire.server.cli.tournament import files
from plywire.server.site import build as building
from tests.support.game_records import record
from tests.support.png import pixels

CUP = """
name = "Cup <1>"
accuracy = false
[format]
system = "round-robin"
games = 2
[time]
depth = 1
[[games]]
game = "tictactoe"
openings = "random"
[players]
Chance = "random"
Greed = "greedy"
"""


def plywire(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "300"}).invoke(app, list(map(str, arguments)))


def build(*arguments: object) -> Result:
    return plywire("page", "build", *arguments)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament file whose tournament is over."""
    file = tmp_path_factory.mktemp("cup") / "the cup #1.toml"
    file.write_text(CUP)
    assert plywire("tournament", "run", file).exit_code == 0
    return file


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, cup: Path) -> Path:
    folder = tmp_path_factory.mktemp("sites") / "new" / "site"
    built = build(folder, "--report", cup)
    assert built.exit_code == 0, built.output
    written = contents(folder)
    size = sum(map(len, written.values()))
    assert f"Wrote {len(written)} files, {size / 1000:.0f} kB, to {folder}." in built.output
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def kept(site: Path) -> Any:
    """What the service worker is told to keep."""
    first, _, _ = (site / "service-worker.js").read_text().partition(";\n")
    return json.loads(first.removeprefix("self.SITE = "))


def test_everything_is_there_and_nothing_leads_out(site: Path) -> None:
    written = contents(site)
    assert {"index.html", "style.css", "main.js", "engine/worker.js", "register.js"} < set(written)
    assert {"reports/index.html", "reports/the cup #1.html"} < set(written)
    page = written["index.html"].decode()
    assert 'href="reports/index.html"' in page
    assert not re.findall(r"data-server|Connecting|watch Connect", page)
    assert not re.findall(r'data-needs|data-mode="watch"|value="(?:friend|arena)"', page)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert {"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'"} < set(policy.split("; "))
    for path, body in written.items():
        if path.endswith((".html", ".css", ".webmanifest")):
            text = body.decode()
            for address in re.findall(r'(?:href|src)"?[=:] ?"([^"#]+)|url\(([^)]*)\)', text):
                whole = site / Path(path).parent / unquote("".join(address))
                assert whole.resolve().exists() or whole.resolve() == site, (path, address)
    for script in ("main.js", "engine/worker.js"):
        assert b"sourceMappingURL" not in written[script]
        # Only the WebSocket of a server, which a site does not open, has an absolute address.
        absolute = re.findall(
            rb"""(?:URL|fetch|import|Worker|Socket)\(["'`]/[^)]*""", written[script]
        )
        assert absolute in ([], [b'Socket("/"'])


def test_it_can_be_installed(site: Path) -> None:
    manifest = json.loads((site / "manifest.webmanifest").read_bytes())
    assert (manifest["start_url"], manifest["scope"]) == ("./", "./")
    sides = set()
    for icon in manifest["icons"]:
        file = site / icon["src"]
        if icon["type"] == "image/png":
            shown = pixels(file.read_bytes())
            assert icon["sizes"] == f"{shown.shape[1]}x{shown.shape[0]}"
            sides.add(shown.shape[0])
    assert {192, 512} <= sides


def test_browsers_keep_files_by_their_hashes(site: Path) -> None:
    whole = kept(site)
    written = contents(site)
    assert set(whole["files"]) == {quote(path) for path in written if path != "service-worker.js"}
    for path, body in written.items():
        if digest := whole["files"].get(quote(path)):
            assert b64decode(digest.removeprefix("sha256-")) == sha256(body).digest()


def test_the_same_bytes_each_time_and_another_version_for_other_files(
    site: Path, cup: Path, tmp_path: Path
) -> None:
    assert build(tmp_path / "again", "--report", cup).exit_code == 0
    assert contents(tmp_path / "again") == contents(site)
    assert build(tmp_path / "plain").exit_code == 0
    plain = contents(tmp_path / "plain")
    assert not [path for path in plain if path.startswith("reports")]
    assert b"reports" not in plain["index.html"]
    assert kept(tmp_path / "plain")["version"] != kept(site)["version"]


def test_games_of_a_report_lead_to_their_analysis(site: Path) -> None:
    listed = (site / "reports/index.html").read_text()
    assert 'href="the%20cup%20%231.html">Cup &lt;1&gt;</a>' in listed
    assert "2 of 2 games played" in listed
    report = (site / "reports/the cup #1.html").read_text()
    assert len(re.findall(r'href="\.\./#mode=analyse&amp;game=tictactoe&amp;', report)) == 2
    around = re.findall(r'<nav aria-label="Site">(.*?)</nav>', report, re.S)
    assert re.findall(r'href="([^"]*)">([^<]*)', around[0]) == [
        *(("index.html", "Reports"), ("../", "Play and analyse")),
    ]


def test_pages_of_a_long_report_are_kept_when_they_are_read(
    cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (files, tournament_report):
        monkeypatch.setattr(module, "GAMES", 1)
    assert build(tmp_path / "site", "--report", cup).exit_code == 0
    whole = kept(tmp_path / "site")
    folder = "reports/the%20cup%20%231-pages"
    assert whole["later"] == [f"{folder}/games-001.html", f"{folder}/games-002.html"]
    assert "reports/the%20cup%20%231.html" in whole["files"]
    page = (tmp_path / "site" / unquote(whole["later"][1])).read_text()
    assert 'href="../../#mode=analyse&amp;game=tictactoe&amp;' in page


def test_games_of_a_match_are_reported_too(tmp_path: Path) -> None:
    records = tmp_path / "final.jsonl"
    games = [record(0, "ann", "bob", 1), record(0, "bob", "ann", 1, game="othello", moves="f5")]
    records.write_text("".join(f"{game.model_dump_json()}\n" for game in games))
    built = build(tmp_path / "site", "--report", records)
    assert built.exit_code == 0, built.output
    assert '<a href="final.html">final</a>' in (tmp_path / "site/reports/index.html").read_text()
    report = (tmp_path / "site/reports/final.html").read_text()
    assert "2 games." in report
    for number, address in ((1, "connect4&amp;size=7x6&amp;moves=4.4.3"), (2, "othello")):
        assert f'<tr id="g{number}">' in report
        assert f'href="../#mode=analyse&amp;game={address}' in report
    wrong = games[0].model_copy(update={"moves": ("9",)}).model_dump_json()
    for text, said in (
        ("", "is empty"),
        ("{}\n", "line 1 is no record of a game, as plywire match --out games.jsonl writes it"),
        ("\n", "line 1 is no record"),
        (f"{games[0].model_dump_json()}\n{wrong}\n", "line 2: "),
    ):
        records.write_text(text)
        failed = build(tmp_path / "none", "--report", records)
        assert failed.exit_code == 1
        assert said in failed.output


def test_a_folder_with_files_is_only_written_if_that_is_wished(cup: Path, tmp_path: Path) -> None:
    (tmp_path / "CNAME").write_text("plywire.example\n")
    (tmp_path / "index.html").write_text("old\n")
    refused = build(tmp_path)
    assert refused.exit_code == 2
    assert f"{tmp_path} is not empty: choose another folder, or add --force" in refused.output
    assert (tmp_path / "index.html").read_text() == "old\n"
    assert build(tmp_path, "--force", "--report", cup).exit_code == 0
    written = contents(tmp_path)
    assert written["CNAME"] == b"plywire.example\n"
    assert b"<!doctype html>" in written["index.html"]
    assert "reports/index.html" in written


def test_a_failure_leaves_the_site_as_it_was(
    site: Path, cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    before = contents(folder)
    nothing = build(folder, "--force", "--report", cup, "--report", tmp_path / "none.toml")
    assert nothing.exit_code == 1
    assert "none.journal" in nothing.output
    assert contents(folder) == before

    def full(*_: object) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(building, "service_worker", full)
    failed = build(folder, "--force")
    assert failed.exit_code == 1
    assert f"plywire page build: {folder}: No space left on device" in failed.output
    assert contents(folder) == before
    assert build(tmp_path / "fresh" / "deep").exit_code == 1
    assert not (tmp_path / "fresh").exists()


def test_reports_of_one_name_and_a_file_in_the_way_are_refused(cup: Path, tmp_path: Path) -> None:
    twice = build(tmp_path / "site", "--report", cup, "--report", cup.with_suffix(".journal"))
    assert twice.exit_code == 2
    assert "would be named the cup #1.html, as" in twice.output
    assert not (tmp_path / "site").exists()
    (tmp_path / "file").touch()
    refused = build(tmp_path / "file")
    assert refused.exit_code == 2
    assert f"{tmp_path / 'file'} is a file, not a folder" in refused.output
    other = build(tmp_path / "site", "--report", cup.parent)
    assert other.exit_code == 1
    assert f"{cup.parent} is no folder of an arena" in other.output
    assert not (tmp_path / "site").exists()
