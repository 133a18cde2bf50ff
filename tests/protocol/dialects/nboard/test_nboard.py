"""Line by line against the description of the NBoard protocol, version 2."""

import pytest

from plywire.protocol.connection import EngineConnection, Fault, Ignored, State
from plywire.protocol.controller_connection import ControllerConnection
from plywire.protocol.dialects import detect
from plywire.protocol.dialects.nboard.answering import NboardAnswering
from plywire.protocol.dialects.nboard.driving import NboardDriving
from plywire.protocol.errors import UnspeakableError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Score

BOARD = "BO[8 ---------------------------O*------*O--------------------------- *]"
#: Of the description's example session.
GAME = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
    f"{BOARD}B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)
MOVES = ("f5", "f6", "d3", "c5", "e6", "f7", "e7", "f4")
FULL = Clock(p1=900_000, p2=900_000)


class Asked:
    """An engine's end; what it was asked last, and what it said."""

    def __init__(self) -> None:
        self.time = 100.0
        self.connection = EngineConnection(NboardAnswering(lambda: self.time))

    def takes(self, line: str) -> list[Command]:
        """The commands on a line, all but `go` answered by silence; without the `stop` first."""
        self.connection.receive_text(line)
        taken: list[Command] = []
        while (item := self.connection.next_command()) is not None:
            if isinstance(item, Ignored):
                continue
            assert not isinstance(item, Fault), item
            taken.append(item)
            match item:
                case play.Go():
                    break
                case play.Eval():
                    self.connection.send(play.EvalAnswer(score=Score(kind="cp", value=50)), item)
                    self.connection.send(play.Ok(), item)
                case play.Ping():
                    self.connection.send(play.Pong(), item)
                case play.Hello():
                    self.connection.send(play.HelloAnswer(software="1.2"), item)
                case _:
                    self.connection.send(play.Ok(), item)
        return [command for command in taken if not isinstance(command, play.Stop)]

    def says(self, *answers: Event) -> list[str]:
        """What it says, also when the search is answered so."""
        for event in answers:
            self.connection.send(event, self.connection.unanswered[0])
        return self.connection.lines_to_send()

    def refuses(self, line: str) -> str:
        """What it says of a line that cannot be."""
        self.connection.receive_text(line)
        item = self.connection.next_command()
        assert isinstance(item, Fault)
        self.connection.send(item.error, item)
        (said,) = self.connection.lines_to_send()
        return said


@pytest.fixture
def asked() -> Asked:
    engine = Asked()
    engine.takes("nboard 2")
    assert engine.says() == ["set myname plywire 1.2"]
    return engine


def info(depth: int, score: Score, *pv: str, multipv: int = 1) -> play.Info:
    return play.Info(depth=depth, score=score, nodes=35805, time=340, nps=1, multipv=multipv, pv=pv)


# --- the answering side


def test_the_greeting() -> None:
    assert isinstance(detect("nboard 2"), NboardAnswering)
    assert isinstance(detect("nboard 1"), NboardAnswering)
    engine = Asked()
    assert engine.takes("nboard 2") == [play.Hello(), play.NewGame(game="othello")]


def test_the_example_session(asked: Asked) -> None:
    assert asked.takes(f"set game {GAME}") == [play.SetPosition(moves=MOVES)]
    assert asked.takes("set depth 6") == []
    assert asked.takes("ping 1") == [play.Ping(id=1)]
    assert asked.says() == ["pong 1"]
    (go,) = asked.takes("go")
    assert isinstance(go, play.Go)
    assert go.limits == Limits(depth=6, clock=FULL)
    report = info(6, Score(kind="cp", value=-100), "d6", "pass", "c3")
    asked.time += 1.25
    assert asked.says(report, play.BestMove(move="d6", square="d6")) == [
        "search D6PAC3 -1.00 0 6",
        "nodestats 35805 0.34",
        "=== D6/-1.00/1.25",
    ]


