import pytest

from plywire.protocol.connection import EngineConnection, Fault, Ignored, State
from plywire.protocol.controller_connection import ControllerConnection, OddLine
from plywire.protocol.dialects.uxi.ugi import UgiAnswering, UgiDriving
from plywire.protocol.errors import PeerError, UnspeakableError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Score


def ask(connection: EngineConnection, line: str, *answers: Event) -> list[str]:
    """Send a line, answer its command, and return the lines that come back."""
    connection.receive_text(line)
    command = connection.next_command()
    assert not isinstance(command, Fault | Ignored | None), command
    for event in answers:
        connection.send(event, command)
    return connection.lines_to_send()


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("isready", play.Ping()),
        ("uginewgame", play.NewGame()),
        ("setoption name Game value othello", play.NewGame(game="othello")),
        ("setoption name size value 8x7", play.NewGame(size="8x7")),
        ("setoption name Hash value 64", play.SetOption(name="hash", value="64")),
        ("setoption name Two Words value a b", play.SetOption(name="two words", value="a b")),
        ("position startpos moves a1 0000", play.SetPosition(moves=("a1", "pass"))),
        ("position fen 3/3/3 x", play.SetPosition(fen="3/3/3 x")),
        ("go infinite", play.Go(limits=Limits(infinite=True))),
        ("go depth 3 movestogo 9", play.Go(limits=Limits(depth=3))),
        (
            "go p1time 5 p2time 6 p1inc 7 p2inc 8",
            play.Go(limits=Limits(clock=Clock(p1=5, p2=6, inc1=7, inc2=8))),
        ),
        ("go p2time 5", play.Go(limits=Limits(clock=Clock(p1=5, p2=5)))),
        ("go p1time -5 p2time 5", play.Go(limits=Limits(clock=Clock(p1=0, p2=5)))),
    ],
)
def test_commands(line: str, command: Command) -> None:
    assert UgiAnswering().decode_command(line) == [command]


def test_what_asks_nothing_is_ignored() -> None:
    assert UgiAnswering().decode_command("debug on") == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("move a1", ErrorCode.UNKNOWN_COMMAND),
        ("setoption Hash 3", ErrorCode.SYNTAX),
        ("setoption name Hash", ErrorCode.SYNTAX),
        ("setoption name value 3", ErrorCode.BAD_VALUE),
        ("position", ErrorCode.SYNTAX),
        ("position fen moves a1", ErrorCode.SYNTAX),
        ("go wtime 5", ErrorCode.SYNTAX),
        ("go movetime", ErrorCode.SYNTAX),
        ("query", ErrorCode.BAD_VALUE),
        ("query weather", ErrorCode.BAD_VALUE),
        ("query islegal", ErrorCode.SYNTAX),
        ("query fen fen", ErrorCode.SYNTAX),
    ],
)
def test_what_is_refused(line: str, code: ErrorCode) -> None:
    with pytest.raises(PeerError) as caught:
        UgiAnswering().decode_command(line)
    assert caught.value.code is code


WON = play.ResultAnswer(over=True, turn=2, winner=1, score=1)
GOING = play.ResultAnswer(over=False, turn=2)


@pytest.mark.parametrize(
    ("query", "event", "response"),
    [
        ("p1turn", GOING, "false"),
        ("p1turn", play.ResultAnswer(over=False, turn=1), "true"),
        ("gameover", GOING, "false"),
        ("gameover", WON, "true"),
        ("result", GOING, "none"),
        ("result", WON, "p1win"),
        ("result", play.ResultAnswer(over=True, turn=1, winner=2, score=-1), "p2win"),
        ("result", play.ResultAnswer(over=True, turn=1), "draw"),
        ("islegal a1", play.LegalAnswer(moves=("a1", "b1")), "true"),
        ("islegal c1", play.LegalAnswer(moves=("a1", "b1")), "false"),
        ("islegal 0000", play.LegalAnswer(moves=("pass",)), "true"),
    ],
)
def test_queries(query: str, event: Event, response: str) -> None:
    connection = EngineConnection(UgiAnswering())
    assert ask(connection, f"query {query}", event, play.Ok()) == [f"response {response}"]


