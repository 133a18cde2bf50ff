"""Preview cards that chats show for a link to the page, by Open Graph <https://ogp.me/>."""

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from plywire.engine.game import RulesError
from plywire.engine.registry import load
from plywire.protocol.messages.watching import FeedEvent, GameState, Standings

_LEADERS = 3

#: The time of an invitation: minutes and increment in seconds, or seconds a move.
_CLOCK = re.compile(r"([0-9]{1,3})\+([0-9]{1,3})", re.ASCII)
_MOVETIME = re.compile(r"([0-9]{1,3})s", re.ASCII)


@dataclass(frozen=True, slots=True)
class Card:
    """The preview of a link."""

    title: str
    description: str
    image: str = ""

    def tags(self, origin: str) -> str:
        """Return the card as elements of a page's head; `origin` is the server's."""
        properties = {
            "og:site_name": "Plywire",
            "og:type": "website",
            "og:title": self.title,
            "og:description": self.description,
        }
        if self.image:
            properties["og:image"] = origin + self.image
        return "".join(
            f'<meta property="{name}" content="{html.escape(content)}">\n'
            for name, content in properties.items()
        )


def game_card(state: GameState) -> Card:
    """Return the card of a game with its latest result."""
    names, result = " – ".join(state.players), state.result
    title = f"{names}: {load(state.game, state.size).title}"
    if result is None:
        description = f"Live, after {len(state.moves)} moves."
    elif result.winner is None:
        description = f"No winner: {result.reason}, after {len(state.moves)} moves."
    else:
        winner = state.players[result.winner - 1]
        description = f"{winner} won: {result.reason}, after {len(state.moves)} moves."
    return Card(title, description, f"/game/{state.table}.png")


def game_picture(state: GameState) -> bytes:
    """Return a PNG of the latest position; raises RulesError if a move is illegal."""
    from plywire.clients.play.board_image import board_png  # loads NumPy, which is slow

    start = load(state.game, state.size).parse(state.fen)
    return board_png((start, *start.play_names(state.moves))[-1])


def place_card(target: str, events: Iterable[FeedEvent]) -> Card | None:
    """Return the card for a tournament's or invitation's address, None if there is none."""
    path, query = urlsplit(target).path, parse_qs(urlsplit(target).query)
    _, kind, name = (*path.split("/", 2), "", "")[:3]
    if kind == "invite":
        try:
            title = load(query.get("game", [""])[0]).title
        except RulesError:
            return None
        return Card(f"You are invited to a game of {title}", _terms(query.get("time", [""])[0]))
    for event in events:
        if isinstance(event, Standings) and event.page == 1 and event.name == unquote(name):
            leaders = ", ".join(f"{row.player} {row.points:g}" for row in event.rows[:_LEADERS])
            stand = event.outcome or f"{event.played} of {event.games} games played"
            return Card(event.name, f"{leaders}; {stand}." if leaders else f"{stand}.")
    return None


def _terms(time: str) -> str:
    """Describe the time of an invitation, such as `5+3` or `10s`, in a sentence."""
    if clock := _CLOCK.fullmatch(time):
        more = f" and {clock[2]} s more a move" if int(clock[2]) else ""
        return f"Each has {clock[1]} min{more}. The link opens the board."
    if move := _MOVETIME.fullmatch(time):
        return f"Each has {move[1]} s a move. The link opens the board."
    return "The link opens the board."
