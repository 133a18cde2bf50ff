"""The texts of responses of GTP."""

from plywire.protocol.messages import play


def response_lines(mark: str, number: str | int | None, text: str) -> list[str]:
    """Write a response; a blank line is its last line, and occurs nowhere else."""
    head = mark if number is None else f"{mark}{number}"
    first, *rest = text.split("\n")
    return [f"{head} {first}".rstrip(" "), *(line for line in rest if line), ""]


def score_text(result: play.ResultAnswer) -> str:
    """Write a score as `B+12`, `W+3` or `0`."""
    if result.winner is None:
        return "0"
    return f"{'B' if result.winner == 1 else 'W'}+{abs(result.score)}"


def size_text(size: str) -> str:
    """Write `8x8` as `8`, and `7x6` as `7 6`."""
    width, _, height = size.partition("x")
    return width if width == height else f"{width} {height}"


def rows_text(show: play.ShowAnswer) -> str:
    """Draw the rows from the top: `X` is Black, `O` White, `.` empty."""
    rows = [""]
    digits = ""
    for character in f"{show.fen.partition(' ')[0]}/":
        if character.isdecimal():
            digits += character
            continue
        rows[-1] += "." * int(digits or 0)
        digits = ""
        if character == "/":
            rows.append("")
        else:
            rows[-1] += character.upper()
    return "\n".join(["", *(" ".join(row) for row in rows if row)])
