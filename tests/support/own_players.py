"""Classes as users write them, who need nothing of ours."""

import asyncio
import os
import sys
import threading
import time

import numpy as np

#: Set when one that blocks may go on.
released = threading.Event()


class First:
    def choose(self, line, limits):
        return line.position.moves()[0]


class Named(First):
    def choose(self, line, limits):
        return line.position.game.move_name(super().choose(line, limits)).upper()


class Numbered(First):
    def choose(self, line, limits):
        return np.int64(super().choose(line, limits))


class Patient(First):
    async def choose(self, line, limits):
        await asyncio.sleep(0)
        return super().choose(line, limits)


class Told(First):
    """Counts the games that it is told of, and plays nothing before."""

    limits = None
    resumes = False

    def __init__(self):
        self.games = 0

    def start(self, game):
        self.games += 1

    async def close(self):
        self.games = 0

    def choose(self, line, limits):
        assert self.games
        return super().choose(line, limits)


class Wrong:
    answer: object = 99

    def choose(self, line, limits):
        print("thinking")
        return self.answer


class Silent(Wrong):
    answer = None


class Vague(Wrong):
    answer = "z9"


class Split(Wrong):
    answer = 0.5


class Failing:
    def choose(self, line, limits):
        raise ValueError("no idea")


class Asking:
    def choose(self, line, limits):
        return line.position.play(99)


class Leaving:
    def choose(self, line, limits):
        sys.exit(3)


class Deaf:
    def choose(self):
        return 0


class Untold(First):
    def start(self):
        pass


class Dying:
    def choose(self, line, limits):
        os._exit(3)


class Unmakeable(First):
    def __init__(self, depth):
        self.depth = depth


class Blocking:
    def choose(self, line, limits):
        released.wait()


class Sleeping:
    def choose(self, line, limits):
        time.sleep(3600)


class Mute:
    pass


class Sure(Wrong):
    answer = True


class Many(Wrong):
    answer = np.array([0, 1])


class Huge(Wrong):
    answer = 10**5000


class BlockingAtFirst(First):
    def __init__(self):
        released.wait()


class BlockingBeforeGames(First):
    def start(self, game):
        released.wait()


class Othello(First):
    games = ("othello",)


class Chess(First):
    games = ("chess",)
