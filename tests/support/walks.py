"""Games played at random, and counting the tree of games."""

from hypothesis import strategies as st

from plywire.engine.game import Game, Position


@st.composite
def walks(draw: st.DrawFn, game: Game) -> list[Position]:
    """The positions of some game from its start, as often as not to its end."""
    # Left to itself, Hypothesis draws short lists: games would hardly get beyond the opening.
    length = draw(st.integers(0, game.width * game.height + 8))
    walk = [game.start()]
    for choice in draw(st.lists(st.integers(0, 255), min_size=length, max_size=length)):
        moves = walk[-1].moves()
        if not moves:
            break
        walk.append(walk[-1].play(moves[choice % len(moves)]))
    return walk


def positions(game: Game) -> st.SearchStrategy[Position]:
    """Positions that some game leads to."""
    return walks(game).map(lambda walk: walk[-1])


def perft(position: Position, depth: int) -> tuple[int, int]:
    """The leaves at that depth, and the games finished earlier."""
    if depth == 0:
        return 1, 0
    moves = position.moves()
    if not moves:
        return 0, 1
    counts = [perft(position.play(move), depth - 1) for move in moves]
    return sum(leaves for leaves, _ in counts), sum(finished for _, finished in counts)