def test_queries_in_a_row_are_answered_in_order_also_when_one_fails() -> None:
    connection = EngineConnection(UgiAnswering())
    connection.receive_text("query gameover\nquery result\nquery p1turn")
    asked = [connection.next_command() for _ in range(3)]
    connection.send(WON, asked[0])
    connection.send(play.Ok(), asked[0])
    connection.send(Error(code=ErrorCode.INTERNAL, message="oops"), asked[1])
    connection.send(WON, asked[2])
    connection.send(play.Ok(), asked[2])
    assert connection.lines_to_send() == [
        "response true",
        "info string error internal oops",
        "response false",
    ]


def test_a_query_refused_while_thinking_leaves_the_next_one_right() -> None:
    connection = EngineConnection(UgiAnswering())
    connection.receive_text("go infinite\nquery gameover")
    go, refused = connection.next_command(), connection.next_command()
    assert isinstance(go, play.Go)
    assert isinstance(refused, Fault)
    connection.send(refused.error, refused)
    connection.send(play.BestMove(move="a1"), go)
    connection.lines_to_send()
    assert ask(connection, "query result", WON, play.Ok()) == ["response p1win"]


def test_success_is_silence() -> None:
    connection = EngineConnection(UgiAnswering())
    assert ask(connection, "position startpos", play.Ok()) == []
    assert ask(connection, "isready", play.Pong()) == ["readyok"]
    assert ask(connection, "stop", play.Ok()) == []
    assert ask(connection, "quit", play.Bye()) == []


def test_every_go_gets_a_best_move_of_two_words() -> None:
    connection = EngineConnection(UgiAnswering())
    assert ask(connection, "go", play.BestMove(move="a1", square="a1")) == ["bestmove a1"]
    assert ask(connection, "go", play.BestMove(move="pass", square="-")) == ["bestmove 0000"]
    assert ask(connection, "go", play.BestMove()) == ["bestmove 0000"]
    failure = Error(code=ErrorCode.INTERNAL, message="oops")
    assert ask(connection, "go", failure) == ["info string error internal oops", "bestmove 0000"]


def test_a_second_go_gets_no_best_move_of_its_own() -> None:
    connection = EngineConnection(UgiAnswering())
    assert ask(connection, "go") == []
    connection.receive_text("go")
    refused = connection.next_command()
    assert isinstance(refused, Fault)
    connection.send(refused.error, refused)
    assert [line.split()[:2] for line in connection.lines_to_send()] == [["info", "string"]]


def hear(connection: ControllerConnection, *lines: str) -> list[Event | Fault]:
    for line in lines:
        connection.receive_text(line)
    heard: list[Event | Fault] = []
    while (item := connection.next_event()) is not None:
        heard.append(item)
    return heard


def test_driving_is_silent_commands_followed_by_isready() -> None:
    connection = ControllerConnection(UgiDriving())
    connection.send(play.NewGame(game="othello", size="8x8"))
    connection.send(play.SetPosition(moves=("d3", "pass")))
    connection.send(play.Move(moves=("c4",)))
    connection.send(play.Undo(count=2))
    connection.send(play.SetOption(name="hash", value="8"))
    assert [line for line in connection.lines_to_send() if line != "isready"] == [
        "setoption name Game value othello",
        "setoption name Size value 8x8",
        "uginewgame",
        "position startpos moves d3 0000",
        "position startpos moves d3 0000 c4",
        "position startpos moves d3",
        "setoption name hash value 8",
    ]
    assert hear(connection, *["readyok"] * 5) == [play.Ok()] * 5
    assert connection.unanswered == ()


