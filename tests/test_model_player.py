"""The example of a language model as a player, against a scripted endpoint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from examples.model_player import ModelPlayer
from plywire.clients.connecting.players.specs import parse_player
from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.referee import Referee, TimeControl
from plywire.clients.play.players.base import GameLine
from plywire.clients.play.players.local import RandomPlayer
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits

LINE = GameLine.at(load("tictactoe").start())
LIMITS = Limits(movetime=60_000)


@contextmanager
def endpoint(
    monkeypatch: pytest.MonkeyPatch, answers: Iterator[str | int]
) -> Iterator[list[dict[str, Any]]]:
    """An endpoint that gives these answers, or refuses by these statuses; yields what it is asked.

    It asks for no patience.
    """
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/chat/completions"
            assert self.headers["Authorization"] == "Bearer secret"
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            answer = next(answers)
            content = {"choices": [{"message": {"content": answer}}]}
            body = json.dumps(content).encode() if isinstance(answer, str) else b""
            self.send_response(200 if isinstance(answer, str) else answer)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever).start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
        monkeypatch.setenv("OPENAI_MODEL", "scripted")
        monkeypatch.setenv("OPENAI_API_KEY", "secret")
        try:
            yield asked
        finally:
            server.shutdown()


def test_it_asks_again_and_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter([429, "Move: z9", "The centre is best.\n\n**Move: B2**", "a1"])
    with endpoint(monkeypatch, answers) as asked:
        player = ModelPlayer()
        assert player.choose(LINE, LIMITS) == "b2"
        assert (player.moves, player.retries, player.illegal) == (1, 2, 1)
        assert player.choose(LINE, LIMITS) == "a1"
    player.close()
    assert capsys.readouterr().err == "scripted: 2 moves, 2 retries, 1 illegal\n"
    assert {one["model"] for one in asked} == {"scripted"}
    (prompt,) = asked[1]["messages"]
    assert asked[0]["messages"] == [prompt]
    assert LINE.position.board() in prompt["content"]
    assert asked[2]["messages"][1] == {"role": "assistant", "content": "Move: z9"}
    assert "'z9' is no legal move. The legal moves are a1 b1" in asked[2]["messages"][2]["content"]


@pytest.mark.parametrize(
    ("answer", "requests", "termination"),
    [
        ("Move: z9", 3, Termination.ILLEGAL_MOVE),
        (401, 1, Termination.CRASH),
        (500, 3, Termination.CRASH),
    ],
)
async def test_what_it_cannot_play_loses(
    monkeypatch: pytest.MonkeyPatch, answer: str | int, requests: int, termination: Termination
) -> None:
    with endpoint(monkeypatch, iter([answer] * 10)) as asked:
        player = parse_player("python:examples.model_player:ModelPlayer")()
        players = (player, RandomPlayer())
        record = await Referee(LINE.start.game, TimeControl(LIMITS)).play(players, LINE)
        await player.close()
    assert (record.winner, record.termination, len(asked)) == (2, termination, requests)