def test_go_does_not_play_its_move(asked: Asked) -> None:
    asked.takes(f"set game {GAME}")
    asked.takes("go")
    asked.says(play.BestMove(move="d6", square="d6"))
    assert asked.takes("move D6/-1.00/2.50") == [play.Move(moves=("d6",))]
    (go,) = asked.takes("go")
    assert isinstance(go, play.Go)
    assert go.limits.clock == Clock(p1=897_500, p2=900_000)


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("move F5", "f5"),
        ("move f5//", "f5"),
        ("move PA//0.1", "pass"),
        ("F5", "f5"),
        ("pa", "pass"),
    ],
)
def test_moves(asked: Asked, line: str, move: str) -> None:
    """Evaluation and time may be omitted; version 1 had no word before the move."""
    assert asked.takes(line) == [play.Move(moves=(move,))]
    assert asked.says() == []


@pytest.mark.parametrize(
    ("depth", "count", "limits", "multipv"),
    [("0", "0", 1, 1), ("60", "64", 60, 64), ("61", "65", 60, 64), ("999", "999", 60, 64)],
)
def test_more_than_there_is_is_as_much(
    asked: Asked, depth: str, count: str, limits: int, multipv: int
) -> None:
    asked.takes(f"set depth {depth}")
    (go,) = asked.takes(f"hint {count}")
    assert go == play.Go(id="hint", limits=Limits(depth=limits), multipv=multipv)


def test_the_clock_is_that_of_whose_turn_it_is(asked: Asked) -> None:
    """Where White begins, and after an odd number of moves."""
    board = BOARD.replace(" *]", " O]")
    asked.takes(f"set game (;GM[Othello]TI[15:00]{board}W[F4//10]B[F3//20];)")
    asked.takes("move D3//30")
    (go,) = asked.takes("go")
    assert isinstance(go, play.Go)
    assert go.limits.clock == Clock(p1=880_000, p2=860_000)


def test_hints_end_with_a_status_and_no_move(asked: Asked) -> None:
    asked.takes(f"set game {GAME}")
    asked.takes("set depth 12")
    (go,) = asked.takes("hint 2")
    assert isinstance(go, play.Go)
    # Not constrained by the time remaining in the game.
    assert (go.limits, go.multipv) == (Limits(depth=12), 2)
    first = info(12, Score(kind="cp", value=125), "f5")
    second = info(12, Score(kind="exact", value=-4), "c6", multipv=2)
    assert asked.says(first, second, play.BestMove(move="f5")) == [
        "search F5 1.25 0 12",
        "nodestats 35805 0.34",
        "search C6 -4.00 0 100%",
        "nodestats 35805 0.34",
        "status",
    ]


@pytest.mark.parametrize(
    ("score", "written"),
    [
        (Score(kind="win", value=9), "1.00 0 100%W"),
        (Score(kind="loss", value=9), "-1.00 0 100%W"),
        (Score(kind="draw"), "0.00 0 100%W"),
        (Score(kind="exact", value=12), "12.00 0 100%"),
    ],
)
def test_solved(asked: Asked, score: Score, written: str) -> None:
    asked.takes("hint 1")
    assert asked.says(info(20, score, "a1"))[0] == f"search A1 {written}"


def test_ping_ends_thinking_first(asked: Asked) -> None:
    (go,) = asked.takes("go")
    connection = asked.connection
    connection.receive_text("ping 2")
    stop = connection.next_command()
    assert isinstance(stop, play.Stop)
    connection.send(play.Ok(), stop)
    connection.send(play.BestMove(move="d3", square="d3"), go)
    ping = connection.next_command()
    assert isinstance(ping, play.Ping)
    connection.send(play.Pong(), ping)
    assert connection.lines_to_send() == ["=== D3", "pong 2"]


@pytest.mark.parametrize("line", ["go", "hint 3", "move d3", f"set game {GAME}", "analyze"])
def test_whatever_asks_of_the_board_ends_the_search_before_it(asked: Asked, line: str) -> None:
    asked.takes("hint 1")
    asked.connection.receive_text(line)
    assert isinstance(asked.connection.next_command(), play.Stop)


def test_learning(asked: Asked) -> None:
    asked.takes("learn")
    assert asked.says() == ["learned"]


def test_analysis_of_all_positions(asked: Asked) -> None:
    asked.takes(f"set game (;GM[Othello]{BOARD}B[F5]W[F6];)")
    taken = asked.takes("analyze")
    assert [command for command in taken if isinstance(command, play.SetPosition)] == [
        play.SetPosition(moves=moves) for moves in (("f5", "f6"), ("f5",), (), ("f5", "f6"))
    ]
    assert asked.says() == ["analysis 2 0.50", "analysis 1 0.50", "analysis 0 0.50"]


