import asyncio
import random
from collections import Counter

import pytest

from plywire.clients.connecting.players.specs import parse_player
from plywire.clients.play.matches.openings import parse_opening, random_opening
from plywire.clients.play.players.base import GameLine, Player
from plywire.clients.play.players.local import EnginePlayer, GreedyPlayer, RandomPlayer
from plywire.engine.registry import load, names
from plywire.protocol.messages.limits import Clock, Limits

UNLIMITED = Limits()


async def choice(player: Player, name: str, moves: str, limits: Limits = UNLIMITED) -> str:
    game = load(name)
    await player.start(game)
    move = await player.choose(parse_opening(game.start(), moves), limits)
    return game.move_name(move)


async def test_chance_is_fair_and_repeatable() -> None:
    player, same = RandomPlayer(5), RandomPlayer(5)
    drawn = [await choice(player, "connect4", "") for _ in range(700)]
    assert drawn == [await choice(same, "connect4", "") for _ in range(700)]
    assert set(Counter(drawn)) == set("1234567")
    assert min(Counter(drawn).values()) > 60


@pytest.mark.parametrize(
    ("name", "moves", "expected"),
    [
        # Takes a win, also where it could block one; blocks; else goes for the centre.
        ("connect4", "121212", "1"),
        ("connect4", "12121", "1"),
        ("connect4", "", "4"),
        ("tictactoe", "a1 a3 b1 b3", "c1"),
        ("tictactoe", "a1 b2 b1", "c1"),
        ("tictactoe", "", "b2"),
    ],
)
async def test_greed(name: str, moves: str, expected: str) -> None:
    assert await choice(GreedyPlayer(), name, moves) == expected


async def test_greed_turns_as_many_discs_as_it_can() -> None:
    line = random_opening(load("othello"), 20, random.Random(1))
    side = "xo"[line.position.turn]
    counts = [
        "".join(line.position.play(move).cells()).count(side) for move in line.position.moves()
    ]
    assert len(set(counts)) > 1
    chosen = await GreedyPlayer().choose(line, UNLIMITED)
    assert "".join(line.position.play(chosen).cells()).count(side) == max(counts)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(
    "limits",
    [Limits(depth=2), Limits(nodes=50), Limits(movetime=5), Limits(clock=Clock(p1=90, p2=90))],
)
async def test_the_engine_keeps_any_limit(name: str, limits: Limits) -> None:
    player = EnginePlayer(hash_mb=1)
    game = load(name)
    await player.start(game)
    line = GameLine.at(game.start())
    assert await player.choose(line, limits) in line.position.moves()
    await player.close()


@pytest.mark.parametrize("level", [None, 3])
@pytest.mark.parametrize("name", names())
async def test_the_engine_says_what_it_found(name: str, level: int | None) -> None:
    player = EnginePlayer(Limits(depth=3), hash_mb=1, book=False, level=level)
    await choice(player, name, "", Limits(depth=3))
    assert player.searched is not None
    assert player.searched.score is not None
    assert player.searched.depth
    assert player.searched.nodes
    await player.close()


async def test_games_of_the_engine_vary_and_the_seed_decides() -> None:
    async def opening(spec: str) -> tuple[str, ...]:
        player = parse_player(spec)()
        game = load("othello")
        await player.start(game)
        line = GameLine.at(game.start())
        for _ in range(6):
            line = line.play(await player.choose(line, Limits(movetime=1000)))
        await player.close()
        return line.names

    openings = {seed: await opening(f"engine:seed={seed},hash=1") for seed in range(8)}
    assert len(set(openings.values())) > 4
    assert await opening("engine:seed=3,hash=1") == openings[3]


async def test_a_cancelled_search_ends() -> None:
    player = EnginePlayer(hash_mb=1)
    game = load("othello")
    await player.start(game)
    line = GameLine.at(game.start())
    thinking = asyncio.create_task(player.choose(line, Limits(infinite=True)))
    await asyncio.sleep(0)
    thinking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thinking
    # The engine would refuse if its search still ran.
    assert await player.choose(line, Limits(depth=1)) in line.position.moves()


@pytest.mark.parametrize("level", [2, 10])
async def test_a_seed_repeats_the_game(level: int) -> None:
    game = load("connect4", "4x4")
    games = []
    for _ in range(2):
        player = EnginePlayer(level=level, seed=5)
        await player.start(game)
        line = GameLine.at(game.start())
        while not line.position.is_over:
            line = line.play(await player.choose(line, Limits()))
        await player.close()
        games.append(line.moves)
    assert games[0] == games[1]


async def test_a_player_of_another_game_plays_at_its_level() -> None:
    game = load("tictactoe")
    player = EnginePlayer(level=1, seed=1)
    await player.start(game)
    move = await player.choose(GameLine.at(game.start()), Limits())
    assert move in game.start().moves()
    await player.close()
