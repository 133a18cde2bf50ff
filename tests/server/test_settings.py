"""Where settings come from, and which wins."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from plywire.protocol.field_docs import field_docs
from plywire.server.settings import LadderSettings, Settings
from tests.support.books import one_line


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*Settings.model_fields, "config"):
        monkeypatch.delenv(f"PLYWIRE_{name.upper()}", raising=False)


def test_every_field_is_described() -> None:
    assert field_docs(Settings).keys() == Settings.model_fields.keys()


def test_flags_win_over_the_environment_and_that_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "plywire.toml"
    config.write_text('port = 1\nwebsocket_port = 1\nmax_sessions = 1\norigins = ["https://a.b"]\n')
    monkeypatch.setenv("PLYWIRE_WEBSOCKET_PORT", "2")
    monkeypatch.setenv("PLYWIRE_MAX_SESSIONS", "2")
    settings = Settings.load(config, max_sessions=3)
    assert (settings.port, settings.websocket_port, settings.max_sessions) == (1, 2, 3)
    assert settings.origins == ("https://a.b",)
    monkeypatch.setenv("PLYWIRE_CONFIG", str(config))
    assert Settings.load().port == 1


def test_a_missing_file_and_an_unknown_key_are_refused(tmp_path: Path) -> None:
    config = tmp_path / "plywire.toml"
    with pytest.raises(FileNotFoundError):
        Settings.load(config)
    config.write_text("prot = 1\n")
    with pytest.raises(ValidationError, match="prot"):
        Settings.load(config)


@pytest.mark.parametrize(
    "bad",
    [{"port": 70_000}, {"threads": 0}, {"hash": 65, "max_hash": 64}, {"max_think_time": 0}],
)
def test_values_out_of_range_are_refused(bad: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        Settings.load(**bad)


def test_what_is_no_book_is_refused(tmp_path: Path) -> None:
    book = one_line(tmp_path)
    assert Settings.load(book=book).book == book
    config = tmp_path / "plywire.toml"
    for file, said in ((config, "is not an opening book"), (tmp_path / "none", "No such file")):
        config.write_text(f'book = "{file}"\n')
        with pytest.raises(ValidationError, match=said):
            Settings.load(config)


def test_what_a_file_sets_is_told_from_what_it_leaves(tmp_path: Path) -> None:
    config = tmp_path / "plywire.toml"
    config.write_text('game = "tictactoe"\n')
    assert Settings.load(config, hash=2).model_fields_set == {"game", "hash"}


def test_the_ladder_is_turned_on_by_its_table_or_its_flag(tmp_path: Path) -> None:
    config = tmp_path / "plywire.toml"
    config.write_text('arena = "arena"\n[ladder]\ndifference = 7\n')
    for flag in ({}, {"ladder": {}}):
        ladder = Settings.load(config, **flag).ladder
        assert ladder is not None
        assert (ladder.difference, ladder.pair_games) == (7, 10)
    assert Settings.load(config, ladder=None).ladder is None
    assert Settings.load(arena=tmp_path, ladder={}).ladder == LadderSettings()
    with pytest.raises(ValidationError, match="plywire serve --arena arena --guests 5"):
        Settings.load(guests=5)
    with pytest.raises(ValidationError, match="--ladder needs --arena"):
        Settings.load(ladder={})
    with pytest.raises(ValidationError, match="no player 'nobody'"):
        LadderSettings(anchor="nobody")


def test_the_ladder_is_turned_on_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWIRE_ARENA", "arena")
    monkeypatch.setenv("PLYWIRE_LADDER", "true")
    assert Settings.load().ladder == LadderSettings()


@pytest.mark.parametrize("origin", ["example.org", "https://example.org/", "https://a@b", ""])
def test_what_no_browser_calls_an_origin_is_refused(origin: str) -> None:
    with pytest.raises(ValidationError, match="origins"):
        Settings(origins=(origin,))
