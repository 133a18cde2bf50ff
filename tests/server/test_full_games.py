"""Whole games, over every transport, in every dialect, of every game that a dialect can name."""

from __future__ import annotations

import json
import random

import pytest

from plywire.engine import registry
from plywire.engine.game import PASS, Game, Position, Result
from plywire.protocol.ggf import GgfGame, GgfTime, write_ggf
from tests.support.peers import TRANSPORTS, Peer, connected, hear_until

pytestmark = pytest.mark.usefixtures("searched_games")


class NativePlayer:
    """Says each move as it is played."""

    games = ("connect4", "othello", "tictactoe")

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    async def begin(self, rules: Game) -> None:
        await self._peer.say(f"new-game {rules.name} size={rules.size}")
        assert await self._peer.hear() == "ok"

    async def best(self, positions: list[Position], moves: list[int]) -> str:
        await self._peer.say("go depth 2")
        return (await hear_until(self._peer, "bestmove "))[-1].split()[1]

    async def played(self, rules: Game, move: int) -> None:
        await self._peer.say(f"move {rules.move_name(move)}")
        assert await self._peer.hear() == "ok"

    def named(self, rules: Game, move: int) -> str:
        return rules.move_name(move)

    async def check(self, last: Position, result: Result) -> None:
        await self._peer.say("result")
        answer = (await hear_until(self._peer, "ok"))[0]
        winner = f"winner {'none' if result.winner is None else result.winner + 1}"
        over = f"result over turn {last.turn + 1} {winner} score {result.score}"
        assert answer == f"{over} reason {result.reason}"


class JsonPlayer(NativePlayer):
    """Numbers its messages."""

    _number = 0

    async def _ask(self, **message: object) -> list[dict[str, object]]:
        self._number += 1
        await self._peer.say(json.dumps(message | {"id": self._number}))
        answers: list[dict[str, object]] = []
        closing = ("ok", "error", "bestmove")
        while not answers or answers[-1]["type"] not in closing:
            line = await self._peer.hear()
            assert line is not None
            answers.append(json.loads(line))
        assert {answer["id"] for answer in answers} == {self._number}
        assert answers[-1]["type"] != "error"
        return answers

    async def begin(self, rules: Game) -> None:
        await self._ask(type="new-game", game=rules.name)

    async def best(self, positions: list[Position], moves: list[int]) -> str:
        return str((await self._ask(type="go", limits={"nodes": 50}))[-1]["move"])

    async def played(self, rules: Game, move: int) -> None:
        await self._ask(type="move", moves=[rules.move_name(move)])

    async def check(self, last: Position, result: Result) -> None:
        answer = (await self._ask(type="result"))[0]
        assert answer["over"] is True
        assert answer.get("winner") == (None if result.winner is None else result.winner + 1)
        assert answer.get("score", 0) == result.score


class UgiPlayer(NativePlayer):
    """Sends all moves before every search."""

    _greeting, _new_game, _option = "ugi", "uginewgame", "Game"

    async def begin(self, rules: Game) -> None:
        await self._peer.say(self._greeting)
        await hear_until(self._peer, f"{self._greeting}ok")
        await self._peer.say(f"setoption name {self._option} value {self.variant(rules)}")
        await self._peer.say(self._new_game)
        await self._peer.say("isready")
        assert await hear_until(self._peer, "readyok") == ["readyok"]

    async def best(self, positions: list[Position], moves: list[int]) -> str:
        rules = positions[0].game
        names = " ".join(self.named(rules, move) for move in moves)
        await self._peer.say(f"position startpos{' moves ' if moves else ''}{names}")
        await self._peer.say("go depth 2")
        words = (await hear_until(self._peer, "bestmove "))[-1].split()
        assert len(words) == 2
        return words[1]

    async def played(self, rules: Game, move: int) -> None:
        """The next position tells."""

    def variant(self, rules: Game) -> str:
        return rules.name

    def named(self, rules: Game, move: int) -> str:
        return "0000" if move == PASS else rules.move_name(move)

    async def check(self, last: Position, result: Result) -> None:
        for query, answer in (
            ("gameover", "true"),
            ("result", {0: "p1win", 1: "p2win", None: "draw"}[result.winner]),
            ("p1turn", "true" if last.turn == 0 else "false"),
            ("fen", last.fen()),
        ):
            await self._peer.say(f"query {query}")
            assert await self._peer.hear() == f"response {answer}"


class UciPlayer(UgiPlayer):
    """Names moves by their squares."""

    _greeting, _new_game, _option = "uci", "ucinewgame", "UCI_Variant"

    def variant(self, rules: Game) -> str:
        return {"connect4": "cfour"}.get(rules.name, rules.name)

    def named(self, rules: Game, move: int) -> str:
        return "0000" if move == PASS else f"P@{rules.square_name(move)}"

    async def check(self, last: Position, result: Result) -> None:
        await self._peer.say("go movetime 1000")
        assert (await hear_until(self._peer, "bestmove "))[-1] in (
            "bestmove 0000",
            "bestmove (none)",
        )


