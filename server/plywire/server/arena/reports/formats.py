"""Numbers and names in the form in which a report shows them."""

from __future__ import annotations


def signed(value: float, digits: int = 0) -> str:
    """Return a number with its sign and a true minus; zero has no sign."""
    text = f"{abs(value):.{digits}f}".removesuffix(".0")
    if not float(text):
        return text
    return f"{'−' if value < 0 else '+'}{text}"


def points(value: float) -> str:
    """Return points as score tables write them, such as 7½."""
    whole = int(value)
    if value == whole:
        return str(whole)
    return f"{whole or ''}½"


def percent(share: float | None) -> str:
    """Return a share of one as a percentage; an uncertain share is never 0 % or 100 %."""
    if share is None:
        return "–"
    if 0.995 <= share < 1:
        return ">99 %"
    if 0 < share < 0.005:
        return "<1 %"
    return f"{share:.0%}".replace("%", " %")


def duration(ms: float | None) -> str:
    """Return a time for people, from ms."""
    if ms is None:
        return "–"
    if ms < 1000:
        return f"{ms:.0f} ms"
    if ms < 60_000:
        return f"{ms / 1000:.1f} s"
    minutes, seconds = divmod(round(ms / 1000), 60)
    return (
        f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min {seconds} s"
    )


def shortened(name: str, most: int = 22) -> str:
    """Return a name, cut to `most` characters."""
    return name if len(name) <= most else f"{name[: most - 1]}…"
