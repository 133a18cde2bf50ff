"""Reads and writes lines of the native dialect by the `syntax` of messages.

A line is the type of the message, followed by its `syntax`, word by word:

    NAME                the value of the field `name`; it may be a text of several words if no
                        other NAME follows
    MOVE...             all values of the field `moves`, each a word
    startpos|FEN        the value of the field, or that word in lower case for None
    key=ANYTHING        the value of the field `key`, at any place that allows `key=`; commas
                        separate several values; a text extends to the end of the line
    key ANYTHING        the same, as separate words; parts with keywords come in any order
    LIMITS              a field of that type: keywords with numbers, among the other keywords
    word                that word; if a true-or-false field has this name, the word means true
    [ANY OF THESE]      optional; left out if it is empty or, after a key, the default
    [NAME [REASON]]     optional, at the end; left out if all its fields have their defaults
    ONE / ANOTHER       either of the two

All other text in a syntax is for people: the error for a wrong line shows the syntax.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from inspect import get_annotations
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from pydantic_core import PydanticUndefined

from plywire.protocol.dialects.parsing import Words, build, integer, syntax, unspeakable
from plywire.protocol.errors import PeerError
from plywire.protocol.messages.base import Message
from plywire.protocol.messages.fields import Fen, Sentence, Text, Topic
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Score
from plywire.protocol.validation import shorten

from .values import FORMS, LIMITS, WORD, Form, read_limits

M = TypeVar("M", bound=Message)


class _Place(Enum):
    """The place of a part on its line."""

    NEXT = auto()
    """After the part before it."""
    KEY = auto()
    """After `key=`."""
    KEYWORD = auto()
    """After a keyword."""
    LITERAL = auto()
    """The part is a fixed word."""


class _Size(Enum):
    """The number of words of a value."""

    ONE = auto()
    TEXT = auto()
    """Any number of words, separated by single spaces."""
    LIST = auto()
    """Any number of words; each is a value."""
    LIMITS = auto()


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a syntax."""

    field: str
    place: _Place
    size: _Size = _Size.ONE
    form: Form = WORD
    is_optional: bool = False
    nothing: str | None = None
    """The word for None."""
    default: object = None
    """The default of the field; if the field has none, an empty text or list."""

    def read(self, words: Words) -> object:
        if self.nothing is not None and list(words) == [self.nothing]:
            return None
        match self.size:
            case _Size.LIST:
                return tuple(self.form.read(self.field, word) for word in words)
            case _:
                return self.form.read(self.field, " ".join(words))

    @property
    def write(self) -> Callable[[Any], str]:
        """The function that writes the value; after `key=`, commas separate several values."""
        write_one = self.form.write
        if self.size is not _Size.LIST:
            return write_one
        between = "," if self.place is _Place.KEY else " "
        return lambda values: between.join(map(write_one, values))

    @property
    def before(self) -> str:
        ends = {_Place.KEY: f"{self.field}=", _Place.KEYWORD: f"{self.field} "}
        return ends.get(self.place, "")

    @property
    def is_hidden(self) -> bool:
        """Whether the part is not written if it has its default."""
        return self.is_optional and self.place is not _Place.NEXT


