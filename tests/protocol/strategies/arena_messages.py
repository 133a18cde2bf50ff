"""Any commands and events of the arena."""

from typing import Any

from hypothesis import strategies as st

from plywire.protocol.messages import arena_commands as commands
from plywire.protocol.messages import arena_events as events
from plywire.protocol.messages.fields import MAX_INTEGER
from tests.protocol.strategies.fields import (
    counts,
    fens,
    limits,
    messages,
    moves,
    names,
    players,
    signed,
    sizes,
    squares,
    texts,
    words,
)

from . import feed_messages

numbers = st.integers(1, MAX_INTEGER)
_terms: dict[str, Any] = {"game": names, "limits": limits}
_offer: dict[str, Any] = {"offer": numbers, "name": names, "size": sizes, **_terms}
_tournament: dict[str, Any] = {
    "state": st.sampled_from(events.TournamentState),
    "games": st.lists(names, min_size=1, max_size=3).map(tuple),
    **dict.fromkeys(("players", "seats", "played", "scheduled"), counts),
    "starts": st.none() | words,
    "limits": limits,
    "name": texts,
}

COMMANDS: dict[type[Any], st.SearchStrategy[Any]] = {
    commands.Login: st.builds(
        commands.Login,
        name=names,
        token=words,
        games=st.lists(names, max_size=3).map(tuple),
        slots=st.integers(1, commands.MAX_SLOTS),
    ),
    commands.Resume: st.builds(commands.Resume, session=words),
    commands.Lobby: st.builds(commands.Lobby),
    commands.Watch: st.builds(commands.Watch),
    commands.Unwatch: st.builds(commands.Unwatch),
    commands.Seek: st.builds(commands.Seek, size=st.none() | sizes, **_terms),
    commands.Challenge: st.builds(commands.Challenge, name=names, size=st.none() | sizes, **_terms),
    commands.Accept: st.builds(commands.Accept, offer=numbers),
    commands.Decline: st.builds(commands.Decline, offer=numbers),
    commands.Withdraw: st.builds(commands.Withdraw, offer=numbers),
    commands.Tournaments: st.builds(commands.Tournaments),
    commands.Join: st.builds(commands.Join, tournament=texts),
    commands.Leave: st.builds(commands.Leave, tournament=texts),
    commands.Standings: st.builds(commands.Standings, tournament=texts),
    commands.Play: st.builds(commands.Play, table=names, turn=counts, move=squares),
    commands.Note: st.builds(commands.Note, table=names, text=st.text()),
    commands.Resign: st.builds(
        commands.Resign,
        table=names,
        termination=st.sampled_from(["resignation", "crash", "illegal-move", "stall"]),
        reason=st.text(),
    ),
    commands.Abort: st.builds(commands.Abort, table=names),
    commands.Echo: st.builds(commands.Echo, number=counts),
}

EVENTS: dict[type[Any], st.SearchStrategy[Any]] = {
    events.Welcome: st.builds(
        events.Welcome, name=names, session=words, grace=counts, tables=counts
    ),
    events.Bot: st.builds(
        events.Bot,
        name=names,
        games=st.lists(names, max_size=3).map(tuple),
        slots=numbers,
        tables=counts,
    ),
    events.Offer: st.builds(events.Offer, **_offer),
    events.Challenged: st.builds(events.Challenged, **_offer),
    events.Offered: st.builds(events.Offered, offer=numbers),
    events.Withdrawn: st.builds(events.Withdrawn, offer=numbers, reason=messages),
    events.Start: st.builds(
        events.Start,
        table=names,
        game=names,
        size=sizes,
        player=players,
        opponent=names,
        limits=limits,
        fen=fens,
        moves=moves,
    ),
    events.Turn: st.builds(
        events.Turn, table=names, turn=counts, limits=limits, fen=fens, moves=moves
    ),
    events.Played: st.builds(events.Played, table=names, turn=counts, move=squares, time=counts),
    events.Over: st.builds(
        events.Over,
        table=names,
        winner=st.none() | players,
        score=signed,
        termination=names,
        reason=messages,
    ),
    events.Tournament: st.builds(events.Tournament, **_tournament),
    events.Progress: st.builds(events.Progress, **_tournament),
    events.Standing: st.builds(
        events.Standing,
        rank=numbers,
        player=names,
        points=st.integers(0, 10**6).map(lambda halves: halves / 2),
        wins=counts,
        draws=counts,
        losses=counts,
    ),
    events.Probe: st.builds(events.Probe, number=counts),
    events.Replaced: st.builds(events.Replaced),
    **feed_messages.EVENTS,
}