def test_a_board_of_its_own(asked: Asked) -> None:
    board = BOARD.replace("*]", "O]")
    (position,) = asked.takes(f"set game (;GM[Othello]{board}W[D6];)")
    assert position == play.SetPosition(fen="8/8/8/3ox3/3xo3/8/8/8 o", moves=("d6",))


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("TI[00:10]", Clock(p1=10_000, p2=10_000)),
        ("TI[01:00:00/00:05]", Clock(p1=3_600_000, p2=3_600_000, inc1=5000, inc2=5000)),
        ("TB[10]TW[20]", Clock(p1=10_000, p2=20_000)),
        ("TI[00:00]", None),
        ("", None),
    ],
)
def test_clocks(asked: Asked, text: str, clock: Clock | None) -> None:
    asked.takes(f"set game (;GM[Othello]{text}{BOARD};)")
    (go,) = asked.takes("go")
    assert isinstance(go, play.Go)
    assert go.limits == Limits(clock=clock) if clock else Limits(movetime=1000)


@pytest.mark.parametrize(
    "line", ["sing", "set weather fine", "remove_tree", "status x", "xx yy", "set contempt 50"]
)
def test_what_is_not_understood_is_ignored(asked: Asked, line: str) -> None:
    assert asked.takes(line) == []
    assert asked.says() == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ping", "status error syntax expected ping NUMBER"),
        ("hint x", "status error bad-value count must be a whole number, not 'x'"),
        ("move", "status error syntax not a move: ''"),
        ("zz", "status error syntax not a move: 'zz'"),
        ("set contempt", "status error syntax expected set contempt NUMBER"),
        ("set game", "status error bad-position a game in GGF begins with (; and ends with ;)"),
    ],
)
def test_what_is_wrong_is_told(asked: Asked, line: str, said: str) -> None:
    assert asked.refuses(line).startswith(said)


def test_a_move_that_is_refused_changes_nothing(asked: Asked) -> None:
    asked.connection.receive_text("move a1")
    while not isinstance(item := asked.connection.next_command(), play.Move):
        assert not isinstance(item, Fault | Ignored | None)
        asked.connection.send(play.Ok(), item)
    asked.connection.send(Error(code=ErrorCode.ILLEGAL_MOVE, message="no a1"), item)
    assert asked.says() == ["status error illegal-move no a1"]
    assert asked.takes("analyze")[0] == play.SetPosition()


# --- the driving side


class Engine:
    """A scripted engine at the other end: it says what it is told to say."""

    def __init__(self) -> None:
        self.connection = ControllerConnection(NboardDriving())
        assert self.told(play.Hello()) == ["nboard 2", "set depth 60", "ping 1"]
        (hello,) = self.says("set myname Edax6", "pong 1")
        assert isinstance(hello, play.HelloAnswer)
        assert (hello.server, hello.games) == ("Edax6", ("othello",))

    def told(self, command: Command) -> list[str]:
        self.connection.send(command)
        return self.connection.lines_to_send()

    def says(self, *lines: str) -> list[Event | Fault]:
        self.connection.receive_data("".join(f"{line}\n" for line in lines).encode())
        heard: list[Event | Fault] = []
        while (event := self.connection.next_event()) is not None:
            heard.append(event)
        return heard


def game(moves: str = "", times: str = "") -> str:
    """The game as it is told."""
    rows = "-------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
    head = "(;GM[Othello]PC[plywire]PB[black]PW[white]"
    return f"set game {head}{times}TY[8]RE[?]BO[8 {rows}]{moves};)"


