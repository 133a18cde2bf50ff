"""Pages from the templates beside this file; they escape whatever they show."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from .formats import duration, percent, points, shortened, signed


def render(template: str, **what: object) -> str:
    """The page of that template, without its endings."""
    return _environment().get_template(f"{template}.html.j2").render(what)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("plywire.server.arena.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "points": points,
        "signed": signed,
        "percent": percent,
        "duration": duration,
        "shortened": shortened,
    }
    return environment