class _Form(Generic[M]):
    """One syntax of a message: most messages have one, some have two."""

    def __init__(self, kind: type[M], text: str) -> None:
        """`text` is the syntax without the type."""
        self.verb: str = kind.model_fields["type"].default
        self.syntax = f"{self.verb} {text}"
        parts = tuple(_parts(kind, text))
        self._parts = parts
        self.literals = {part.field for part in parts if part.place is _Place.LITERAL}
        self._keys = {part.field: part for part in parts if part.place is _Place.KEY}
        self._takes_limits = any(part.size is _Size.LIMITS for part in parts)
        # The keywords that end a text or a list, for each part: the keywords of later parts.
        self._stops: dict[str, Set[str]] = {}
        self._keywords: dict[str, _Part] = {}
        for part in reversed(parts):
            self._stops[part.field] = self._keywords.keys() | set()
            if part.size is _Size.LIMITS:
                self._keywords = dict.fromkeys(LIMITS, part) | self._keywords
            elif part.place is _Place.KEYWORD:
                self._keywords = {part.field: part} | self._keywords
        # Searches write many lines: all that does not depend on the message is computed once.
        self._written = [
            (part, part.write, part.before, part.is_hidden, self._may_be_misread(part))
            for part in parts
        ]
        # The parts inside nested brackets, which may be left out together.
        nested = re.search(r"\[[^]]*\[.*", text)
        self._nested = parts[-len(nested[0].split()) :] if nested else ()
        # The required words at the beginning are read by their place alone.
        rest = iter(parts)
        self._head: list[_Part] = []
        self._tail: list[_Part] = []
        for part in rest:
            is_word = part.place in (_Place.NEXT, _Place.LITERAL) and part.size is _Size.ONE
            if part.is_optional or not is_word:
                self._tail = [part, *rest]
            else:
                self._head.append(part)

    def read(self, words: Words) -> dict[str, object]:
        """Return the values of fields in the words after the type; raise PeerError if invalid."""
        left = deque(words)
        values = dict(self._read_head(left))
        numbers: dict[str, list[int]] = {}
        in_place = iter([part for part in self._tail if part.place is _Place.NEXT])
        while left:
            word = left.popleft()
            key, equals, value = word.partition("=")
            if equals and key in self._keys and key not in values:
                values[key] = self._read_key(self._keys[key], value, left)
            elif word in self._keywords:
                if word in values or word in numbers:
                    raise syntax(f"{word} is given twice")
                part = self._keywords[word]
                if part.size is _Size.LIMITS:
                    numbers[word] = _read_numbers(word, left)
                elif part.size is _Size.ONE and not left:
                    raise self.expected()
                else:
                    values[word] = part.read(self._take(part, left))
            elif (part_here := next(in_place, None)) is None or part_here.size is _Size.LIMITS:
                raise self._unexpected(word)
            else:
                left.appendleft(word)
                values[part_here.field] = part_here.read(self._take(part_here, left))
        if self._takes_limits:
            values["limits"] = read_limits(self.verb, numbers)
        return self._completed(values)

    def write(self, message: M) -> str:
        """Return the line of a message; raise UnspeakableError if it would be read differently."""
        line = [self.verb]
        for part, write, before, is_hidden, is_risky in self._written:
            if part.place is _Place.LITERAL:
                line.append(part.field)
                continue
            if self._nested and part is self._nested[0] and self._has_defaults(message):
                break
            value = getattr(message, part.field)
            if is_hidden and value == part.default:
                continue
            text = (part.nothing or "") if value is None else write(value)
            if is_risky and value is not None and self._is_misread(part, text):
                raise unspeakable("plywire", message)
            if words := f"{before}{text}" if text else before.rstrip(" "):
                line.append(words)
        return " ".join(line)

    def expected(self) -> PeerError:
        return syntax(f"expected {self.syntax}")

    def _read_head(self, left: deque[str]) -> Iterator[tuple[str, object]]:
        for part in self._head:
            if not left:
                raise self.expected()
            word = left.popleft()
            if part.place is _Place.NEXT:
                yield part.field, part.read([word])
            elif word != part.field:
                raise self.expected()

    def _read_key(self, part: _Part, value: str, left: deque[str]) -> object:
        if part.size is _Size.LIST:
            return part.read(value.split(",") if value else [])
        words = [value]
        if part.size is _Size.TEXT:
            words += left
            left.clear()
        return part.read(words)

    def _take(self, part: _Part, left: deque[str]) -> list[str]:
        if part.size is _Size.ONE:
            return [left.popleft()]
        stops = self._stops[part.field]
        words = []
        while left and left[0] not in stops:
            words.append(left.popleft())
        return words

    def _completed(self, values: dict[str, object]) -> dict[str, object]:
        """Fill in defaults; raise PeerError if a required value is missing."""
        for part in self._parts:
            if part.field in values or part.place is _Place.LITERAL:
                continue
            # A list without a keyword takes no words if it is empty.
            if not part.is_optional and (part.size, part.place) != (_Size.LIST, _Place.NEXT):
                raise self.expected()
            values[part.field] = part.default
        return values

    def _unexpected(self, word: str) -> PeerError:
        if not self._parts:
            return syntax(f"{self.verb} takes nothing after it, not {shorten(word)}")
        if not self._takes_limits:
            return self.expected()
        return syntax(f"{self.verb} takes {', '.join(self._keywords)}, not {shorten(word)}")

    def _has_defaults(self, message: M) -> bool:
        return all(getattr(message, part.field) == part.default for part in self._nested)

    def _may_be_misread(self, part: _Part) -> bool:
        """Return whether some values, once written, would be read as something else."""
        if part.form is not WORD or part.place is _Place.KEY:
            return False
        is_key = part.is_optional and part.place is _Place.NEXT and bool(self._keys)
        is_one_or_stopped = part.size is _Size.ONE or bool(self._stops[part.field])
        return is_one_or_stopped or is_key or part.nothing is not None

    def _is_misread(self, part: _Part, text: str) -> bool:
        if part.size is _Size.ONE and " " in text:
            return True
        if part.size in (_Size.TEXT, _Size.LIST):
            stops = self._stops[part.field]
            if stops and not stops.isdisjoint(text.split(" ")):
                return True
        key, equals, _ = text.partition("=")
        is_key = part.is_optional and part.place is _Place.NEXT and equals and key in self._keys
        return bool(is_key) or text == part.nothing