def test_a_game_is_driven() -> None:
    engine = Engine()
    assert engine.told(play.NewGame(game="othello", size="8x8")) == [game(), "ping 2"]
    assert engine.says("pong 2") == [play.Ok()]
    position = play.SetPosition(moves=("f5", "d6"))
    assert engine.told(position) == [game("B[F5]W[D6]"), "ping 3"]
    assert engine.says("pong 3") == [play.Ok()]
    limits = Limits(depth=12, clock=Clock(p1=61_900, p2=30_000))
    assert engine.told(play.Go(limits=limits)) == [
        "set depth 12",
        game("B[F5]W[D6]", "TB[01:01]TW[00:30]"),
        "go",
    ]
    heard = engine.says(
        "status Edax is thinking",
        "nodestats 35805 0.50",
        "search C3-d3-PA -1.00,2.00 0 12",
        "=== c3 -1.00 0.0",
        "status",
    )
    assert heard == [
        play.Info(
            depth=12,
            score=Score(kind="cp", value=-100),
            nodes=35805,
            time=500,
            nps=71610,
            pv=("c3", "d3", "pass"),
            squares=("c3", "d3", "-"),
        ),
        play.BestMove(move="c3", square="c3"),
    ]
    assert engine.told(play.Move(moves=("c3", "pass"))) == ["move C3", "move PA", "ping 4"]
    assert engine.says("pong 4") == [play.Ok()]
    assert engine.told(play.Undo(count=3)) == [game("B[F5]"), "ping 5"]
    assert engine.says("pong 5") == [play.Ok()]
    assert engine.told(play.SetOption(name="contempt", value="50")) == [
        "set contempt 50",
        "ping 6",
    ]
    assert engine.told(play.Quit()) == ["quit"]


@pytest.mark.parametrize(
    ("limits", "times"),
    [
        (Limits(movetime=5000), "TI[00:05]"),
        (Limits(movetime=5000, clock=Clock(p1=60_000, p2=9_000)), "TI[00:05]"),
        (Limits(movetime=5000, clock=Clock(p1=4_000, p2=3_000)), "TB[00:04]TW[00:03]"),
        (Limits(movetime=5), "TI[00:01]"),
        (Limits(clock=Clock(p1=0, p2=200)), "TI[00:01]"),
        (
            Limits(clock=Clock(p1=2000, p2=0, inc1=1000, inc2=2000)),
            "TB[00:02/00:01]TW[00:01/00:02]",
        ),
    ],
)
def test_the_time_left_is_told_in_whole_seconds(limits: Limits, times: str) -> None:
    engine = Engine()
    assert engine.told(play.Go(limits=limits)) == [game(times=times), "go"]


def test_a_depth_is_set_where_it_changes() -> None:
    engine = Engine()
    assert engine.told(play.Go()) == ["go"]
    engine.says("=== F5")
    assert engine.told(play.Go(limits=Limits(depth=99))) == ["go"]
    engine.says("=== F5")
    assert engine.told(play.Go(limits=Limits(depth=3))) == ["set depth 3", "go"]


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("=== F5", "f5"),
        ("=== F5/1.25/0.34", "f5"),
        ("=== f5//", "f5"),
        ("=== D6/-1.78/0.12", "d6"),
        ("=== PA", "pass"),
    ],
)
def test_best_moves(line: str, move: str) -> None:
    engine = Engine()
    engine.told(play.Go())
    square = "-" if move == "pass" else move
    assert engine.says(line) == [play.BestMove(move=move, square=square)]


@pytest.mark.parametrize("line", ["===", "=== nothing", "=== 5F"])
def test_no_move_for_an_answer(line: str) -> None:
    engine = Engine()
    engine.told(play.Go())
    (heard,) = engine.says(line)
    assert isinstance(heard, Fault)


@pytest.mark.parametrize(
    ("report", "score"),
    [
        ("search F5d6C3 1.25 0 12", Score(kind="cp", value=125)),
        ("book F5 -0.5 1234 18 from a book", Score(kind="cp", value=-50)),
        ("search F5 +4 0 100% solved", Score(kind="exact", value=4)),
        ("search F5 -1 0 100%W", Score(kind="loss")),
        ("search F5 0 0 100%W", Score(kind="draw")),
        ("search F5 2.5 0 73%@24", Score(kind="cp", value=250)),
    ],
)
def test_reports(report: str, score: Score) -> None:
    engine = Engine()
    engine.told(play.Go())
    (heard,) = engine.says(report)
    assert isinstance(heard, play.Info)
    assert heard.score == score
    assert heard.pv[0] == "f5"


def test_an_engine_is_stopped_by_a_ping() -> None:
    engine = Engine()
    engine.told(play.Go())
    assert engine.told(play.Stop()) == ["ping 2"]
    assert engine.says(">> Abort round!!!", "=== D6/-1.52/1.01", "pong 2") == [
        play.BestMove(move="d6", square="d6"),
        play.Ok(),
    ]
    assert engine.says("=== C3") == []


