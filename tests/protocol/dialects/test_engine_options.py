import pytest

from plywire.protocol.dialects.engine_options import EngineOption, check_options, read_option


@pytest.mark.parametrize(
    ("text", "option"),
    [
        (
            "Hash type spin default 16 min 1 max 64",
            EngineOption("Hash", "spin", "16", least=1, most=64),
        ),
        (
            "Skill Level type spin max 20 min -5 default 3",
            EngineOption("Skill Level", "spin", "3", least=-5, most=20),
        ),
        ("Odd type spin default x min y max z", EngineOption("Odd", "spin", "x")),
        ("Ponder type check default false", EngineOption("Ponder", "check", "false")),
        (
            "Style type combo default very solid var very solid var risky",
            EngineOption("Style", "combo", "very solid", choices=("very solid", "risky")),
        ),
        ("Book type string default <empty>", EngineOption("Book", "string", "<empty>")),
        ("Book type string", EngineOption("Book", "string")),
        (
            "Opponent type type combo default type a var type a var type b",
            EngineOption("Opponent type", "combo", "type a", choices=("type a", "type b")),
        ),
        ("type type check default true", EngineOption("type", "check", "true")),
        (
            "Note type string default of type check, min 1 or var 2",
            EngineOption("Note", "string", "of type check, min 1 or var 2"),
        ),
        (
            "Mode type combo default default var default var fast",
            EngineOption("Mode", "combo", "default", choices=("default", "fast")),
        ),
        ("Clear type button", EngineOption("Clear", "button")),
        ("Clear type", None),
        ("Clear", None),
        ("Clear type knob", None),
        ("", None),
    ],
)
def test_options_as_engines_write_them(text: str, option: EngineOption | None) -> None:
    assert read_option(text.split()) == option


@pytest.mark.parametrize(
    ("text", "taken", "refused"),
    [
        ("A type spin default 1 min -1 max 9", ["-1", "9", "09"], ["-2", "10", "1.5", "", "x"]),
        ("A type spin default 1 min 0", ["0", "999"], ["-1"]),
        ("A type check", ["true", "false"], ["yes", "1"]),
        ("A type combo var x var Y", ["x", "y"], ["z", ""]),
        ("A type string", ["", "x y"], []),
        ("A type button", [], ["", "x"]),
    ],
)
def test_values(text: str, taken: list[str], refused: list[str]) -> None:
    option = read_option(text.split())
    assert option is not None
    for value in taken:
        check_options([option], {"a": value})
    for value in refused:
        with pytest.raises(ValueError, match="it takes A"):
            check_options([option], {"a": value})
