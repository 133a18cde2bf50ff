"""Notices that others cause are sent a few at a time, and the oldest of the rest are dropped."""

from plywire.protocol.messages.arena import Missed, Said
from plywire.server.sessions.foreign_notices import ForeignNotices


def said(number: int) -> Said:
    return Said(table="1.0", name="bob", text=str(number))


async def test_a_silent_peer_gets_so_many_and_later_the_latest() -> None:
    asked: list[str] = []
    notices = ForeignNotices(lambda: asked.append("probe"))
    got = []
    for number in range(100):
        notices.add(said(number))
        got += notices.take()
    assert got == [said(number) for number in range(32)]
    assert asked == ["probe"]
    notices.open()
    assert list(notices.take()) == [
        Missed(count=36),
        *(said(number) for number in range(68, 100)),
    ]
    notices.open()
    assert list(notices.take()) == []


async def test_a_peer_that_answers_misses_nothing() -> None:
    notices = ForeignNotices(lambda: None)
    for number in range(1000):
        notices.add(said(number))
        assert list(notices.take()) == [said(number)]
        notices.open()
