"""Any commands and events, as far as all dialects can express them."""

from typing import Any, get_args

from hypothesis import strategies as st

from plywire.protocol.messages import play, review
from plywire.protocol.messages.base import Error, ErrorCode
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
    play.Hello: st.builds(play.Hello, version=st.integers(1, MAX_INTEGER), name=st.none() | texts),
    play.Games: st.builds(play.Games),
    play.NewGame: st.builds(play.NewGame, game=st.none() | names, size=st.none() | sizes),
    play.SetPosition: st.builds(play.SetPosition, fen=st.none() | fens, moves=moves),
    play.Move: st.builds(play.Move, moves=some_moves),
    play.Undo: st.builds(play.Undo, count=st.integers(1, 256)),
    play.Legal: st.builds(play.Legal),
    play.Show: st.builds(play.Show),
    play.Eval: st.builds(play.Eval),
    play.Result: st.builds(play.Result),
    play.SetOption: st.builds(play.SetOption, name=names, value=texts),
    play.Go: st.builds(play.Go, limits=limits, multipv=st.integers(1, 64))
    | st.builds(
        play.Go,
        limits=limits.map(lambda any_limits: any_limits.of_time),
        level=st.integers(1, play.MAX_LEVEL),
    ),
    review.Review: st.builds(
        review.Review,
        nodes=st.integers(1, 2**53),
        opening=st.integers(0, 256),
        winner=st.none() | players,
    ),
    # What answers a preparation names its game: here it is always the same.
    play.Prepare: st.builds(
        play.Prepare,
        game=st.sampled_from([None, "connect4"]),
        size=st.sampled_from([None, "7x6"]),
    ),
    play.Stop: st.builds(play.Stop),
    play.Ping: st.builds(play.Ping),
    play.Quit: st.builds(play.Quit),
    **arena_messages.COMMANDS,
}

scores = st.one_of(
    st.builds(play.Score, kind=st.sampled_from(["cp", "win", "loss", "exact"]), value=signed),
    st.just(play.Score(kind="draw")),
)

judged = st.builds(review.Judged, moves=counts, best=counts, sound=counts)

EVENTS: dict[type[Any], st.SearchStrategy[Any]] = {
    play.HelloAnswer: st.builds(
        play.HelloAnswer,
        server=words,
        version=st.integers(1, MAX_INTEGER),
        software=messages,
        games=st.lists(names, max_size=3).map(tuple),
        ready=st.lists(names, max_size=3).map(tuple),
        options=st.lists(
            st.builds(play.Option, name=names, default=signed, min=signed, max=signed), max_size=3
        ).map(tuple),
    ),
    play.GameInfo: st.builds(
        play.GameInfo,
        name=names,
        title=texts,
        players=st.tuples(names, names),
        size=sizes,
        ready=st.booleans(),
    ),
    play.Preparing: st.builds(
        play.Preparing,
        game=st.just("connect4"),
        size=st.just("7x6"),
        step=messages,
        seconds_left=st.none() | counts,
    ),
    play.Ready: st.just(play.Ready(game="connect4", size="7x6")),
    play.Ok: st.builds(play.Ok),
    Error: st.builds(Error, code=st.sampled_from(ErrorCode), message=messages),
    play.LegalAnswer: st.builds(play.LegalAnswer, moves=moves),
    play.ShowAnswer: st.builds(
        play.ShowAnswer,
        game=names,
        size=sizes,
        fen=fens,
        moves=moves,
        turn=players,
        board=st.lists(texts, min_size=1, max_size=9).map("\n".join),
    ),
    play.EvalAnswer: st.builds(play.EvalAnswer, score=scores),
    play.ResultAnswer: st.one_of(
        st.builds(play.ResultAnswer, over=st.just(False), turn=players),
        st.builds(
            play.ResultAnswer,
            over=st.just(True),
            turn=players,
            winner=st.none() | players,
            score=st.integers(-64, 64),
            reason=messages,
        ),
    ),
    play.Info: st.builds(
        play.Info,
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
    play.BestMove: st.builds(
        play.BestMove, move=st.none() | squares, by=st.sampled_from(get_args(play.SearchedBy))
    ),
    review.ReviewAnswer: st.builds(
        review.ReviewAnswer,
        number=st.integers(1, MAX_INTEGER),
        move=squares,
        player=players,
        mark=st.sampled_from(get_args(review.Mark)),
        best=st.none() | squares,
        after=st.none() | st.integers(-64, 64),
        lost=st.none() | st.integers(0, 128),
    ),
    review.Reviewed: st.builds(
        review.Reviewed,
        players=st.tuples(judged, judged),
        losing=st.none() | st.integers(1, MAX_INTEGER),
    ),
    play.Pong: st.builds(play.Pong),
    play.Bye: st.builds(play.Bye, reason=messages),
    **arena_messages.EVENTS,
}

any_command = st.one_of(*COMMANDS.values())
any_event = st.one_of(*EVENTS.values())
