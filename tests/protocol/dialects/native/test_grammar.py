"""Lines are read and written by what messages say of themselves."""

from typing import Annotated

import pytest

from plywire.protocol.dialects.native.grammar import Grammar
from plywire.protocol.errors import PeerError, UnspeakableError
from plywire.protocol.messages import arena, play, tournaments
from plywire.protocol.messages.base import Message
from plywire.protocol.messages.fields import Name, Natural, Sentence, Text, Word
from plywire.protocol.messages.in_line import InLine, by_key, by_keyword
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.registry import COMMANDS, EVENTS


class _Sample(Message):
    """Messages are not known to dialects, unlike commands and events."""

    type: str = "sample"


class Places(_Sample):
    name: Name
    count: Natural = 7
    key: Annotated[Word | None, by_key("WORD")] = None
    marks: Annotated[tuple[Natural, ...], by_key()] = ()
    text: Annotated[Text | None, by_keyword(nothing="none")] = None
    words: Annotated[tuple[Word, ...], by_keyword()] = ()


class Searches(_Sample):
    game: Name
    limits: Limits
    plies: Annotated[Natural, by_keyword("COUNT")] = 1
    note: Annotated[Sentence, by_keyword()] = ""


class Doors(_Sample):
    lines = (("open", "since"), ("closed", "reason"))

    open: bool
    since: Annotated[Natural, by_keyword("COUNT", is_optional=False)] = 0
    reason: Sentence = ""


class Nested(_Sample):
    name: Name
    count: Annotated[Natural, InLine(begins_end=True)] = 7
    reason: Sentence = ""


class Pair(_Sample):
    name: Text
    value: Text


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (Places(name="a"), "sample a 7 text none"),
        (Places(name="a", count=0, text="b c"), "sample a 0 text b c"),
        (
            Places(name="a", key="x=y", marks=(1, 2), text="b", words=("c", "words")),
            "sample a 7 key=x=y marks=1,2 text b words c words",
        ),
        (Searches(game="g", limits=Limits()), "sample g note"),
        (
            Searches(game="g", limits=Limits(depth=3, infinite=True), plies=2, note="depth 9"),
            "sample g depth 3 infinite plies 2 note depth 9",
        ),
        (
            Searches(game="depth", limits=Limits(clock=Clock(p1=1, p2=2, byoyomi=3))),
            "sample depth clock 1 2 0 0 byoyomi 3 0 0 note",
        ),
        (Doors(open=True, since=3), "sample open since 3"),
        (Doors(open=False, reason="it is late"), "sample closed it is late"),
        (Doors(open=False), "sample closed"),
        (Nested(name="a"), "sample a"),
        (Nested(name="a", count=8), "sample a 8"),
        (Nested(name="a", reason="b c"), "sample a 7 b c"),
        (Pair(name="a", value="b c"), "sample a b c"),
    ],
)
def test_what_is_written_is_read(message: Message, line: str) -> None:
    grammar = Grammar(type(message))
    assert grammar.write(message) == line
    assert grammar.read(line.split(" ")[1:]) == message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a text b", Places(name="a", text="b")),
        ("a marks=1,2 8 key=k text b", Places(name="a", count=8, key="k", marks=(1, 2), text="b")),
        ("a words c text none", PeerError),
        ("a text", PeerError),
        ("a words", PeerError),
        ("a b text c", PeerError),
        ("a 1 2 text c", PeerError),
        ("a key=k key=l text c", PeerError),
        (
            "a 1 text b words c words d",
            Places(name="a", count=1, text="b", words=("c", "words", "d")),
        ),
    ],
)
def test_what_may_be_left_out_and_what_must_stand(
    line: str, message: Places | type[PeerError]
) -> None:
    grammar = Grammar(Places)
    if isinstance(message, Places):
        assert grammar.read(line.split(" ")) == message
    else:
        with pytest.raises(message):
            grammar.read(line.split(" "))


def test_keywords_come_in_any_order() -> None:
    wanted = Searches(game="g", limits=Limits(depth=3, nodes=4), plies=2)
    assert Grammar(Searches).read(["g", "nodes", "4", "plies", "2", "depth", "3", "note"]) == wanted


@pytest.mark.parametrize(
    ("kind", "line", "told"),
    [
        (Places, "", "expected sample NAME [COUNT]"),
        (Places, "a b text c", "count must be a whole number, not 'b'"),
        (
            Searches,
            "g fast note",
            "sample takes movetime, depth, nodes, clock, byoyomi, ",
        ),
        (Searches, "g depth 1 depth 2 note", "depth is given twice"),
        (Searches, "g plies 1 plies 2 note", "plies is given twice"),
        (Searches, "g clock 1 2", "clock must be followed by 4 whole number(s)"),
        (Searches, "g byoyomi 1 2 3 note", "sample: byoyomi goes with clock"),
        (Searches, "g depth 1 plies", "expected sample GAME LIMITS [plies COUNT] note NOTE"),
        (Doors, "", "expected sample open since COUNT, or sample closed [REASON]"),
        (Doors, "ajar", "expected sample open since COUNT, or sample closed [REASON]"),
        (Doors, "open since x", "since must be a whole number, not 'x'"),
        (_Sample, "more", "sample takes nothing after it, not 'more'"),
    ],
)
def test_errors_say_what_is_accepted(kind: type[Message], line: str, told: str) -> None:
    with pytest.raises(PeerError) as caught:
        Grammar(kind).read(line.split())
    assert told in caught.value.message


@pytest.mark.parametrize(
    "message",
    [
        Places(name="a", text="none"),
        Places(name="a", text="some words more"),
        Pair(name="a b", value="c"),
    ],
)
def test_what_would_be_read_otherwise_is_not_written(message: Message) -> None:
    with pytest.raises(UnspeakableError):
        Grammar(type(message)).write(message)


@pytest.mark.parametrize(
    ("kind", "syntax"),
    [
        (Places, "sample NAME [COUNT] [key=WORD] [marks=MARK,...] text TEXT|none [words WORD...]"),
        (Nested, "sample NAME [COUNT [REASON]]"),
        (play.SetPosition, "position startpos|FEN [moves MOVE...]"),
        (
            play.HelloAnswer,
            "hello SERVER VERSION [games=GAME,...] [ready=GAME,...]"
            " [options=NAME:DEFAULT:MIN:MAX,...] [software=SOFTWARE]",
        ),
        (
            tournaments.Tournament,
            "tournament STATE games=GAME,... players=COUNT seats=COUNT played=COUNT"
            " scheduled=COUNT [starts=TIME] LIMITS name NAME",
        ),
        (arena.Say, "say TABLE [TEXT]"),
        (arena.Seek, "seek GAME [size=WIDTHxHEIGHT] [rated=TRUE] [key=KEY] LIMITS"),
    ],
)
def test_the_syntax_follows_from_the_fields(kind: type[Message], syntax: str) -> None:
    with pytest.raises(PeerError) as caught:
        Grammar(kind).read([])
    assert caught.value.message == f"expected {syntax}"


@pytest.mark.parametrize(
    "kind", [*COMMANDS.values(), *EVENTS.values()], ids=lambda kind: kind.__name__
)
def test_every_line_has_fields_that_exist(kind: type[Message]) -> None:
    Grammar(kind)


def test_a_line_with_a_field_that_does_not_exist_is_a_mistake_of_ours() -> None:
    class Wrong(_Sample):
        lines = (("nowhere",),)

    with pytest.raises(KeyError, match="nowhere"):
        Grammar(Wrong)
