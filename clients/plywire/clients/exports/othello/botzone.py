"""The loop for Botzone's game Reversi: lines of JSON, in a process that keeps running.

The first line has all requests and our responses so far: `{"requests": [...], "responses": [...]}`.
Each later line is only the next request. A request is the opponent's move, `{"x": 2, "y": 3}`; a
response is our move. Both are -1 for a pass, and in the first request to Black.
"""

import json
import sys
from typing import Any, Dict, Tuple

from .agent import moves, player

#: Time for a move, in seconds. `plywire export` fills it in.
SECONDS = 0.0
_KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
_BLACK, _WHITE = 1 << 28 | 1 << 35, 1 << 27 | 1 << 36


def _played(mover: int, other: int, move: Dict[str, int]) -> Tuple[int, int]:
    """Return both players' discs after a move of `mover`."""
    if move["x"] < 0:
        return mover, other
    own, other = moves(mover, other)[move["x"] + 8 * move["y"]]
    return other, own


def main() -> None:
    """Answer until the input ends."""
    search = player()
    for line in sys.stdin:
        asked: Dict[str, Any] = json.loads(line)
        requests, responses = asked.get("requests", [asked]), asked.get("responses", [])
        if "requests" in asked:
            own, other = (_BLACK, _WHITE) if requests[0]["x"] < 0 else (_WHITE, _BLACK)
        for number, request in enumerate(requests):
            other, own = _played(other, own, request)
            if number < len(responses):
                own, other = _played(own, other, responses[number])
        square = search.best(own, other, SECONDS)
        move = {"x": -1, "y": -1} if square == 64 else {"x": square % 8, "y": square // 8}
        own, other = _played(own, other, move)
        print(json.dumps({"response": move}))
        print(_KEEP_RUNNING, flush=True)


if __name__ == "__main__":
    main()
