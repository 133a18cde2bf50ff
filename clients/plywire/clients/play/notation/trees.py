"""Trees of properties in SGF and GGF: `(;GM[2]SZ[8];B[f5](;W[d6];B[c3])(;W[f6]))`."""

import re
from dataclasses import dataclass

from .source import Source, shorten
from .written import MOST_WORDS

#: The start of a tree. NBoard's command, or the number of games on the line, may precede it.
HEAD = re.compile(r"(?:set +game +|[0-9]+ +)?\( *;")

_NAME = re.compile(r"([A-Za-z]{1,16})[ \n]*(?=\[)")
_VALUE = re.compile(r"\[([^\]\\]*(?:\\.[^\]\\]*)*)\][ \n]*", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a node."""

    name: str
    values: tuple[str, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Tree:
    """The main line of a game."""

    at: int
    end: int
    nodes: list[list[Property]]
    has_branches: bool

    def first(self, name: str) -> Property | None:
        return next((found for node in self.nodes for found in node if found.name == name), None)

    def value(self, name: str, other: str = "") -> str:
        found = self.first(name)
        return other if found is None else found.values[0]


def read_tree(source: Source, at: int) -> Tree:
    """Read the tree that begins here."""
    text = source.text
    at = start = text.index("(", at)
    nodes: list[list[Property]] = []
    depth = properties = 0
    is_main, has_branches = True, False
    while at < len(text):
        sign = text[at]
        if sign in " \n":
            at += 1
        elif sign == "(":
            has_branches |= depth > 0
            depth += 1
            at += 1
        elif sign == ")":
            is_main = False  # the text after the first `)` belongs to other branches
            depth -= 1
            at += 1
            if depth == 0:
                return Tree(start, at, nodes, has_branches)
        elif sign == ";":
            if is_main:
                nodes.append([])
            at += 1
        elif name := _NAME.match(text, at):
            values = []
            at = name.end()
            while value := _VALUE.match(text, at):
                values.append(_ESCAPED.sub(r"\1", value[1]))
                at = value.end()
            if not values:
                raise source.error("format", at, "a [ without its ]", len(text))
            properties += 1
            if is_main and len(nodes) > 2 * MOST_WORDS:
                raise source.error("large", at, f"over {MOST_WORDS} moves", _behind(source, at))
            if is_main and nodes:
                nodes[-1].append(Property(name[1], tuple(values), name.start()))
        else:
            said = f"{shorten(text[at:])} is not understood: expected NAME[VALUE]"
            raise source.error("format", at, said, _behind(source, at))
    raise source.error("format", start, "a game without its )", len(text))


def _behind(source: Source, at: int) -> int:
    end = source.text.find(";)", at, source.line_end(at))
    return source.line_end(at) if end < 0 else end + 2
