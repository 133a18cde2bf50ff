"""Who gets one of the last sessions."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from plywire.server.errors import RefusedError
from plywire.server.sessions.quota import SessionQuota, network_of


@dataclass(eq=False)
class Member:
    network: str | None = None
    is_bot: bool = False
    is_silent: bool = False
    ended: str = ""

    def end(self, reason: str) -> None:
        self.ended = reason


def _quota(members: list[Member], **limits: int) -> SessionQuota:
    quota = SessionQuota(**({"most": 10, "reserved": 3, "each": 0} | limits))
    for member in members:
        quota.enter(member)
    return quota


def test_the_last_sessions_are_for_bots() -> None:
    members = [Member() for _ in range(6)]
    quota = _quota(members)
    assert quota.admit(None)
    quota.enter(Member())
    assert not quota.admit(None)
    members[0].is_bot = True
    assert quota.admit(None)
    for _ in range(3):
        quota.enter(Member())
    with pytest.raises(RefusedError, match="all 10 sessions are taken"):
        quota.admit(None)


def test_who_says_nothing_gives_way() -> None:
    members = [Member(is_silent=number in (2, 4)) for number in range(10)]
    quota = _quota(members, reserved=0)
    for silent in (members[2], members[4]):
        assert quota.admit(None)
        assert silent.ended == "nothing said, and others need the session"
        quota.enter(Member())
        quota.leave(silent)  # when its connection is closed
    with pytest.raises(RefusedError, match="all 10 sessions are taken"):
        quota.admit(None)
    assert not any(member.ended for member in members if not member.is_silent)


def test_who_says_nothing_keeps_nobody_in_the_sessions_for_bots() -> None:
    members = [Member(is_silent=True) for _ in range(7)]
    quota = _quota(members)
    assert quota.admit(None)
    assert [bool(member.ended) for member in members] == [True] + [False] * 6


def test_no_more_than_half_is_reserved() -> None:
    members = [Member() for _ in range(4)]
    quota = _quota(members, reserved=100)
    assert quota.admit(None)
    quota.enter(Member())
    assert not quota.admit(None)


def test_an_address_has_so_many_and_others_as_many() -> None:
    members = [Member("192.0.2.1"), Member("192.0.2.1")]
    quota = _quota(members, each=2)
    with pytest.raises(RefusedError, match="all 2 sessions of your address are taken"):
        quota.admit("192.0.2.1")
    assert quota.admit("192.0.2.2")
    quota.leave(members[0])
    assert quota.admit("192.0.2.1")
    quota.enter(members[0])
    assert quota.admit(None)
    assert _quota(members, each=0).admit("192.0.2.1")


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1%eth0", "2001:db8:1:2::/64"),
        ("127.0.0.1", None),
        ("127.9.9.9", None),
        ("::1", None),
        ("::ffff:127.0.0.1", None),
        ("?", "?"),
        (None, None),
    ],
)
def test_networks(host: str | None, network: str | None) -> None:
    assert network_of(host) == network
