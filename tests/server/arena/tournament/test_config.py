"""A tournament's TOML file: what it may say, and the one line about what it may not."""

from pathlib import Path

import pytest

from plywire.clients.play.matches.adjudication import DrawRule, EarlyEnd, ResignRule
from plywire.protocol.messages.limits import Clock, Limits
from plywire.server.arena.tournament.config import ConfigError, parse_config, read_config
from plywire.server.arena.tournament.pairings import RoundRobin

GOOD = """
name = "Cup"
[format]
system = "round-robin"
games = 4
[[games]]
game = "connect4"
[[games]]
game = "othello"
size = "8x8"
openings = "random"
[players]
A = "random"
B = "engine:nodes=100"
C = "ugi:./engine --fast"
"""


def test_a_file_says_all_and_the_rest_is_usual() -> None:
    config = parse_config(GOOD)
    assert config.format == RoundRobin(games=4)
    assert list(config.players) == ["A", "B", "C"]
    assert [section.kind().size for section in config.games] == ["7x6", "8x8"]
    assert config.openings_needed == 1
    assert config.time.control().limits.movetime == 100


def test_time_is_as_the_file_says() -> None:
    config = parse_config(GOOD + '[time]\ntc = "10+0.1"\nmargin = 5\npatience = 1.5\n')
    control = config.time.control()
    assert control.limits.movetime is None
    assert control.limits.clock == Clock(p1=10_000, p2=10_000, inc1=100, inc2=100)
    assert (control.margin, control.patience) == (5, 1500)


def test_single_players_may_have_time_of_their_own() -> None:
    config = parse_config(GOOD + '[time]\nmovetime = 9\nplayers = { A = "10", B = "nodes=5" }\n')
    control = config.time.control()
    clock = Clock(p1=10_000, p2=10_000)
    assert control.of(("A", "B")) == (Limits(clock=clock), Limits(nodes=5))
    assert control.of(("C", "A")) == (Limits(movetime=9), Limits(clock=clock))
    assert config.time.summary == "9 ms a move; A: 10; B: nodes=5"


def test_games_may_end_by_the_scores_that_players_tell() -> None:
    assert parse_config(GOOD).early_end == EarlyEnd()
    config = parse_config(GOOD + "[resign]\nscore = 900\n[draw]\nafter = 20\nmoves = 3\n")
    expected = EarlyEnd(resign=ResignRule(score=900), draw=DrawRule(after=20, moves=3))
    assert config.early_end == expected


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "Cup"', "", "name: is missing"),
        ('name = "Cup"', 'name = ""', "name: must be at least 1 characters long, not ''"),
        ('name = "Cup"', r'name = "a\nb"', "name: a name is one line"),
        ('name = "Cup"', 'name = "Lobby"', "Lobby is the name of games outside tournaments"),
        (
            'name = "Cup"',
            'name = "Cup"\nconcurency = 2',
            "there is no such key, did you mean concurrency",
        ),
        ('name = "Cup"', 'name = "Cup"\nconcurrency = 0', "concurrency: must be at least 1, not 0"),
        ('name = "Cup"', "name = Cup", "not TOML: "),
        (
            '"round-robin"',
            '"swis"',
            "format.system: must be 'round-robin' or .* or 'knockout', not 'swis'$",
        ),
        ('system = "round-robin"', "", "format.system: is missing: it must be round-robin or "),
        ("[players]", '[time.players]\nA = "x"\n[players]', "time.players: A: no time control 'x'"),
        ("[players]", '[time.players]\nD = "9"\n[players]', "time.players: there is no player D"),
        ("games = 4", "games = 3", "format.games: must be a multiple of 2, not 3"),
        ("games = 4", "games = 6", "format.games: 6 games .* it is a multiple of 4"),
        ("games = 4", "games = 4\nrounds = 3", "format.rounds: there is no such key"),
        ('"round-robin"', '"gauntlet"\nchallengers = 3', "format: all 3 players are challengers"),
        ('"connect4"', '"chess"', r"games\[0\]: unknown game 'chess'"),
        ('"8x8"', '"5x5"', r"games\[1\]: "),
        ('"random"\n[pl', '"file"\n[pl', r"games\[1\]: file: needs openings"),
        ('"random"\n[pl', '"best"\n[pl', r"games\[1\].openings: .*'balanced'"),
        ('"random"\nB', '"randm"\nB', "players: A: no player 'randm'"),
        ("nodes=100", "nodes=0", "players: B: .*nodes"),
        ("[players]", '[time]\ntc = "fast"\n[players]', "time.tc: no time control 'fast'"),
        ("[players]", "[sprt]\nelo0 = 5\nelo1 = 1\n[players]", "sprt: elo0 must be less"),
        ("[players]", "[sprt]\n[players]", "sprt: compares two players, not 3"),
    ],
)
def test_what_is_wrong_is_named_in_one_line(old: str, new: str, message: str) -> None:
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    with pytest.raises(ConfigError, match=message) as raised:
        parse_config(text)
    assert "\n" not in str(raised.value)


def test_one_player_is_none_too_many() -> None:
    with pytest.raises(ConfigError, match=r"players: at least 2"):
        parse_config(GOOD[: GOOD.index("B = ")])


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(GOOD.replace('openings = "random"', 'openings = "file"\nfile = "o.txt"'))
    assert read_config(path).games[1].file == tmp_path / "o.txt"


def test_a_bad_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text("name = 1")
    with pytest.raises(ConfigError, match=r"cup\.toml: name: "):
        read_config(path)
    path.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match=r"cup\.toml: "):
        read_config(path)
