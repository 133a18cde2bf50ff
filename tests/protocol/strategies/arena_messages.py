"""Any commands and events of the arena."""

from typing import Any

from hypothesis import strategies as st

from plywire.protocol.messages import arena, tournaments, watching
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
_topics = st.just("status") | st.builds(
    "{}/{}".format, st.sampled_from(["games", "tournaments", "players"]), words | texts
)
_terms: dict[str, Any] = {"game": names, "limits": limits, "rated": st.booleans()}
_offer: dict[str, Any] = {"offer": numbers, "name": names, "size": sizes, **_terms}
_offer["rating"] = st.none() | signed
_tournament: dict[str, Any] = {
    "state": st.sampled_from(tournaments.TournamentState),
    "games": st.lists(names, min_size=1, max_size=3).map(tuple),
    **dict.fromkeys(("players", "seats", "played", "scheduled"), counts),
    "starts": st.none() | words,
    "limits": limits,
    "name": texts,
}

COMMANDS: dict[type[Any], st.SearchStrategy[Any]] = {
    arena.Login: st.builds(
        arena.Login,
        name=names,
        token=words,
        games=st.lists(names, max_size=3).map(tuple),
        slots=st.integers(1, arena.MAX_SLOTS),
    ),
    arena.Guest: st.builds(arena.Guest, name=names, games=st.lists(names, max_size=3).map(tuple)),
    arena.Resume: st.builds(arena.Resume, session=words),
    arena.Lobby: st.builds(arena.Lobby),
    watching.Watch: st.builds(watching.Watch, topic=st.none() | _topics),
    watching.Recall: st.builds(watching.Recall, table=names),
    watching.RecallRound: st.builds(
        watching.RecallRound, round=st.integers(1, 99), tournament=texts
    ),
    watching.Unwatch: st.builds(watching.Unwatch),
    arena.Seek: st.builds(arena.Seek, size=st.none() | sizes, **_terms),
    arena.Challenge: st.builds(arena.Challenge, name=names, size=st.none() | sizes, **_terms),
    arena.Accept: st.builds(arena.Accept, offer=numbers, rated=st.booleans()),
    arena.Decline: st.builds(arena.Decline, offer=numbers, reason=messages),
    arena.Withdraw: st.builds(arena.Withdraw, offer=numbers),
    tournaments.Tournaments: st.builds(tournaments.Tournaments),
    tournaments.Join: st.builds(tournaments.Join, tournament=texts),
    tournaments.Leave: st.builds(tournaments.Leave, tournament=texts),
    tournaments.Standings: st.builds(tournaments.Standings, tournament=texts),
    arena.Play: st.builds(arena.Play, table=names, turn=counts, move=squares),
    arena.Say: st.builds(arena.Say, table=names, text=st.text()),
    arena.Note: st.builds(arena.Note, table=names, text=st.text()),
    arena.Resign: st.builds(
        arena.Resign,
        table=names,
        termination=st.sampled_from(["resignation", "crash", "illegal-move", "stall"]),
        reason=st.text(),
    ),
    arena.Abort: st.builds(arena.Abort, table=names),
    arena.Echo: st.builds(arena.Echo, number=counts),
}

EVENTS: dict[type[Any], st.SearchStrategy[Any]] = {
    arena.Welcome: st.builds(arena.Welcome, name=names, session=words, grace=counts, tables=counts),
    arena.Bot: st.builds(
        arena.Bot,
        name=names,
        games=st.lists(names, max_size=3).map(tuple),
        slots=numbers,
        tables=counts,
    ),
    arena.Offer: st.builds(arena.Offer, **_offer),
    arena.Challenged: st.builds(arena.Challenged, **_offer),
    arena.Offered: st.builds(arena.Offered, offer=numbers),
    arena.Withdrawn: st.builds(arena.Withdrawn, offer=numbers, reason=messages),
    arena.Start: st.builds(
        arena.Start,
        table=names,
        game=names,
        size=sizes,
        player=players,
        opponent=names,
        offer=st.none() | numbers,
        rated=st.booleans(),
        limits=limits,
        fen=fens,
        moves=moves,
    ),
    arena.Turn: st.builds(
        arena.Turn, table=names, turn=counts, limits=limits, fen=fens, moves=moves
    ),
    arena.Played: st.builds(arena.Played, table=names, turn=counts, move=squares, time=counts),
    arena.Said: st.builds(arena.Said, table=names, name=names, text=messages),
    arena.Missed: st.builds(arena.Missed, count=st.integers(1, 2**53)),
    arena.Over: st.builds(
        arena.Over,
        table=names,
        winner=st.none() | players,
        score=signed,
        termination=names,
        reason=messages,
    ),
    tournaments.Tournament: st.builds(tournaments.Tournament, **_tournament),
    tournaments.Progress: st.builds(tournaments.Progress, **_tournament),
    tournaments.Standing: st.builds(
        tournaments.Standing,
        rank=numbers,
        player=names,
        points=st.integers(0, 10**6).map(lambda halves: halves / 2),
        wins=counts,
        draws=counts,
        losses=counts,
    ),
    arena.Probe: st.builds(arena.Probe, number=counts),
    arena.Replaced: st.builds(arena.Replaced),
    **feed_messages.EVENTS,
}
