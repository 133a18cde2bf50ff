"""Reads and writes lines of the native dialect, as messages declare them.

A line is the type of the message, followed by its fields. `Message.lines` says which fields, and
`InLine` how a field is written. Limits are keywords with numbers, among the other keywords. A text
without a key may be several words if no other value follows it.
"""

from collections import deque
from collections.abc import Sequence, Set
from enum import Enum, auto
from functools import cache
from itertools import pairwise, takewhile
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from plywire.protocol.dialects.parsing import Words, build, integer, syntax, unspeakable
from plywire.protocol.errors import PeerError
from plywire.protocol.messages.base import Message
from plywire.protocol.messages.in_line import InLine, Place, TextSize
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Score
from plywire.protocol.validation import shorten

from .values import FORMS, LIMITS, WORD, Form, read_limits

M = TypeVar("M", bound=Message)


class _Size(Enum):
    """The number of words of a value."""

    ONE = auto()
    TEXT = auto()
    """Any number of words, separated by single spaces."""
    LIST = auto()
    """Any number of words; each is a value."""
    LIMITS = auto()


class _Part:
    """A field on a line."""

    def __init__(self, field: str, info: FieldInfo) -> None:
        declared = next((mark for mark in info.metadata if isinstance(mark, InLine)), InLine())
        self.field = field
        self.place = declared.place
        self.nothing = declared.nothing
        self.begins_end = declared.begins_end
        self.size, self.form = _form(info.rebuild_annotation())
        if declared.is_optional is not None:
            self.is_optional = declared.is_optional
        elif TextSize.ANY in info.metadata:
            self.is_optional = self.place is Place.NEXT
        else:
            is_always = self.size is _Size.LIMITS or self.nothing is not None
            self.is_optional = not (is_always or info.is_required())
        #: Whether the part is left out when its value is the default.
        self.is_hidden = self.is_optional and self.place is not Place.NEXT
        #: The default of the field, or an empty text or list if the field has no default.
        self.default = info.get_default(call_default_factory=True)
        if self.default is PydanticUndefined:
            self.default = () if self.size is _Size.LIST else ""
        self.before = {Place.KEY: f"{field}=", Place.KEYWORD: f"{field} "}.get(self.place, "")
        self._between = "," if self.place is Place.KEY else " "
        self.shown = self.before + (declared.shown or self._placeholder(info.annotation is bool))

    @property
    def is_required_word(self) -> bool:
        return self.place is Place.NEXT and self.size is _Size.ONE and not self.is_optional

    def read(self, words: Words) -> object:
        if self.nothing is not None and list(words) == [self.nothing]:
            return None
        if self.size is _Size.LIST:
            return tuple(self.form.read(self.field, word) for word in words)
        return self.form.read(self.field, " ".join(words))

    def write(self, value: Any) -> str:
        if self.size is _Size.LIST:
            return self._between.join(map(self.form.write, value))
        return self.form.write(value)

    def _placeholder(self, is_flag: bool) -> str:
        if self.size is _Size.LIST:
            return self.field.removesuffix("s").upper() + self._between.strip() + "..."
        name = "TRUE" if is_flag else self.field.upper()
        return name if self.nothing is None else f"{name}|{self.nothing}"


