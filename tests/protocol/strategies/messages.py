"""Any commands and events, as far as all dialects can express them."""

from typing import Any

from hypothesis import strategies as st

from plywire.protocol.messages import commands, events
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
    some_moves,
    squares,
    texts,
    words,
)

from . import arena_messages

COMMANDS: dict[type[Any], st.SearchStrategy[Any]] = {
    commands.Hello: st.builds(
        commands.Hello, version=st.integers(1, MAX_INTEGER), name=st.none() | texts
    ),
    commands.Games: st.builds(commands.Games),
    commands.NewGame: st.builds(commands.NewGame, game=st.none() | names, size=st.none() | sizes),
    commands.SetPosition: st.builds(commands.SetPosition, fen=st.none() | fens, moves=moves),
    commands.Move: st.builds(commands.Move, moves=some_moves),
    commands.Undo: st.builds(commands.Undo, count=st.integers(1, 256)),
    commands.Legal: st.builds(commands.Legal),
    commands.Show: st.builds(commands.Show),
    commands.Eval: st.builds(commands.Eval),
    commands.Result: st.builds(commands.Result),
    commands.SetOption: st.builds(commands.SetOption, name=names, value=texts),
    commands.Go: st.builds(commands.Go, limits=limits, multipv=st.integers(1, 64)),
    commands.Stop: st.builds(commands.Stop),
    commands.Ping: st.builds(commands.Ping),
    commands.Quit: st.builds(commands.Quit),
    **arena_messages.COMMANDS,
}

scores = st.one_of(
    st.builds(events.Score, kind=st.sampled_from(["cp", "win", "loss", "exact"]), value=signed),
    st.just(events.Score(kind="draw")),
)

EVENTS: dict[type[Any], st.SearchStrategy[Any]] = {
    events.Hello: st.builds(
        events.Hello,
        server=words,
        version=st.integers(1, MAX_INTEGER),
        software=messages,
        games=st.lists(names, max_size=3).map(tuple),
        options=st.lists(
            st.builds(events.Option, name=names, default=signed, min=signed, max=signed), max_size=3
        ).map(tuple),
    ),
    events.GameInfo: st.builds(
        events.GameInfo, name=names, title=texts, players=st.tuples(names, names), size=sizes
    ),
    events.Ok: st.builds(events.Ok),
    events.Error: st.builds(events.Error, code=st.sampled_from(events.ErrorCode), message=messages),
    events.Legal: st.builds(events.Legal, moves=moves),
    events.Show: st.builds(
        events.Show,
        game=names,
        size=sizes,
        fen=fens,
        moves=moves,
        turn=players,
        board=st.lists(texts, min_size=1, max_size=9).map("\n".join),
    ),
    events.Eval: st.builds(events.Eval, score=scores),
    events.Result: st.one_of(
        st.builds(events.Result, over=st.just(False), turn=players),
        st.builds(
            events.Result,
            over=st.just(True),
            turn=players,
            winner=st.none() | players,
            score=st.integers(-64, 64),
            reason=messages,
        ),
    ),
    events.Info: st.builds(
        events.Info,
        depth=counts,
        score=scores,
        nodes=counts,
        time=counts,
        nps=counts,
        hashfull=st.integers(0, 1000),
        confidence=st.integers(0, 100),
        multipv=st.integers(1, MAX_INTEGER),
        pv=moves,
    ),
    events.BestMove: st.builds(events.BestMove, move=st.none() | squares),
    events.Pong: st.builds(events.Pong),
    events.Bye: st.builds(events.Bye, reason=messages),
    **arena_messages.EVENTS,
}

any_command = st.one_of(*COMMANDS.values())
any_event = st.one_of(*EVENTS.values())