class GtpPlayer(NativePlayer):
    """Names squares, and colours in turn."""

    async def _ask(self, line: str) -> list[str]:
        """The lines of the response, without the blank one that ends it."""
        await self._peer.say(line)
        response = [await self._hear()]
        while response[-1]:
            response.append(await self._hear())
        assert response[0].startswith("="), response
        return [response[0][1:].strip(), *response[1:-1]]

    async def _hear(self) -> str:
        line = await self._peer.hear()
        assert line is not None
        return line

    async def begin(self, rules: Game) -> None:
        self._ply = 0
        self._has_played = False
        await self._ask(f"set_game {rules.name.capitalize()}")
        await self._ask(f"boardsize {rules.width} {rules.height}")
        await self._ask("clear_board")
        await self._ask("time_settings 0 0 0")

    async def best(self, positions: list[Position], moves: list[int]) -> str:
        """It plays the move that it names."""
        self._has_played = True
        return (await self._ask(f"genmove {'bw'[positions[-1].turn]}"))[0]

    async def played(self, rules: Game, move: int) -> None:
        if not self._has_played:
            await self._ask(f"play {'bw'[self._ply % 2]} {self.named(rules, move)}")
        self._has_played = False
        self._ply += 1

    def named(self, rules: Game, move: int) -> str:
        return "pass" if move == PASS else rules.square_name(move).upper()

    async def check(self, last: Position, result: Result) -> None:
        score = {0: "B+", 1: "W+"}
        expected = "0" if result.winner is None else f"{score[result.winner]}{abs(result.score)}"
        assert await self._ask("final_score") == [expected]
        rows = await self._ask("gogui-rules_board")
        assert rows[1:] == [" ".join(row).upper() for row in last.cells()]


class NboardPlayer(NativePlayer):
    """Tells of each move with its time, and pings before."""

    games = ("othello",)

    async def begin(self, rules: Game) -> None:
        await self._peer.say("nboard 2")
        await hear_until(self._peer, "set myname plywire")
        await self._peer.say("set depth 2")
        await self._set_game(GgfGame(times=(GgfTime(600_000), GgfTime(600_000))))

    async def _set_game(self, game: GgfGame) -> None:
        await self._peer.say(f"set game {write_ggf(game)}")
        await self._peer.say("ping 1")
        assert await hear_until(self._peer, "pong ") == ["pong 1"]

    async def best(self, positions: list[Position], moves: list[int]) -> str:
        await self._peer.say("go")
        line = (await hear_until(self._peer, "=== "))[-1]
        return line.removeprefix("=== ").partition("/")[0]

    async def played(self, rules: Game, move: int) -> None:
        await self._peer.say(f"move {self.named(rules, move)}/0.00/0.02")
        await self._peer.say("ping 7")
        assert await hear_until(self._peer, "pong ") == ["pong 7"]

    def named(self, rules: Game, move: int) -> str:
        return "PA" if move == PASS else rules.square_name(move).upper()

    async def check(self, last: Position, result: Result) -> None:
        """The value after the last move is the result, for the player to move."""
        await self._peer.say("analyze")
        first = await self._peer.hear()
        assert first is not None
        score = result.score if last.turn == 0 else -result.score
        assert first.split()[0] == "analysis"
        assert float(first.split()[2]) == score
        await hear_until(self._peer, "analysis 0 ")


async def play(player: NativePlayer, rules: Game, chance: random.Random) -> None:
    """One game: the engine's moves and random ones in turn, checked by the rules."""
    await player.begin(rules)
    positions, moves = [rules.start()], list[int]()
    while not positions[-1].is_over:
        named = {player.named(rules, move): move for move in positions[-1].moves()}
        if len(moves) % 2:
            move = chance.choice(list(named.values()))
        else:
            move = named[await player.best(positions, moves)]
        await player.played(rules, move)
        moves.append(move)
        positions.append(positions[-1].play(move))
    if isinstance(player, UgiPlayer):
        names = " ".join(player.named(rules, move) for move in moves)
        await player._peer.say(f"position startpos moves {names}")
    result = positions[-1].result()
    assert result is not None
    await player.check(positions[-1], result)


KINDS: tuple[type[NativePlayer], ...] = (
    NativePlayer,
    JsonPlayer,
    UgiPlayer,
    UciPlayer,
    GtpPlayer,
    NboardPlayer,
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_plays_full_games(transport: str, kind: type[NativePlayer]) -> None:
    """The games go round, so that each meets every transport and every dialect that knows it."""
    turn = TRANSPORTS.index(transport) + KINDS.index(kind)
    name = kind.games[turn % len(kind.games)]
    async with connected(transport) as peer:
        await play(kind(peer), registry.load(name), random.Random(f"{transport} {name}"))


async def test_one_peer_plays_one_game_after_another() -> None:
    for kind in KINDS:
        async with connected("memory") as peer:
            player = kind(peer)
            for name in player.games:
                await play(player, registry.load(name), random.Random(name))


async def test_every_dialect_plays_over_one_port() -> None:
    from plywire.server.serve import Server
    from tests.support.peers import TcpPeer, settings

    async with Server(settings()) as server:
        peers = [await TcpPeer.connect(server) for _ in KINDS]
        for peer, kind in zip(peers, KINDS, strict=True):
            player = kind(peer)
            await play(player, registry.load(player.games[-1]), random.Random(1))
        assert server.sessions == len(KINDS)
        for peer in peers:
            await peer.leave()
