"""Check texts against the rules of `docs/project/writing.md` that a program can judge.

    python -m docs.plain_words             checks all pages, the help of all commands, new commits
    python -m docs.plain_words FILE...     checks these pages alone

Each finding is one line: the place, the rule and the words. The exit status is 1 if there is any.
Code, in blocks or between backticks, is not prose: a wrong form that a page has to show goes there.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from typer.main import get_command

ROOT = Path(__file__).parents[1]
PAGES = ("*.md", "docs/**/*.md", "engine/**/*.md", "examples/*.md", "protocol/*.md")
MOST_WORDS = 30
MOST_CHANGE_WORDS = 20
MOST_HELP_WORDS = 12
MOST_SUBJECT = 72

#: Words that begin a clause without a subject; a question may begin with them.
_HEADLESS = re.compile(
    r"(?:^[\"“(*_[]*(?=[A-Z])|; )"
    r"((?:[Ww]h(?:o|om|ose|at|ere|ich|oever|atever)|[Oo]f)(?:['’]s)?)\b"
    r"(?! course\b)"
)
#: Cells of tables are labels as well, so that "What it does" may stand there.
_HEADLESS_CELL = re.compile(r"^((?:Who|Whose|Whoever|Whatever|Where|Of|As what|By what))\b")

#: The title of a page as a subject: "[Run a match](c) has all flags."
_TITLE = re.compile(r"(?:^[\"“(*_]*|[;:] )\[[^]`]+\]\(c\) [a-z]")

#: What to write, and instead of what.
_WORDS = {
    "say, print, report, show or distinguish": r"t(?:ell|ells|elling|old) (?:of|how|what|whether"
    r"|which|who|whom|where|all|each|no|nothing|anew|apart|so|as|scores?)",
    "needs": r"(?:has|have|had) to be told",
    "again": r"anew",
    "also, or the noun again": r"likewise",
    "next to, with or than": r"beside",
    "except": r"save (?:that|for)",
    "the noun again": r"as such|that one(?=[.,;:)]|$| (?:is|was|has|may|can|must|will) )",
    "the number, or many": r"so many",
    "your, or their": r"(?:of )?one['’]s(?: own)?",
    "the noun, such as a client": r"whoever",
    "the noun, or any": r"whatever",
    "the British spelling": r"behaviors?|colors?|cent(?:er|ers|ered)|neighbors?|favors?|honors?"
    r"|catalogs?|(?:initial|optim|real|recogn|organ|normal|serial|minim|maxim|summar|synchron)iz"
    r"(?:e|es|ed|ing|ation)|analyz(?:e|es|ed|ing)",
    # One word a thing.
    "client, engine, user or player": r"peers?|visitors?",
    "spectator": r"watchers?|observers?",
    "token, session token or key": r"secrets?",
    "player or opponent": r"(?<!\bon )(?:both|either|neither|each|the other|the same|one) sides?"
    r"(?! (?:of|to) )",
    "program or engine": r"programmes?",
    "the page": r"web apps?",
    "the word of the glossary": r"grace|patience",
    "user, guest, player or people": r"persons?",
}
_RULES = [
    *((re.compile(rf"\b(?:{words})\b", re.IGNORECASE), use) for use, words in _WORDS.items()),
    (re.compile(r"(?<![\w.])\.\d+"), "a 0 before the point"),
    (re.compile(r"[^\s(]±\S*|±\S+"), "± with a space on both sides"),
]

_END = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bcf\.)(?<!\bvs\.)(?<![ (][A-Z]\.)[)\"”*_]*\s+"
    r"(?=[\"“(*_`[A-Z0-9])"
)
_FRONT_MATTER = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)
#: Blocks of MyST that hold prose.
_PROSE = re.compile(r"\{(?:note|tip|warning|important|admonition|dropdown)\}")

_SUBJECT = re.compile(r"[\w.,/ -]+: \S.*[^.\s]")
_NO_IMPERATIVE = re.compile(
    r": (?!bring|sing|embed|feed|need|seed|speed|shed|focus)\w*(?:ing|ed|[^s\W]s) "
)


@dataclass(frozen=True)
class Prose:
    """A paragraph, an item, a heading or a cell, with its code left out."""

    line: int
    text: str
    kind: str
    """`prose`, `heading`, `head` of a column or `cell`."""


def read(page: str) -> Iterator[Prose]:
    """The prose of a page in Markdown."""
    page = _FRONT_MATTER.sub(lambda found: "\n" * found[0].count("\n"), page)
    yield from _prose(MarkdownIt("commonmark").enable("table").parse(page), 1)


def _prose(tokens: Sequence[Token], first: int) -> Iterator[Prose]:
    kind, line = "prose", first
    for token in tokens:
        if token.map:
            line = first + token.map[0]
        if token.type in ("heading_open", "th_open", "td_open"):
            kind = {"h": "heading", "th": "head", "td": "cell"}[token.tag.rstrip("123456")]
        elif token.type in ("heading_close", "th_close", "td_close"):
            kind = "prose"
        elif token.type == "inline":
            yield Prose(line, _text(token), kind)
        elif token.type == "fence" and _PROSE.match(token.info):
            yield from _prose(MarkdownIt("commonmark").parse(token.content), line + 1)


def _text(token: Token) -> str:
    """What a reader reads; ends of lines stay, code is one word, links to pages have brackets."""
    parts = {"code_inline": "`c`", "softbreak": "\n", "hardbreak": "\n", "image": ""}
    text, is_page = [], False
    for child in token.children or ():
        if child.type == "link_open":
            is_page = ".md" in str(child.attrGet("href"))
        if child.type.startswith("link_"):
            text.append({"link_open": "[", "link_close": "](c)"}[child.type] if is_page else "")
        else:
            text.append(parts.get(child.type, child.content if child.type == "text" else ""))
    return "".join(text)


def check(prose: Prose, most: int = MOST_WORDS) -> Iterator[tuple[int, str]]:
    """Each finding with its line; `most` are the words of a sentence."""
    start = 0
    for end in (*(found.end() for found in _END.finditer(prose.text)), len(prose.text)):
        sentence = prose.text[start:end]
        line = prose.line + prose.text.count("\n", 0, start)
        for at, finding in _check_sentence(sentence, prose.kind, most):
            yield line + sentence.count("\n", 0, at), finding
        start = end


def _check_sentence(sentence: str, kind: str, most: int) -> Iterator[tuple[int, str]]:
    flat = sentence.replace("\n", " ").strip()
    offset = len(sentence) - len(sentence.lstrip())
    if kind in ("prose", "cell") and not flat.endswith("?"):
        headless = _HEADLESS if kind == "prose" else _HEADLESS_CELL
        for found in headless.finditer(flat):
            yield offset + found.start(1), _finding("begin with the subject", found[1], flat, found)
    if kind == "prose":
        for found in _TITLE.finditer(flat):
            yield (
                offset + found.start(),
                _finding("write `For …, see [the page]`", found[0], flat, found),
            )
    words = [word for word in flat.split() if re.search(r"\w", word)]
    if len(words) > most:
        start = " ".join(words[:8])
        yield 0, f"{len(words)} words in a sentence, {most} at most: {start} …"
    for rule, use in _RULES:
        for found in rule.finditer(flat):
            yield offset + found.start(), _finding(f"write {use}", found[0], flat, found)


def _finding(rule: str, word: str, text: str, found: re.Match[str]) -> str:
    around = text[max(0, found.start() - 20) : found.end() + 30]
    return f"{rule}, not {word!r}: {around}"


def check_page(path: Path) -> Iterator[str]:
    """The findings of a page, as a compiler prints them."""
    shown = path.resolve().relative_to(ROOT) if path.resolve().is_relative_to(ROOT) else path
    most = MOST_CHANGE_WORDS if path.name == "CHANGELOG.md" else MOST_WORDS
    for prose in read(path.read_text("utf-8")):
        for line, finding in check(prose, most):
            yield f"{shown}:{line}: {finding}"


def check_help() -> Iterator[str]:
    """The findings of what `--help` prints, of all commands and tools."""
    from docs.commands import click_commands, walk  # loads the product
    from tools.books import __main__ as books
    from tools.training import __main__ as training

    tools = (("tools.books", books.app), ("tools.training", training.app))
    found = (one for name, app in tools for one in walk(get_command(app), name))
    for name, command in (*click_commands(), *found):
        for prose in read(command.help or ""):
            yield from (f"{name} --help: {finding}" for _, finding in check(prose))
        for parameter in command.params:
            if parameter.name in ("install_completion", "show_completion"):
                continue  # Typer's own
            yield from check_option(f"{name} {parameter.opts[0]}", getattr(parameter, "help", ""))


def check_option(place: str, text: str | None) -> Iterator[str]:
    """The findings of the help of an option; code counts as one word, and defaults do not count."""
    text = re.sub(r"\s*Default: .*", "", text or "")
    for prose in read(text):
        yield from (f"{place}: {finding}" for _, finding in check(Prose(1, prose.text, "cell")))
        words = len(prose.text.split())
        if words > MOST_HELP_WORDS:
            yield f"{place}: {words} words of help, {MOST_HELP_WORDS} at most: {text}"


def check_commits() -> Iterator[str]:
    """The findings of the commits since this check is here, merges left out."""
    first = _git("log", "--diff-filter=A", "--format=%H", "--", "docs/plain_words.py").split()
    for commit in first[-1:]:
        log = _git("log", "--ancestry-path", "--no-merges", "--format=%h %s", f"{commit}..HEAD")
        for line in log.splitlines():
            name, _, subject = line.partition(" ")
            yield from (f"commit {name}: {finding}" for finding in check_subject(subject))


def check_subject(subject: str) -> Iterator[str]:
    """The findings of the first line of a commit's message."""
    if len(subject) > MOST_SUBJECT:
        yield f"{len(subject)} characters, {MOST_SUBJECT} at most: {subject}"
    if not _SUBJECT.fullmatch(subject):
        yield f"write `area: imperative`, without a full stop: {subject}"
    elif _NO_IMPERATIVE.search(subject):
        yield f"begin with an imperative, such as `add`: {subject}"


def _git(*arguments: str) -> str:
    """The output of Git; nothing outside a repository."""
    run: Any = subprocess.run(("git", *arguments), cwd=ROOT, capture_output=True, text=True)
    return str(run.stdout)


def main(*paths: str) -> None:
    """Print all findings, and exit with status 1 if there are any."""
    pages = [Path(path) for path in paths] or sorted(p for one in PAGES for p in ROOT.glob(one))
    findings = [finding for page in pages for finding in check_page(page)]
    if not paths:
        findings += [*check_help(), *check_commits()]
    for finding in findings:
        print(finding)
    if findings:
        sys.exit(f"{len(findings)} findings; docs/project/writing.md has the rules")


if __name__ == "__main__":
    main(*sys.argv[1:])
