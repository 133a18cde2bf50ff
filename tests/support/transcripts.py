"""The transcripts of the protocol's pages, and a peer that plays them."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (
    ROOT / "protocol" / "PROTOCOL.md",
    *sorted((ROOT / "docs" / "reference" / "protocol").glob("*.md")),
    ROOT / "docs" / "reference" / "errors.md",
)

#: The pages of the protocol, one after the other.
PROTOCOL = "\n".join(page.read_text("utf-8") for page in PAGES)

_FENCED = re.compile(r"^```(plywire|json|ugi|uci|gtp|nboard)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Transcript:
    """The lines of a client in a dialect (`> …`) and of the server (`< …`, or `<` if blank)."""

    dialect: str
    title: str
    steps: tuple[str, ...]


def transcripts() -> list[Transcript]:
    return [
        Transcript(found[1], f"{found[1]}-{number}", tuple(found[2].splitlines()))
        for number, found in enumerate(_FENCED.finditer(PROTOCOL))
    ]


def read_transcript(path: Path) -> Transcript:
    """The transcript in a file of its own: the peer's greeting names its dialect, `#` a comment."""
    lines = path.read_text("utf-8").splitlines()
    steps = tuple(line for line in lines if not line.startswith("#"))
    return Transcript(steps[0].removeprefix("> "), path.stem, steps)


class ScriptedPeer:
    """Plays the peer of a transcript; whoever holds it moves the lines.

    ::

        while not peer.is_done:
            if (line := peer.says()) is not None:
                send(line)
            else:
                peer.hears(receive())
    """

    def __init__(self, transcript: Transcript) -> None:
        # Reports of a search may come at any time while it runs.
        self._steps = [step for step in transcript.steps if not _is_report(step)]
        self._reports = [step[2:] for step in transcript.steps if _is_report(step)]

    @property
    def is_done(self) -> bool:
        return not self._steps

    def says(self) -> str | None:
        """The next line, None if it is the other's turn to say something."""
        if self._steps and self._steps[0].startswith("> "):
            return self._steps.pop(0)[2:]
        return None

    def hears(self, line: str) -> None:
        """Raises AssertionError if the line is not the one expected next."""
        expected = self._steps[0] if self._steps else "the end"
        if expected.startswith("<") and matches(expected[2:], line):
            self._steps.pop(0)
            return
        # Not so an `info string`, which tells of errors.
        reports = [] if line.startswith("info string") else self._reports
        assert any(matches(report, line) for report in reports), (
            f"heard {line!r} before {expected!r}"
        )


def matches(pattern: str, line: str) -> bool:
    """Whether a line is as expected, with `…` standing for any text."""
    return bool(re.fullmatch(".*".join(map(re.escape, pattern.split("…"))), line))


def _is_report(step: str) -> bool:
    return step.startswith(
        (
            *("< info …", '< {"type":"info"', "< search …", "< nodestats …"),
            *("< preparing …", '< {"type":"preparing"'),
        )
    )
