"""Every code block of the documentation is tried.

Tutorials and how-to pages are run as they stand, beside a server; what they show as printed is what
is printed, with `…` for any text. Commands in blocks of `sh` take hours or need other programs:
they are only parsed, so that no flag is unknown.
"""

import ast
import asyncio
import inspect
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest
import typer
import typer.main

from docs import commands
from plywire.clients import connect
from plywire.server import log
from plywire.server.cli import COMMANDS, GROUPS, app, engine, load_command, serve
from plywire.server.serve import Server
from tests.support.peers import settings
from tests.support.sessions import ROOT, run_session
from tools.books import __main__ as books
from tools.training import __main__ as training

PAGES = sorted(
    page
    for pattern in ("*.md", "docs/**/*.md", "examples/*.md", "protocol/*.md")
    for page in ROOT.glob(pattern)
)
_FENCED = re.compile(r"^( *)```([^\n`]*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block of code, by what its fence says."""

    page: str
    language: str
    name: str
    """Of the file that it is to be saved as, if it is one."""
    text: str

    def commands(self) -> Iterator[tuple[str, str]]:
        """Each command, and what is shown as printed by it."""
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed

    def lines(self) -> list[str]:
        """Each line that is typed."""
        if self.language == "console":
            return [command for command, _ in self.commands()]
        return self.text.replace("\\\n", " ").splitlines()


BLOCKS = [
    Block(page.relative_to(ROOT).as_posix(), *fence.partition(" ")[::2], dedent(text))
    for page in PAGES
    for _, fence, text in _FENCED.findall(page.read_text("utf-8"))
]

#: Where blocks are tried that are not tried here: by tests of a page's own, or as no code at all.
ELSEWHERE = {
    "abnf": "tests/protocol/dialects/native",
    "html": "tests/browser/test_guide.py",
    "javascript": "tests/test_examples.py",
    **dict.fromkeys(
        ("arena", "json-arena", "tournament", "json-tournament"),
        "tests/server/arena/test_transcript.py",
    ),
    "{literalinclude}": "tests/test_examples.py",
    "json-watch": "tests/server/arena/feed/test_watching.py",
    **dict.fromkeys(("plywire", "ugi", "uci", "gtp", "nboard"), "tests/server/test_transcripts.py"),
    **dict.fromkeys(("{toctree}", "{eval-rst}"), "Makefile"),
    **dict.fromkeys(("", "text"), "no code"),
}
HERE = {"console", "sh", "python", "toml", "json", "yaml"}
#: These have a test of their own for what they tell in Python.
OWN = {
    "README.md": "tests/test_readme.py",
    "docs/how-to/add-a-game.md": "tests/test_adding_a_game.py",
    "docs/how-to/own-player.md": "tests/test_python_page.py",
    "docs/how-to/python.md": "tests/test_python_page.py",
}

#: Commands that set the machine up, go on for ever, or are given on another machine.
_NOT_RUN = re.compile(
    r"sudo |make |python3 -m venv|source |cd |mkdir |pip |(nohup )?plywire serve|plywire doctor"
    r"|plywire --install-completion|(plywire|node) .*192\.0\.2\.7"
    r'|plywire tournament (ratings arena|\w+ arena --name "Class cup" .*--out)'
)

#: The programs whose commands are read.
PROGRAMS = {"plywire": app, "tools.books": books.app, "tools.training": training.app}

#: What fragments of Python take for granted.
GIVEN = {"taken": 0b11, "bottom": 1, "full": 0b111, "stones": 0b1111, "step": 1}


def of_language(*languages: str) -> list[Block]:
    return [block for block in BLOCKS if block.language in languages]


def test_every_block_is_tried() -> None:
    assert {block.language for block in BLOCKS} <= HERE | set(ELSEWHERE)
    tests = {*ELSEWHERE.values(), *OWN.values()} - {"no code"}
    assert [test for test in tests if not (ROOT / test).exists()] == []


def test_a_word_leads_to_one_page() -> None:
    texts = [page.read_text("utf-8") for page in PAGES]
    lists = [words for text in texts for words in re.findall(r"<!-- index: (.+) -->", text)]
    words = [word for each in lists for word in each.split(", ")]
    assert {"byo-yomi", "time control", "token", "resume"} <= set(words)
    assert len(words) == len(set(words))


def commands_of(page: str) -> list[tuple[str, str]]:
    """The commands of a page that are run, and what each is said to print."""
    blocks = (block for block in of_language("console") if block.page == page)
    return [one for block in blocks for one in block.commands() if not _NOT_RUN.match(one[0])]


SESSIONS = [
    page
    for page in sorted({block.page for block in BLOCKS})
    if page.startswith(("docs/tutorials/", "docs/how-to/"))
    and OWN.get(page) != "tests/test_adding_a_game.py"
    and commands_of(page)
]


def test_no_command_waits_for_the_server_of_its_page(tmp_path: Path) -> None:
    """`wait` in a shell that has started a server with `nohup` would wait for the server, too."""
    served = {block.page for block in of_language("console") if "$ nohup " in block.text}
    waits = [line for page in served for line, _ in commands_of(page) if "wait" in line]
    assert waits
    (tmp_path / "tokens.txt").touch()
    shell = 'wait() { echo "in $BASH_SUBSHELL"; }'
    for line in waits:
        script = f"{shell}\n{line}"
        printed = subprocess.check_output(("bash", "-c", script), cwd=tmp_path, text=True)
        assert printed.split() == ["in", "1"]


@pytest.mark.parametrize("page", SESSIONS)
async def test_sessions(page: str, tmp_path: Path) -> None:
    """A page is one session at a prompt."""
    shown = commands_of(page)
    for block in (block for block in BLOCKS if block.page == page and block.name):
        (tmp_path / block.name).write_text(block.text, "utf-8")
    async with Server(settings(arena=tmp_path / "arena")) as server:
        outputs = await run_session([command for command, _ in shown], server, tmp_path)
    for (command, expected), printed in zip(shown, outputs, strict=True):
        pattern = ".*".join(map(re.escape, expected.strip().split("…")))
        assert not expected or re.fullmatch(pattern, printed.strip(), re.DOTALL), (command, printed)


def test_commands_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arguments of each command are read, and nothing is done."""
    kind = next(kind for kind in typer.Context.__mro__ if "invoke" in vars(kind))
    invoke = kind.invoke

    def invoked(context: typer.Context, *call: object, **given: object) -> None:
        if context.command.name in ("serve", "engine"):
            invoke(context, *call, **given)  # it reads the settings

    async def nothing(_: object) -> None:
        pass

    monkeypatch.setattr(kind, "invoke", invoked)
    monkeypatch.setattr(log, "configure", lambda _: None)
    monkeypatch.setattr(serve, "serve", nothing)
    monkeypatch.setattr(engine, "serve_stdio", nothing)
    programs = {name: typer.main.get_command(each) for name, each in PROGRAMS.items()}
    lines = [line for block in of_language("console", "sh", "yaml") for line in block.lines()]
    given = [command for line in lines for command in commands_in(line)]
    assert {name for name, _ in given} == set(PROGRAMS)
    for name, words in given:
        try:
            programs[name].main(words, name, standalone_mode=False)
        except SystemExit as end:
            if end.code:
                pytest.fail(f"{name} {words} ends with {end.code}")
        except typer.BadParameter as error:
            if "does not exist" not in str(error):  # files are the reader's own
                pytest.fail(f"{name} {words}: {error}")


def test_each_command_has_a_page_with_all_its_options() -> None:
    folder = ROOT / "docs/reference/commands"
    pages = {page.stem for page in folder.glob("*.md")} - {"index"}
    assert pages == set(COMMANDS), f"docs/reference/commands/NAME.md: {pages ^ set(COMMANDS)}"
    for name in COMMANDS:
        assert f"<!-- command {name} -->" in (folder / f"{name}.md").read_text("utf-8")
        assert not re.findall(r"docs/\S+|\S+\.md", commands.written(name))  # not all have a clone
    assert "| `--websocket-port <int>`" in commands.written("serve")
    assert "| `--max-hash <int>`" in commands.written("engine")
    assert "## `plywire tournament run`" in commands.written("tournament")


def test_help_names_pages_by_their_titles() -> None:
    titles = {page.read_text("utf-8").partition("\n")[0].removeprefix("# ") for page in PAGES}
    texts = [" ".join(commands.written(name).split()) for name in COMMANDS]
    named = {title for text in texts for title in re.findall(r'\bpage "([^"]+)"', text)}
    assert named
    assert named - titles == set()


def test_each_command_is_listed_with_the_first_line_of_its_help() -> None:
    listed = {name: line for commands in GROUPS.values() for name, line in commands.items()}
    assert listed == {name: load_command(name).help.partition("\n\n")[0] for name in COMMANDS}


def test_the_groups_of_commands_link_to_all_pages() -> None:
    links = re.findall(r"\[`plywire (\w+)`\]\((\w+)\.md\)", commands.grouped())
    assert links == [(name, name) for name in COMMANDS]


def commands_in(line: str) -> Iterator[tuple[str, list[str]]]:
    """The programs of ours that a line of a shell calls, with their arguments."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    parts: list[list[str]] = [[]]
    for word in lexer:
        if set(word) <= set("();<>|&"):
            parts.append([])
        else:
            parts[-1].append(word)
    for part in parts:
        for name in PROGRAMS:
            if name in part and (words := part[part.index(name) + 1 :]):
                yield name, words


async def test_python_runs() -> None:
    async with Server(settings()) as server:
        url = "ws://{}:{}".format(*server.websocket_address)
        for block in of_language("python"):
            if block.name or block.page in OWN:
                continue
            if "pyspiel" in block.text and sys.version_info >= (3, 14):
                continue  # it is not built for this Python
            text = re.sub(r"(mqtt|ws)://127\.0\.0\.1[^\"]*", url, block.text)
            code = compile(text, block.page, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            names = {"connect": connect, **GIVEN}
            if code.co_flags & inspect.CO_COROUTINE:
                await eval(code, names)
            else:
                await asyncio.to_thread(exec, code, names)


def test_other_blocks_are_read() -> None:
    for block in of_language("toml"):
        tomllib.loads(block.text)
    for block in of_language("json"):
        if not block.text.startswith(">"):
            json.loads(block.text)
