"""A language model as a player, behind any endpoint that speaks OpenAI's chat completions.

export OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_MODEL=gpt-oss OPENAI_API_KEY=...
plywire match python:examples.model_player:ModelPlayer random --games 2 --movetime 60000
plywire exam python:examples.model_player:ModelPlayer --positions 5 --movetime 60000
"""

import json
import os
import re
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from plywire.clients.play.players.base import GameLine
from plywire.protocol.messages.limits import Limits

#: Answers that are no legal move; the last one counts.
ATTEMPTS = 3
PROMPT = """\
You play {title} as {side}, {letter} on this board:

{board}

Moves so far: {moves}
Legal moves: {legal}

Think as briefly as you can, and end with a line of this form: Move: {example}"""


class ModelPlayer:
    """Asks a model for each move, and again if there is no answer or no legal move in it."""

    def __init__(self) -> None:
        """Take the endpoint from the environment."""
        self.url = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
        self.model = os.environ["OPENAI_MODEL"]
        self.key = os.environ.get("OPENAI_API_KEY", "")
        self.moves = self.retries = self.illegal = 0

    def choose(self, line: GameLine, limits: Limits) -> str:
        """The move that the model names; after so many attempts also an illegal one."""
        position, game = line.position, line.position.game
        legal = [move.name for move in line.legal_moves]
        prompt = PROMPT.format(
            title=game.title,
            side=game.players[position.turn],
            letter="xo"[position.turn],
            board=position.board(),
            moves=" ".join(line.names) or "none",
            legal=" ".join(legal),
            example=legal[0],
        )
        messages = [{"role": "user", "content": prompt}]
        left = limits.left(position.turn + 1)
        until = time.monotonic() + (60 if left is None else left / 1000)
        self.moves += 1
        for attempt in range(ATTEMPTS):
            answer = self.ask(messages, until)
            move = (re.findall(r"move:\W*(\w+)", answer, re.IGNORECASE) or [answer])[-1].lower()
            if move in legal:
                return move
            self.illegal += 1
            if attempt < ATTEMPTS - 1:
                self.retries += 1
                again = f"{move!r} is no legal move. The legal moves are {' '.join(legal)}."
                messages += [
                    {"role": "assistant", "content": answer},
                    {"role": "user", "content": again},
                ]
        return move

    def ask(self, messages: list[dict[str, str]], until: float) -> str:
        """What the model answers; raises OSError if there is no answer in time."""
        body = json.dumps({"model": self.model, "messages": messages}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}"}
        request = Request(f"{self.url}/chat/completions", body, headers)
        waits = [1.0, 4.0]
        while True:
            try:
                with urlopen(request, timeout=max(until - time.monotonic(), 1)) as response:
                    return json.load(response)["choices"][0]["message"]["content"] or ""
            except OSError as error:
                code = error.code if isinstance(error, HTTPError) else 500
                if not waits or (code < 500 and code != 429):
                    raise  # it will do no better
                wait = waits.pop(0)
                if isinstance(error, HTTPError) and "Retry-After" in error.headers:
                    wait = float(error.headers["Retry-After"])
                if time.monotonic() + wait > until:
                    raise
            self.retries += 1
            time.sleep(wait)

    def close(self) -> None:
        """Say how it went."""
        print(
            f"{self.model}: {self.moves} moves, {self.retries} retries, {self.illegal} illegal",
            file=sys.stderr,
        )