def test_an_engine_that_is_stopped_without_a_word_plays_what_it_reported() -> None:
    engine = Engine()
    engine.told(play.Go())
    engine.says("search C4 -0.39 0 1", "search D6-c3 -0.54 0 2")
    engine.told(play.Stop())
    heard = engine.says("pong 2")
    assert heard == [play.BestMove(move="d6", square="d6"), play.Ok()]


class TestPipelined:
    """Commands given before the engine has answered those before them."""

    def test_a_search_does_not_end_by_the_pong_of_what_came_before_it(self) -> None:
        engine = Engine()
        engine.told(play.SetPosition(moves=("f5",)))
        assert engine.told(play.Go()) == ["go"]
        assert engine.says("pong 2") == [play.Ok()]
        (report,) = engine.says("search D6 1.00 0 3")
        assert isinstance(report, play.Info)
        assert engine.says("=== D6") == [play.BestMove(move="d6", square="d6")]

    def test_what_an_earlier_search_says_late_is_not_taken_for_the_next(self) -> None:
        engine = Engine()
        engine.told(play.Go())
        engine.told(play.Stop())
        engine.says("search C4 1.00 0 1", "=== C4")
        engine.told(play.SetPosition(moves=("f5",)))
        engine.told(play.Go())
        late = ("search C4 1.00 0 2", "nodestats 7 0.10", "=== C4")
        assert engine.says("pong 2", *late, "pong 3") == [play.Ok(), play.Ok()]
        (report,) = engine.says("search D6 0.50 0 1")
        assert isinstance(report, play.Info)
        assert (report.nodes, report.pv) == (0, ("d6",))
        assert engine.says("=== D6") == [play.BestMove(move="d6", square="d6")]

    def test_a_stop_that_follows_at_once_ends_the_search_and_no_other(self) -> None:
        engine = Engine()
        engine.told(play.SetPosition(moves=("f5",)))
        engine.told(play.Go())
        engine.told(play.Stop())
        assert engine.says("pong 2") == [play.Ok()]
        assert engine.says("search D6 1.00 0 3", "pong 3")[1:] == [
            play.BestMove(move="d6", square="d6"),
            play.Ok(),
        ]

    def test_a_pong_also_closes_what_the_engine_left_unanswered_before_it(self) -> None:
        engine = Engine()
        engine.told(play.SetPosition(moves=("f5",)))
        engine.told(play.Go())
        engine.told(play.Stop())
        heard = engine.says("pong 3")
        assert heard == [play.Ok(), play.BestMove(), play.Ok()]

    def test_errors_belong_to_what_they_came_before(self) -> None:
        engine = Engine()
        illegal = Error(code=ErrorCode.ILLEGAL_MOVE, message="no a1")
        failed = Error(code=ErrorCode.INTERNAL, message="oops")
        engine.told(play.Move(moves=("a1",)))
        engine.told(play.Go())
        assert engine.says("status error illegal-move no a1", "pong 2") == [illegal]
        assert engine.says("status error internal oops") == [failed]
        assert engine.connection.state is State.OPEN

    def test_a_command_that_fails_is_not_counted_on_by_the_next(self) -> None:
        engine = Engine()
        engine.told(play.Move(moves=("a1",)))
        engine.told(play.Ping())
        engine.told(play.Move(moves=("f5",)))
        engine.says("status error illegal-move no a1", "pong 2", "pong 3", "pong 4")
        engine.told(play.Move(moves=("d6", "c3")))
        engine.says("pong 5")
        assert engine.told(play.Undo(count=1)) == [game("B[F5]W[D6]"), "ping 6"]


def test_pongs_that_were_not_asked_for_mean_nothing() -> None:
    engine = Engine()
    engine.told(play.Ping())
    assert engine.says("pong 1", "pong 7", "pong x", "learned", "analysis 3 1.0") == []
    assert engine.says("pong 2") == [play.Pong()]


@pytest.mark.parametrize(
    "command",
    [
        play.NewGame(game="connect4"),
        play.NewGame(game="othello", size="10x10"),
        play.Go(limits=Limits(nodes=3)),
        play.Go(limits=Limits(infinite=True)),
        play.Go(multipv=2),
        play.Go(level=3),
        play.Show(),
        play.SetOption(name="hash", value="1"),
    ],
)
def test_what_it_has_no_words_for(command: Command) -> None:
    with pytest.raises(UnspeakableError):
        ControllerConnection(NboardDriving()).send(command)
