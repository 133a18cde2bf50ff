"""Pages from the templates in `templates`, which escape all values."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from .formats import duration, percent, points, shortened, signed


def render(template: str, **what: object) -> str:
    """Return the page of a template, which is named without its extensions."""
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