def test_driving_forgets_moves_that_the_engine_refused() -> None:
    connection = ControllerConnection(UgiDriving())
    connection.send(play.Move(moves=("a1",)))
    connection.send(play.Move(moves=("a1",)))
    refusal = "info string error illegal-move no"
    assert hear(connection, "readyok", refusal, "readyok") == [
        play.Ok(),
        Error(code=ErrorCode.ILLEGAL_MOVE, message="no"),
    ]
    connection.lines_to_send()
    connection.send(play.Move(moves=("b1",)))
    assert connection.lines_to_send()[0] == "position startpos moves a1 b1"


def test_driving_a_ping_confirms_no_move_that_the_engine_refused() -> None:
    connection = ControllerConnection(UgiDriving())
    connection.send(play.SetPosition(moves=("4",)))
    connection.send(play.SetPosition(moves=("9",)))
    connection.send(play.Ping())
    refused = "info string error illegal-move no"
    ok, error, pong = hear(connection, "readyok", refused, "readyok", "readyok")
    assert (ok, pong) == (play.Ok(), play.Pong())
    assert isinstance(error, Error)
    connection.lines_to_send()
    connection.send(play.Move(moves=("5",)))
    assert connection.lines_to_send()[0] == "position startpos moves 4 5"


def test_driving_cannot_take_back_what_was_not_played() -> None:
    connection = ControllerConnection(UgiDriving())
    with pytest.raises(UnspeakableError):
        connection.send(play.Undo())
    assert connection.lines_to_send() == []
    assert connection.unanswered == ()


def test_driving_introduces_the_engine() -> None:
    connection = ControllerConnection(UgiDriving())
    connection.send(play.Hello(id=1))
    heard = hear(
        connection,
        "hello there",
        "id name Deep Thought 2",
        "id author nobody",
        "option name Game type combo default ataxx var ataxx var othello",
        "option name Hash type spin default 16 min 1 max 64",
        "option name Move Overhead type spin default 1 min 0 max 9",
        "option name broken type spin default x min y max z",
        "option name Clear type button",
        "option",
        "ugiok",
    )
    assert heard == [
        play.HelloAnswer(
            id=1,
            server="Deep",
            software="Thought 2",
            games=("ataxx", "othello"),
            options=(play.Option(name="hash", default=16, min=1, max=64),),
        )
    ]
    connection.lines_to_send()
    connection.send(play.SetOption(name="move overhead", value="3"))
    connection.send(play.SetOption(name="hash", value="8"))
    assert connection.lines_to_send()[::2] == [
        "setoption name Move Overhead value 3",
        "setoption name Hash value 8",
    ]


def test_driving_a_readyok_that_nothing_asked_for_does_no_harm() -> None:
    odd: list[OddLine] = []
    connection = ControllerConnection(UgiDriving(), on_odd_line=odd.append)
    assert hear(connection, "readyok") == []
    assert list(map(str, odd)) == [
        "line 1, 'readyok': pong answers nothing that was asked; it was ignored"
    ]
    assert connection.state is State.OPEN


def test_driving_remembers_so_many_options_and_no_more() -> None:
    connection = ControllerConnection(UgiDriving())
    connection.send(play.Hello())
    spin = "type spin default 1 min 0 max 9"
    (hello,) = hear(connection, *(f"option name O{n} {spin}" for n in range(300)), "ugiok")
    assert isinstance(hello, play.HelloAnswer)
    assert len(hello.options) == 256
    connection.lines_to_send()
    for name in ("o255", "o256"):
        connection.send(play.SetOption(name=name, value="3"))
    assert connection.lines_to_send()[::2] == [
        "setoption name O255 value 3",
        "setoption name o256 value 3",
    ]


def test_byoyomi_is_told_as_an_increment() -> None:
    connection = ControllerConnection(UgiDriving())
    clock = Clock(p1=1000, p2=0, inc1=3, byoyomi=500, periods1=2, periods2=1)
    connection.send(play.Go(limits=Limits(clock=clock)))
    assert connection.lines_to_send() == ["go p1time 1500 p2time 500 p1inc 503 p2inc 500"]


