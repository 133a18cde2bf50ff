"""A tournament of a real process, killed with SIGKILL."""

import random
import sys
from pathlib import Path

from plywire.server.cli.tournament.held import read
from tests.server.arena.runners.killing import Killer, Snapshot, check_tournament

EXAMPLES = Path(__file__).parents[4] / "examples"

CUP = f"""
name = "Cup"
accuracy = false
concurrency = 2
[format]
system = "round-robin"
games = 4
[time]
nodes = 100
[[games]]
game = "connect4"
openings = "random"
[[games]]
game = "othello"
openings = "random"
[players]
Engine = "engine:nodes=100"
Greedy = "greedy"
Outside = "ugi:{sys.executable} {EXAMPLES / "ugi_engine.py"}"
Chance = "random"
"""


async def test_no_game_is_lost_doubled_or_altered(tmp_path: Path) -> None:
    killer = Killer(tmp_path, CUP, seed=1)
    source = random.Random(1)
    for _ in range(2):
        assert killer.kill_after(source.randrange(3, 14))
    records = check_tournament(killer.finish())
    assert len(records) == 24
    assert killer.resumed > 0
    held = await read(killer.journal)
    assert [game async for games in held.games(500) for game, _ in games] == records
    assert held.tournament.outcome == "all games are played"


async def test_killed_before_the_first_game(tmp_path: Path) -> None:
    killer = Killer(tmp_path, CUP.replace("games = 4", "games = 8"), seed=1)
    assert killer.kill_after(0)
    before = Snapshot.of(killer.journal)
    assert killer.kill_after(1)
    before.lives_on_in(Snapshot.of(killer.journal))