class _Line(Generic[M]):
    """One line of a message: most messages have one, some have two."""

    def __init__(self, kind: type[M], fields: Sequence[str], word: str = "") -> None:
        """`word` follows the type of the message, before the fields."""
        self.word = word
        self.verb: str = kind.model_fields["type"].default
        self._begin = f"{self.verb} {word}".rstrip(" ")
        parts = [_Part(field, kind.model_fields[field]) for field in fields]
        for part, next_part in pairwise(parts):
            if (part.size, part.place, next_part.place) == (_Size.TEXT, Place.NEXT, Place.NEXT):
                part.size = _Size.ONE
        self._parts = parts
        self._keys = {part.field: part for part in parts if part.place is Place.KEY}
        self._takes_limits = any(part.size is _Size.LIMITS for part in parts)
        # For each part, the keywords of later parts. They end a text or a list.
        self._stops: dict[str, Set[str]] = {}
        self._keywords: dict[str, _Part] = {}
        for part in reversed(parts):
            self._stops[part.field] = set(self._keywords)
            if part.size is _Size.LIMITS:
                self._keywords = dict.fromkeys(LIMITS, part) | self._keywords
            elif part.place is Place.KEYWORD:
                self._keywords = {part.field: part} | self._keywords
        # `_may_be_misread` is computed once here, because searches write many lines.
        self._written = [(part, self._may_be_misread(part)) for part in parts]
        # Required words at the beginning are recognised only by their place.
        self._head = list(takewhile(lambda part: part.is_required_word, parts))
        self._tail = parts[len(self._head) :]

    @property
    def syntax(self) -> str:
        """The line as errors show it, with brackets around what may be left out."""
        line, ends = self._begin, ""
        for part in self._parts:
            if part.begins_end:
                line, ends = f"{line} [{part.shown}", f"{ends}]"
            else:
                line += f" [{part.shown}]" if part.is_optional else f" {part.shown}"
        return line + ends

    def read(self, words: Words) -> dict[str, object]:
        """Return the values of fields in the words after the type; raise PeerError if invalid."""
        left = deque(words)
        values: dict[str, object] = {}
        for part in self._head:
            if not left:
                raise self.expected()
            values[part.field] = part.read([left.popleft()])
        numbers: dict[str, list[int]] = {}
        in_place = iter([part for part in self._tail if part.place is Place.NEXT])
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
        line = [self._begin]
        for part, is_risky in self._written:
            if part.begins_end and self._ends_before(part, message):
                break
            value = getattr(message, part.field)
            if part.is_hidden and value == part.default:
                continue
            text = (part.nothing or "") if value is None else part.write(value)
            if is_risky and value is not None and self._is_misread(part, text):
                raise unspeakable("plywire", message)
            if words := f"{part.before}{text}" if text else part.before.rstrip(" "):
                line.append(words)
        return " ".join(line)

    def expected(self) -> PeerError:
        return syntax(f"expected {self.syntax}")

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
            if part.field in values:
                continue
            # An empty list without a keyword has no words on the line, so it is not missing.
            if not part.is_optional and (part.size, part.place) != (_Size.LIST, Place.NEXT):
                raise self.expected()
            values[part.field] = part.default
        return values

    def _unexpected(self, word: str) -> PeerError:
        if not self._parts:
            return syntax(f"{self.verb} takes nothing after it, not {shorten(word)}")
        if not self._takes_limits:
            return self.expected()
        return syntax(f"{self.verb} takes {', '.join(self._keywords)}, not {shorten(word)}")

    def _ends_before(self, first: _Part, message: M) -> bool:
        rest = self._parts[self._parts.index(first) :]
        return all(getattr(message, part.field) == part.default for part in rest)

    def _may_be_misread(self, part: _Part) -> bool:
        """Return whether a field can have values that, once written, would be read differently."""
        if part.form is not WORD or part.place is Place.KEY:
            return False
        is_key = part.is_optional and part.place is Place.NEXT and bool(self._keys)
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
        is_key = part.is_optional and part.place is Place.NEXT and equals and key in self._keys
        return bool(is_key) or text == part.nothing


class Grammar(Generic[M]):
    """The lines of one type of command or event."""

    def __init__(self, kind: type[M]) -> None:
        self._kind = kind
        if len(kind.lines) > 1:
            self._lines = [_Line(kind, fields, word) for word, *fields in kind.lines]
        else:
            every = [field for field in kind.model_fields if field not in ("type", "id")]
            self._lines = [_Line(kind, fields) for fields in kind.lines or (every,)]
        flags = {line.word for line in self._lines} & kind.model_fields.keys()
        self._flags = [{flag: flag == line.word for flag in flags} for line in self._lines]

    def read(self, words: Words, **others: object) -> M:
        """Return the message with the words after its type; raise PeerError if they do not fit."""
        for line, flags in zip(self._lines, self._flags, strict=True):
            if not line.word:
                return build(self._kind, **line.read(words), **others)
            if line.word in words[:1]:
                return build(self._kind, **flags, **line.read(words[1:]), **others)
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


def _form(hint: Any) -> tuple[_Size, Form]:
    """Return how many words a value of the type has, and how each is written."""
    match get_origin(hint), get_args(hint):
        case origin, kinds if origin in (Union, UnionType):
            return _form(next(kind for kind in kinds if kind is not NoneType))
        case origin, (first, *marks) if origin is Annotated:
            size, form = _form(first)
            is_text = any(isinstance(mark, TextSize) for mark in marks)
            return _Size.TEXT if is_text else size, form
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
