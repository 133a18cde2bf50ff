"""Any events of the feed."""

from datetime import UTC
from typing import Any

from hypothesis import strategies as st

from plywire.protocol.messages import watching
from plywire.protocol.messages.limits import Clock
from tests.protocol.strategies.fields import (
    counts,
    fens,
    limits,
    messages,
    milliseconds,
    moves,
    names,
    players,
    sizes,
    words,
)

times = st.datetimes(timezones=st.just(UTC))
points = st.integers(0, 99).map(lambda halves: halves / 2)
ratings = st.floats(-4000, 4000)

results = st.builds(
    watching.GameResult,
    winner=st.none() | players,
    score=st.integers(-64, 64),
    termination=names,
    reason=messages,
)
rows = st.builds(
    watching.StandingRow,
    rank=st.integers(1, 99),
    player=messages,
    points=points,
    wins=counts,
    draws=counts,
    losses=counts,
    elo=ratings,
    error=ratings,
)
pairings = st.builds(
    watching.Pairing,
    players=st.tuples(messages, messages) | st.tuples(messages),
    points=st.lists(points, max_size=2).map(tuple),
    table=st.none() | words,
    games=counts,
    played=counts,
)

EVENTS: dict[type[Any], st.SearchStrategy[Any]] = {
    watching.GameState: st.builds(
        watching.GameState,
        table=words,
        tournament=st.none() | words,
        round=st.none() | st.integers(1, 99),
        game=names,
        size=sizes,
        players=st.tuples(messages, messages),
        limits=limits,
        fen=fens,
        moves=moves,
        opening=counts,
        times=st.lists(counts, max_size=9).map(tuple),
        turn=players,
        clock=st.none() | st.builds(Clock, p1=milliseconds, p2=milliseconds),
        started=st.none() | times,
        updated=times,
        result=st.none() | results,
    ),
    watching.Standings: st.builds(
        watching.Standings,
        tournament=words,
        name=messages,
        page=st.integers(1, 9),
        rows=st.lists(rows, max_size=3).map(tuple),
        crosstable=st.lists(st.lists(st.none() | points, max_size=3).map(tuple), max_size=3).map(
            tuple
        ),
        played=counts,
        games=counts,
        outcome=st.none() | messages,
        updated=times,
    ),
    watching.Pairings: st.builds(
        watching.Pairings,
        tournament=words,
        page=st.integers(1, 9),
        round=st.integers(1, 99),
        rounds=st.integers(1, 99),
        pairings=st.lists(pairings, max_size=3).map(tuple),
        over=st.booleans(),
        updated=times,
    ),
    watching.Status: st.builds(
        watching.Status,
        online=st.booleans(),
        bots=counts,
        games=counts,
        updated=times,
    ),
    watching.PlayerState: st.builds(
        watching.PlayerState, player=names, online=st.booleans(), updated=times
    ),
}
