"""Commands that take their options as one object."""

from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from plywire.server.cli.options import expanded, reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """A size."""

    width: Annotated[int, typer.Option(min=1)]
    depth: Annotated[int | None, typer.Option(parser=reader(lambda text: int(text, 16)))] = None


def made() -> typer.Typer:
    app = typer.Typer()

    @app.command()
    @expanded
    def show(name: str, size: Size, loud: bool = False) -> None:
        """Show a size."""
        typer.echo(f"{name} {size.width} {size.depth} {loud}")

    return app


def test_the_fields_of_a_dataclass_are_options() -> None:
    arguments = ["box", "--width", "3", "--depth", "ff", "--loud"]
    assert CliRunner().invoke(made(), arguments).output == "box 3 255 True\n"
    assert CliRunner().invoke(made(), ["box", "--width", "3"]).output == "box 3 None False\n"
    assert "Show a size." in CliRunner().invoke(made(), ["--help"]).output


def test_an_option_says_what_is_wrong() -> None:
    for given, problem in (
        ([], "Missing option '--width'"),
        (["--width", "0"], "greater than or equal to 1"),
        (["--width", "1", "--depth", "x"], "invalid literal for int() with base 16"),
    ):
        done = CliRunner().invoke(made(), ["box", *given])
        assert done.exit_code == 2
        assert problem in " ".join(done.output.replace("│", " ").split())