class Grammar(Generic[M]):
    """The lines of one type of command or event."""

    def __init__(self, kind: type[M]) -> None:
        """Raise ValueError if the syntax names a field that does not exist."""
        self._kind = kind
        self._lines = [_Form(kind, text) for text in (kind.syntax or "").split(" / ")]
        flags = {name for line in self._lines for name in line.literals & kind.model_fields.keys()}
        self._flags = [{flag: flag in line.literals for flag in flags} for line in self._lines]

    def read(self, words: Words, **others: object) -> M:
        """Return the message with the words after its type; raise PeerError if they do not fit."""
        for line, flags in zip(self._lines, self._flags, strict=True):
            if len(self._lines) == 1 or not line.literals.isdisjoint(words[:1]):
                return build(self._kind, **flags, **line.read(words), **others)
        raise syntax(f"expected {', or '.join(line.syntax for line in self._lines)}")

    def write(self, message: M) -> str:
        """Return the line of a message; raise UnspeakableError if it would be read differently."""
        for line, flags in zip(self._lines, self._flags, strict=True):
            if not flags or all(getattr(message, flag) == value for flag, value in flags.items()):
                return line.write(message)
        raise unspeakable("plywire", message)


@cache
def grammar(kind: type[M]) -> Grammar[M]:
    """Return the grammar of a type of message, computed at the first call."""
    return Grammar(kind)


#: A part of a syntax: perhaps a keyword, and the placeholder of the value.
_PART = re.compile(r"(\[?)(?:([a-z]+) (?=[a-z|]*[A-Z]))?([^ \[\]]+)\]?")


def _parts(kind: type[Message], text: str) -> Iterator[_Part]:
    hints = _hints(kind)
    found = list(_PART.finditer(text))
    for place, match in enumerate(found):
        bracket, keyword, word = match.groups()
        names = word.removesuffix("...").split("|")
        capitals = next((name for name in names if name.isupper()), "")
        if "=" in word:
            field, where = word.partition("=")[0], _Place.KEY
        elif keyword:
            field, where = keyword, _Place.KEYWORD
        elif not capitals:
            yield _Part(word, _Place.LITERAL)
            continue
        else:
            field, where = capitals.lower() + "s" * word.endswith("..."), _Place.NEXT
        if field not in kind.model_fields:
            raise ValueError(f"{kind.__name__} has no field {field}, which its syntax names")
        size, form = _form(hints[field])
        if size is _Size.TEXT and where is _Place.NEXT and _is_value(found[place + 1 :]):
            size = _Size.ONE
        default = kind.model_fields[field].get_default(call_default_factory=True)
        if default is PydanticUndefined:
            default = () if size is _Size.LIST else ""
        nothing = next((name for name in names if name.islower()), None)
        yield _Part(field, where, size, form, bool(bracket), nothing, default)


def _is_value(found: list[re.Match[str]]) -> bool:
    """Return whether the next part is a value without a keyword."""
    return bool(found) and found[0][2] is None and found[0][3].isupper()


def _hints(kind: type[Message]) -> dict[str, Any]:
    hints: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        if issubclass(base, Message):
            hints |= get_annotations(base, eval_str=True)
    return hints


#: The text types that may contain spaces.
_TEXTS = (Text, Sentence, Fen, Topic)


def _form(hint: Any) -> tuple[_Size, Form]:
    """Return how many words a value of the type has, and how each is written."""
    if get_origin(hint) in (Union, UnionType):
        return _form(next(one for one in get_args(hint) if one is not NoneType))
    if hint in _TEXTS:
        return _Size.TEXT, WORD
    match get_origin(hint), get_args(hint):
        case origin, (first, *_) if origin is Annotated:
            return _form(first)
        case origin, (first, *_) if origin is tuple:
            return _Size.LIST, _form(first)[1]
        case origin, (first, *_) if origin is Literal:
            return _form(type(first))
    size = {Score: _Size.TEXT, Limits: _Size.LIMITS}.get(hint, _Size.ONE)
    return size, FORMS.get(hint, WORD)


def _read_numbers(keyword: str, left: deque[str]) -> list[int]:
    count = LIMITS[keyword]
    numbers = [integer(keyword, left.popleft()) for _ in range(min(count, len(left)))]
    if len(numbers) < count:
        raise syntax(f"{keyword} must be followed by {count} whole number(s)")
    return numbers
