import pytest

from plywire.protocol.dialects.native.answering import NativeAnswering
from plywire.protocol.dialects.native.driving import NativeDriving
from plywire.protocol.errors import PeerError, UnspeakableError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Score


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("hello", play.Hello()),
        ("hello 1 Deep Thought", play.Hello(name="Deep Thought")),
        ("new-game", play.NewGame()),
        ("new-game size=8x7 connect4", play.NewGame(game="connect4", size="8x7")),
        ("position startpos", play.SetPosition()),
        ("position 3/3/3 x moves", play.SetPosition(fen="3/3/3 x")),
        ("  position\t3/3/3  x ", play.SetPosition(fen="3/3/3 x")),
        ("move a1 pass", play.Move(moves=("a1", "pass"))),
        ("undo", play.Undo()),
        ("option style very bold", play.SetOption(name="style", value="very bold")),
        ("go", play.Go()),
        (
            "go infinite multipv 3 clock 1 2 3 4 nodes 5",
            play.Go(
                limits=Limits(nodes=5, clock=Clock(p1=1, p2=2, inc1=3, inc2=4), infinite=True),
                multipv=3,
            ),
        ),
    ],
)
def test_commands(line: str, command: Command) -> None:
    assert NativeAnswering().decode_command(line) == [command]


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("Go", ErrorCode.UNKNOWN_COMMAND, "unknown command 'Go': the commands are hello, games"),
        ("x" * 999, ErrorCode.UNKNOWN_COMMAND, f"unknown command '{'x' * 39}…'"),
        ("hello one", ErrorCode.BAD_VALUE, "version must be a whole number, not 'one'"),
        ("hello 0", ErrorCode.BAD_VALUE, "version must be at least 1, not 0"),
        ("ping me", ErrorCode.SYNTAX, "ping takes nothing after it, not 'me'"),
        ("new-game a b", ErrorCode.SYNTAX, "expected new-game [GAME] [size=WIDTHxHEIGHT]"),
        ("position", ErrorCode.SYNTAX, "expected position startpos|FEN [moves MOVE...]"),
        ("position moves 4", ErrorCode.SYNTAX, "expected position startpos|FEN"),
        ("move", ErrorCode.BAD_VALUE, "moves must be a list of at least 1"),
        ("move " + "4 " * 257, ErrorCode.BAD_VALUE, "moves must be a list of at most 256"),
        ("move toolongtobeamove", ErrorCode.BAD_VALUE, "moves[0] must be at most 8 characters"),
        ("move é", ErrorCode.BAD_VALUE, "moves[0] must be printable ASCII without spaces, not 'é'"),
        ("undo 257", ErrorCode.BAD_VALUE, "count must be at most 256, not 257"),
        ("undo 1 2", ErrorCode.SYNTAX, "expected undo [COUNT]"),
        ("undo " + "9" * 19, ErrorCode.BAD_VALUE, "count must be a whole number"),
        ("option hash", ErrorCode.SYNTAX, "expected option NAME VALUE"),
        (
            "go fast",
            ErrorCode.SYNTAX,
            "go takes movetime, depth, nodes, clock, byoyomi, infinite, multipv",
        ),
        ("go byoyomi 1 2 3", ErrorCode.SYNTAX, "go: byoyomi goes with clock"),
        ("go clock 1 2", ErrorCode.SYNTAX, "clock must be followed by 4 whole number(s)"),
        ("go depth 3 depth 4", ErrorCode.SYNTAX, "depth is given twice"),
        ("go movetime 86400001", ErrorCode.BAD_VALUE, "movetime must be at most 86400000"),
        ("go level 0", ErrorCode.BAD_VALUE, "level must be at least 1, not 0"),
        ("go level 3 infinite", ErrorCode.BAD_VALUE, "level goes with movetime and clock only"),
        ("go level 3 multipv 2", ErrorCode.BAD_VALUE, "level goes with movetime and clock only"),
        ("go multipv 65", ErrorCode.BAD_VALUE, "multipv must be at most 64, not 65"),
    ],
)
def test_what_is_wrong_and_what_is_accepted(line: str, code: ErrorCode, message: str) -> None:
    with pytest.raises(PeerError) as caught:
        NativeAnswering().decode_command(line)
    assert caught.value.code is code
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (Error(code=ErrorCode.BUSY, message=""), ["error busy"]),
        (play.LegalAnswer(moves=()), ["legal"]),
        (play.EvalAnswer(score=Score(kind="exact", value=-4)), ["eval exact -4"]),
        (play.BestMove(move=None), ["bestmove none"]),
        (play.BestMove(move="4"), ["bestmove 4"]),
        (play.BestMove(move="4", by="plain"), ["bestmove 4 by plain"]),
        (
            play.HelloAnswer(games=("connect4", "othello"), ready=("othello",)),
            ["hello plywire 1 games=connect4,othello ready=othello"],
        ),
        (
            play.GameInfo(
                name="othello", title="Othello", players=("Black", "White"), size="8x8", ready=True
            ),
            ["game othello size=8x8 players=Black,White ready=true title=Othello"],
        ),
        (play.Bye(), ["bye"]),
        (
            play.Info(
                depth=8,
                score=Score(kind="draw"),
                nodes=1234,
                nps=99,
                hashfull=3,
                time=5,
                pv=("4", "4"),
                squares=("d1", "d2"),
            ),
            ["info depth 8 multipv 1 score draw nodes 1234 nps 99 hashfull 3 time 5 pv 4 4"],
        ),
        (
            play.Info(
                depth=21,
                confidence=73,
                score=Score(kind="cp", value=-150),
                nodes=9,
                nps=9000,
                time=1,
                pv=("f5",),
                squares=("f5",),
            ),
            [
                "info depth 21 multipv 1 score cp -150 nodes 9 nps 9000 hashfull 0 time 1"
                " confidence 73 pv f5"
            ],
        ),
        (
            play.ShowAnswer(
                game="connect4", size="4x4", fen="4/4/4/4 x", moves=(), turn=1, board=". .\n . ."
            ),
            ["board . .", "board  . .", "show connect4 4x4 turn 1 fen 4/4/4/4 x moves"],
        ),
    ],
)
def test_events(event: Event, lines: list[str]) -> None:
    assert NativeAnswering().encode_event(event, None) == lines


@pytest.mark.parametrize(
    "command",
    [
        play.SetOption(name="two words", value="1"),
        play.SetPosition(fen="startpos"),
        play.SetPosition(fen="a moves b"),
        play.NewGame(game="size=3x3"),
    ],
)
def test_what_would_be_read_otherwise_is_not_written(command: Command) -> None:
    with pytest.raises(UnspeakableError):
        NativeDriving().encode_command(command)


@pytest.mark.parametrize(
    "line",
    [
        "bestmove",
        "bestmove 4 4",
        "info",
        "info depth x multipv 1 score draw",
        "error",
        "eval",
        "result",
        "result over",
        "show",
        "hello",
        "hello a b",
        "game",
        "error nonsense text",
        "hello plywire 1 options=hash",
        "hello plywire 1 colour=red",
        "eval cp x",
        "welcome",
    ],
)
def test_events_that_cannot_be_read(line: str) -> None:
    with pytest.raises(PeerError):
        NativeDriving().decode_event(line)


def test_a_board_is_bounded() -> None:
    dialect = NativeDriving()
    for _ in range(128):
        dialect.decode_event("board . . .")
    with pytest.raises(PeerError):
        dialect.decode_event("board . . .")
