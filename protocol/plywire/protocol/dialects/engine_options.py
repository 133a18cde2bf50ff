"""Options that an engine offers, and the values that they take."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast, get_args

OptionKind = Literal["spin", "check", "combo", "string", "button"]

_INTEGER = re.compile(r"-?[0-9]{1,15}")


@dataclass(frozen=True, slots=True)
class EngineOption:
    """An option that an engine offers, as UCI describes it."""

    name: str
    kind: OptionKind
    """The type of the value: whole number, boolean, one of several words, text, or an action."""
    default: str = ""
    least: int | None = None
    most: int | None = None
    """The range of a number; None for a bound that the engine does not give."""
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        match self.kind:
            case "spin" if self.least is not None and self.most is not None:
                return f"{self.name} ({self.least} to {self.most})"
            case "check":
                return f"{self.name} (true or false)"
            case "combo":
                return f"{self.name} ({', '.join(self.choices)})"
            case kind:
                return f"{self.name} ({kind})"

    def takes(self, value: str) -> bool:
        """Return whether the engine accepts this value, as far as its description says."""
        match self.kind:
            case "spin" if _INTEGER.fullmatch(value):
                number = int(value)
                bounds = (self.least, number, self.most)
                known = [bound for bound in bounds if bound is not None]
                return known == sorted(known)
            case "check":
                return value in ("true", "false")
            case "combo":
                return value.lower() in map(str.lower, self.choices)
            case kind:
                return kind == "string"


def read_option(words: Sequence[str]) -> EngineOption | None:
    """Return the option that the words after `option name` describe, None if they describe none."""
    # The name may contain the word `type`. It ends at the first `type` that a known kind follows.
    kinds = get_args(OptionKind)
    places = range(1, len(words) - 1)
    place = next((at for at in places if words[at] == "type" and words[at + 1] in kinds), 0)
    if not place:
        return None
    name, kind = " ".join(words[:place]), words[place + 1]
    given: dict[str, list[str]] = {"default": [], "min": [], "max": [], "var": []}
    field = ""
    for word in words[place + 2 :]:
        # The default of a string extends to the end of the line. Only the field `var` may be
        # repeated, so another repeated field is part of a value.
        is_text = kind == "string" and field == "default"
        if word in given and not is_text and (word == "var" or not given[word]):
            field = word
            given[field].append("")
        elif field:
            given[field][-1] = f"{given[field][-1]} {word}".lstrip()
    default = "".join(given["default"][:1])
    least, most = (
        int(values[0]) if values and _INTEGER.fullmatch(values[0]) else None
        for values in (given["min"], given["max"])
    )
    choices = tuple(dict.fromkeys(filter(None, [default, *given["var"]])))
    return EngineOption(
        name, cast(OptionKind, kind), default, least, most, choices if kind == "combo" else ()
    )


def check_options(offered: Sequence[EngineOption], wanted: Mapping[str, str]) -> None:
    """Raise ValueError, in one line, if an engine does not offer these options and values."""
    known = {option.name.lower(): option for option in offered}
    for name, value in wanted.items():
        option = known.get(name.lower())
        if option is None:
            names = ", ".join(map(str, offered)) or "none"
            raise ValueError(f"it has no option {name!r}; its options are: {names}")
        if not option.takes(value):
            raise ValueError(f"it does not take {name}={value}; it takes {option}")
