"""The checker of texts finds what the guide forbids, and leaves alone what it allows."""

import shutil
import subprocess
from pathlib import Path

import pytest

from docs import plain_words
from docs.plain_words import (
    check,
    check_help,
    check_option,
    check_page,
    check_subject,
    main,
    read,
)


def findings(page: str) -> list[str]:
    return [finding for prose in read(page) for _, finding in check(prose)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Of a range, both ends count.",
        "What it raises loses the game.",
        "The move is illegal; what it raises loses the game.",
        "Where both are to run, give one of them others.",
        "Who is away loses.",
        "It ends. Whose flag falls has lost.",
        "- Whoever likes may watch.",
        "> *Where* both run, use ports.",
        "| a | b |\n|---|---|\n| x | Of the bot. |",
    ],
)
def test_a_sentence_without_a_subject_is_found(sentence: str) -> None:
    assert any("begin with the subject" in finding for finding in findings(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "What does `margin` do?",
        "Of course the server answers.",
        "If both are to run, give the second other ports.",
        "## What you need",
        "| What | Who |\n|---|---|\n| What it does | x |",
        "A client sends what it knows; the server checks it.",
        "```text\nOf a fit; whatever.\n```",
        "Write `whatever` in the field.",
        "<!-- Of no page. -->",
        "---\ntitle: Of a page\n---\n\nA page.",
        "Such as this, e.g. Whatever.".replace("Whatever", "Othello"),
    ],
)
def test_what_is_allowed_is_left_alone(sentence: str) -> None:
    assert findings(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "[Run a match](docs/how-to/match.md) has all flags.",
        "It plays. [The\narena](arena.md#games) says more.",
        "It ends: [the referee](referee.md) explains why.",
        "- [A match](match.md) and [a tournament](tournament.md) show it.",
    ],
)
def test_a_title_as_subject_is_found(sentence: str) -> None:
    (finding,) = findings(sentence)
    assert "see [the page]" in finding


@pytest.mark.parametrize(
    "sentence",
    [
        "For all flags, see [Run a match](match.md).",
        "- [Run a match](match.md): all flags.",
        "Name [players](match.md#players) as in a match.",
        "[Run a match](match.md), [SPRT in CI](sprt-in-ci.md)",
        "[Caddy](https://caddyserver.com) is a proxy.",
        "[`plywire match`](match.md) plays games.",
        "| a |\n|---|\n| [A match](match.md) of two players |",
    ],
)
def test_a_link_elsewhere_is_left_alone(sentence: str) -> None:
    assert findings(sentence) == []


def test_a_long_sentence_is_found_and_a_long_paragraph_is_not() -> None:
    sentence = " ".join(["word"] * 30) + "."
    assert findings(f"{sentence} W{sentence[1:]}") == []
    assert findings(f"more {sentence}") == [
        "31 words in a sentence, 30 at most: more word word word word word word word …"
    ]


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("The event tells of a game.", "tells of"),
        ("The server has to be told a name.", "has to be told"),
        ("The book is built anew.", "anew"),
        ("It costs little beside the search.", "beside"),
        ("So many games are lost.", "So many"),
        ("Use a class of one's own.", "of one's own"),
        ("Two peers play.", "peers"),
        ("The watcher waits.", "watcher"),
        ("The other side moves.", "The other side"),
        ("The grace time is over.", "grace"),
        ("The color is red.", "color"),
        ("The share is .5 of all.", ".5"),
        ("It scored 50 ±2 %.", "±2"),
    ],
)
def test_a_word_of_the_list_is_found(sentence: str, word: str) -> None:
    (finding,) = findings(sentence)
    assert f"not {word!r}" in finding


@pytest.mark.parametrize(
    "sentence",
    [
        "The server tells the client to wait.",
        "Besides, the side to move wins.",
        "The clock shows 0.5 s (± 0.1 s).",
        "A ball on the other side of the net, and a stone on one side.",
        "A game shows that one thread is enough.",
    ],
)
def test_like_words_are_left_alone(sentence: str) -> None:
    assert findings(sentence) == []


def test_a_finding_names_the_line(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n\nA line is here.\nThe next\nis built anew.\n\n| a |\n|---|\n| anew |\n"
    )
    assert [finding.split(": ")[0] for finding in check_page(page)] == [f"{page}:5", f"{page}:9"]


def test_prose_in_a_note_is_read() -> None:
    assert len(findings("```{note}\nIt is built anew.\n```")) == 1


def test_the_help_of_an_option_is_short() -> None:
    assert list(check_option("--size", "Board size, such as `7x6`. Default: 7x6.")) == []
    (long,) = check_option("--size", " ".join(["word"] * 13))
    assert "13 words of help" in long
    (headless,) = check_option("--size", "Of a board.")
    assert "begin with the subject" in headless


def test_the_help_of_all_commands_is_plain() -> None:
    assert list(check_help()) == []


@pytest.mark.parametrize(
    "subject",
    [
        "docs: add NTest match of 200 games at 200 ms",
        "clients, page: read operations of EPD behind positions",
        "engine: embed the book",
        "server: pass the address",
    ],
)
def test_a_good_subject_passes(subject: str) -> None:
    assert list(check_subject(subject)) == []


@pytest.mark.parametrize(
    "subject",
    [
        "Tell of 200 games with NTest",
        "docs: adds a match",
        "docs: added a match",
        "docs: adding a match",
        "docs: add a match.",
        "docs: " + "x" * 70,
    ],
)
def test_a_bad_subject_is_found(subject: str) -> None:
    assert len(list(check_subject(subject))) == 1


@pytest.mark.skipif(shutil.which("git") is None, reason="needs Git")
def test_only_commits_since_the_check_came_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*arguments: str) -> None:
        who = ("-c", "user.name=ann", "-c", "user.email=ann@example.org")
        subprocess.run(("git", *who, *arguments), cwd=tmp_path, check=True, capture_output=True)

    git("init")
    git("commit", "--allow-empty", "--message", "Old and free")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "plain_words.py").write_text("")
    git("add", ".")
    git("commit", "--message", "docs: check words")
    git("commit", "--allow-empty", "--message", "docs: add a page")
    git("commit", "--allow-empty", "--message", "Mend things")
    monkeypatch.setattr(plain_words, "ROOT", tmp_path)
    (finding,) = plain_words.check_commits()
    assert "area: imperative" in finding
    assert "Mend things" in finding


def test_findings_end_with_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "good.md").write_text("A page.\n")
    main(str(tmp_path / "good.md"))
    (tmp_path / "bad.md").write_text("Built anew.\n")
    with pytest.raises(SystemExit) as end:
        main(str(tmp_path / "bad.md"))
    assert "1 findings" in str(end.value)
    assert "write again, not 'anew'" in capsys.readouterr().out
