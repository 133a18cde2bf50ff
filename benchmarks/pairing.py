"""How long the Swiss system takes to pair a round, with 50 to 1,024 players and 11 rounds.

Of each size, a tournament with results by chance, in which the better seed is the likelier to win:
the median and the longest time of a round, in seconds.
`python benchmarks/pairing.py [PLAYERS …]`.
"""

import random
import sys
from statistics import median
from time import perf_counter

from plywire.server.arena.tournament.pairings import Score, Swiss

ROUNDS = 11


def main(counts: list[int]) -> None:
    """Print a line for each number of players."""
    Swiss().schedule(["one", "two"], {})  # loads the kernels
    print("players   median s   longest s")
    for count in counts:
        times = play(count, random.Random(count))
        print(f"{count:7}   {median(times):8.3f}   {max(times):9.3f}", flush=True)


def play(count: int, source: random.Random) -> list[float]:
    """Play a tournament; returns how long each round took to pair."""
    players = [f"p{number}" for number in range(count)]
    swiss = Swiss(rounds=ROUNDS)
    results: dict[int, Score] = {}
    drawn: dict[int, list[tuple[str, str]]] = {}
    times = []
    for number in range(1, ROUNDS + 1):
        start = perf_counter()
        schedule = swiss.schedule(players, results, drawn)
        times.append(perf_counter() - start)
        pairings = [pairing for pairing in schedule.pairings if pairing.round == number]
        drawn[number] = [pairing.players for pairing in pairings]
        for pairing in pairings:
            ahead = int(pairing.players[1][1:]) - int(pairing.players[0][1:])
            chance = 1 / (1 + 10 ** (-2 * ahead / count))
            points = sum(source.random() < chance for _ in range(2))
            results[pairing.number] = (float(points), 2.0 - points)
    return times


if __name__ == "__main__":
    main([int(count) for count in sys.argv[1:]] or [50, 100, 200, 400, 1024])
