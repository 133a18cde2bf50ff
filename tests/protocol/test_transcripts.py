"""The examples of the protocol's pages, as far as they can be tried without playing the games."""

import re
from itertools import pairwise

import pytest

from plywire.protocol.connection import EngineConnection, Fault, Ignored, State
from plywire.protocol.dialects import ANSWERING, DRIVING
from plywire.protocol.errors import PeerError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, ErrorCode, Event
from plywire.protocol.messages.registry import COMMANDS, EVENTS
from plywire.protocol.messages.review import Judged, Review, Reviewed
from tests.support.transcripts import PROTOCOL, Transcript, matches, transcripts

#: Errors that the protocol finds by itself, without knowing the game.
_OWN = (ErrorCode.SYNTAX, ErrorCode.UNKNOWN_COMMAND, ErrorCode.BUSY)


def title(transcript: Transcript) -> str:
    return transcript.title


@pytest.mark.parametrize("transcript", transcripts(), ids=title)
def test_what_the_peer_says_is_understood(transcript: Transcript) -> None:
    connection = EngineConnection()
    go: Command | None = None
    steps = [*transcript.steps, "<"]
    for step, following in pairwise(steps):
        if step.startswith("< ") and ("bestmove" in step or "reviewed" in step):
            assert go is not None, step
            connection.send(_closing(go), go)
            connection.lines_to_send()
            go = None
        if not step.startswith("> "):
            continue
        connection.receive_text(step[2:])
        while (item := connection.next_command()) is not None:
            if isinstance(item, Fault):
                connection.send(item.error, item)
                assert matches(following[2:], connection.lines_to_send()[0]), step
            elif isinstance(item, Ignored):
                continue
            elif isinstance(item, play.Go | Review) and connection.dialect not in ("gtp", "nboard"):
                go = item
            else:
                assert not any(f"error {code}" in following for code in _OWN), step
                if not isinstance(item, play.Quit):
                    connection.send(_closing(item), item)
                connection.lines_to_send()
    assert connection.dialect == transcript.dialect
    assert connection.state in (State.OPEN, State.CLOSING)


def _closing(command: Command) -> Event:
    if isinstance(command, play.Go):
        return play.BestMove(move="a1", square="a1")
    if isinstance(command, Review):
        return Reviewed(players=(Judged(), Judged()))
    if isinstance(command, play.Prepare):
        return play.Ready(game=command.game or "connect4", size=command.size or "7x6")
    kind = command.answers[-1]
    return kind()


@pytest.mark.parametrize(
    "transcript", [t for t in transcripts() if t.dialect == "plywire"], ids=title
)
def test_what_the_server_says_is_understood(transcript: Transcript) -> None:
    dialect = DRIVING[transcript.dialect]()
    understood = 0
    for step in transcript.steps:
        if step.startswith("< ") and ("…" not in step or step.startswith("< error")):
            try:
                understood += len(dialect.decode_event(step[2:]))
            except PeerError as error:
                pytest.fail(f"{step}: {error}")
    assert understood > 3


def test_every_dialect_error_and_command_is_described() -> None:
    assert {t.dialect for t in transcripts()} == set(ANSWERING)
    for name in (*COMMANDS, *ErrorCode):
        row = rf"^\| `{re.escape(name)}` \| .*[A-Za-z]{{3}}"
        assert re.search(row, PROTOCOL, re.MULTILINE), f"no table has a row of {name}"
    for name in EVENTS:
        row = rf"^\|.*`{re.escape(name)}`"
        assert re.search(row, PROTOCOL, re.MULTILINE), f"no table has {name}"
