"""`plywire kernels`: build the kernels that the package of a game ships."""

from typing import Annotated

import typer

from plywire.engine import registry, shipping
from plywire.engine.compiled.native import PreparationError
from plywire.engine.game import RulesError

from .common import failing, refusing
from .completion import complete_game


def main(
    game: Annotated[str, typer.Argument(help="Name of the game.", autocompletion=complete_game)],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if the files differ.")
    ] = False,
) -> None:
    """Build the kernels of a game into its package, so that users need no Numba.

    The command needs Numba: `pip install 'plywire[compile]'`. The files go into the folder `ir` of
    the game's package. Ship that folder, and run the command again after each edit of the kernels.
    """
    with refusing(RulesError):
        programs = shipping.programs_of(registry.backend_of(registry.load(game)))
    with failing("kernels", PreparationError):
        wanted = shipping.build(programs)
    there = shipping.shipped(programs)
    if check:
        if wrong := list(shipping.differences(wanted, there)):
            typer.echo(
                f"plywire kernels: not built from the kernels as they are: {' '.join(wrong)}\n"
                f"to build them again: plywire kernels {game}",
                err=True,
            )
            raise typer.Exit(1)
        return
    shipping.write(wanted, there)
    for file, content in wanted.items():
        typer.echo(f"{file}  {len(content) / 1000:.0f} KB")
