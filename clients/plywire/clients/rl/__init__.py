"""Plywire in libraries of reinforcement learning: `pip install plywire[rl]`.

    openspiel_bot   any player as a bot of OpenSpiel
    policy          any player as a policy for PettingZoo, for our and other environments
    aec_env         our games as environments of PettingZoo
    gym_env         our games against an opponent, as environments of Gymnasium

The import registers `plywire/connect4-v0`, `plywire/othello-v0` and `plywire/tictactoe-v0` with
PettingZoo and Gymnasium.
"""

import gymnasium
import pettingzoo

for _name in ("connect4", "othello", "tictactoe"):
    _id, _game = f"plywire/{_name}-v0", {"game": _name}
    pettingzoo.register("aec", _id, f"{__name__}.aec_env:env", kwargs=_game)
    gymnasium.register(_id, f"{__name__}.gym_env:OnePlayerEnv", kwargs=_game)
