"""What links to the page show where they are pasted: words, and a picture of the board."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.watching import GameResult, GameState, StandingRow, Standings
from plywire.server.serve import Server
from tests.server.transports.test_http import Answer, get
from tests.support.peers import settings
from tests.support.png import pixels


def card(answer: Answer) -> dict[str, str]:
    """What a page says of itself."""
    found = re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', answer.body.decode())
    return {name: unescape(content) for name, content in found}


async def test_what_links_show(tmp_path: Path) -> None:
    state = GameState(
        table="2.7",
        game="connect4",
        size="7x6",
        players=('<b>"ann"', "bob"),
        limits=Limits(movetime=1000),
        fen="7/7/7/7/7/7 x",
        moves=("4", "4", "1"),
        turn=2,
        updated=datetime.now(UTC),
    )
    row = StandingRow(rank=1, player="ann", points=2.5, wins=2, draws=1, losses=0, elo=0, error=1)
    cup = Standings(
        tournament="1",
        name="Spring cup",
        rows=(row,),
        played=4,
        games=6,
        updated=datetime.now(UTC),
    )
    origin = "https://games.example"
    async with Server(settings(arena=tmp_path / "arena", origins=(origin,))) as server:
        server.feed.publish(state)
        server.feed.publish(cup)
        live = await get(server, "/game/2.7", Host="games.example")
        assert card(live) == {
            "site_name": "Plywire",
            "type": "website",
            "title": '<b>"ann" – bob: Connect Four',
            "description": "Live, after 3 moves.",
            "image": f"{origin}/game/2.7.png",
        }
        won = GameResult(winner=2, score=-1, termination="time", reason="ann: time is over")
        server.feed.publish(state.model_copy(update={"result": won}))
        over = card(await get(server, "/game/2.7"))
        assert over["description"] == "bob won: ann: time is over, after 3 moves."
        assert over["image"].startswith("http://127.0.0.1:")
        tournament = card(await get(server, "/tournament/Spring%20cup"))
        assert tournament["title"] == "Spring cup"
        assert tournament["description"] == "ann 2.5; 4 of 6 games played."
        invitation = card(await get(server, "/invite/k?game=othello&size=8x8&time=5%2B3"))
        assert invitation["title"] == "You are invited to a game of Othello"
        clock = "Each has 5 min and 3 s more a move. The link opens the board."
        assert invitation["description"] == clock
        invitation = card(await get(server, "/invite/k?game=tictactoe&time=10s"))
        assert invitation["description"] == "Each has 10 s a move. The link opens the board."
        for place in ("/", "/game/9.9", "/tournament/none", "/invite/k?game=chess", "/invite/k"):
            answer = await get(server, place)
            assert (answer.status, card(answer)) == (200, {})
        assert (await get(server, "/game/9.9.png")).status == 404
        answer = await get(server, "/game/2.7.png")
    assert answer.headers["Content-Type"] == "image/png"
    board = pixels(answer.body)
    side = len(board) // 6
    assert (len(board[0]), side) == (7 * side, 85)
    bottom = board[5 * side + side // 2, side // 2 :: side].tolist()
    yellow, empty = [240, 189, 63], [230, 236, 241]
    assert bottom == [yellow, empty, empty, yellow, empty, empty, empty]
    assert board[4 * side + side // 2, 3 * side + side // 2].tolist() == [210, 72, 63]