def test_driving_a_search() -> None:
    connection = ControllerConnection(UgiDriving())
    clock = Clock(p1=1, p2=2, inc1=3, inc2=4)
    connection.send(play.Go(limits=Limits(clock=clock, depth=5, infinite=True)))
    connection.send(play.Stop())
    assert connection.lines_to_send() == [
        "go p1time 1 p2time 2 p1inc 3 p2inc 4 depth 5 infinite",
        "stop",
        "isready",
    ]
    heard = hear(
        connection,
        "info string thinking hard",
        "info depth 1 currmove a1",
        "info depth x score cp 1",
        "info depth 3 seldepth 9 score cp 12 lowerbound nodes 7 time 2 hashfull 1001 pv a1 0000",
        "bestmove a1 ponder b1",
        "readyok",
    )
    assert heard == [
        play.Info(
            depth=3,
            score=Score(kind="cp", value=12),
            nodes=7,
            time=2,
            nps=0,
            hashfull=1000,
            pv=("a1", "pass"),
        ),
        play.BestMove(move="a1"),
        play.Ok(),
    ]
    assert connection.state is State.OPEN


@pytest.mark.parametrize("line", ["bestmove none", "bestmove (none)"])
def test_driving_an_engine_without_a_move(line: str) -> None:
    connection = ControllerConnection(UgiDriving())
    connection.send(play.Go())
    assert hear(connection, line) == [play.BestMove()]


def test_driving_an_engine_that_names_no_move_at_all() -> None:
    connection = ControllerConnection(UgiDriving())
    connection.send(play.Go())
    (item,) = hear(connection, "bestmove")
    assert isinstance(item, Fault)


def test_driving_a_search_that_fails() -> None:
    connection = ControllerConnection(UgiDriving())
    connection.send(play.Go())
    heard = hear(connection, "info string error internal oops", "bestmove 0000")
    assert heard == [Error(code=ErrorCode.INTERNAL, message="oops")]
    assert connection.state is State.OPEN


def test_driving_asks_for_a_result_in_three_queries() -> None:
    connection = ControllerConnection(UgiDriving())
    connection.send(play.Result())
    assert connection.lines_to_send() == ["query gameover", "query result", "query p1turn"]
    heard = hear(connection, "response true", "response p2win", "response true")
    assert heard == [play.ResultAnswer(over=True, turn=1, winner=2, score=-1), play.Ok()]


def test_driving_asks_for_results_in_a_row() -> None:
    connection = ControllerConnection(UgiDriving())
    connection.send(play.Result(id=1))
    connection.send(play.Result(id=2))
    heard = hear(connection, *["response false", "response none", "response true"] * 2)
    assert [event.id for event in heard if not isinstance(event, Fault)] == [1, 1, 2, 2]
    assert connection.unanswered == ()


def test_driving_both_ends_agree_on_the_result() -> None:
    controller, engine = ControllerConnection(UgiDriving()), EngineConnection(UgiAnswering())
    controller.send(play.Result())
    engine.receive_data(controller.data_to_send())
    while (query := engine.next_command()) is not None:
        engine.send(WON, query)
        engine.send(play.Ok(), query)
    assert hear(controller, *engine.lines_to_send()) == [WON, play.Ok()]


def test_driving_tells_a_response_that_makes_no_sense() -> None:
    odd: list[OddLine] = []
    connection = ControllerConnection(UgiDriving(), on_odd_line=odd.append)
    assert hear(connection, "response true") == []
    assert len(odd) == 1
    connection.send(play.Result())
    assert isinstance(hear(connection, "response 1", "response 2", "response 3")[0], Fault)


@pytest.mark.parametrize(
    "command",
    [
        play.Legal(),
        play.Show(),
        play.Eval(),
        play.Games(),
        play.Go(multipv=2),
        play.Go(level=3),
        play.SetOption(name="a value b", value="c"),
        play.SetPosition(fen="a moves b"),
    ],
)
def test_what_ugi_has_no_words_for(command: Command) -> None:
    with pytest.raises(UnspeakableError):
        ControllerConnection(UgiDriving()).send(command)
