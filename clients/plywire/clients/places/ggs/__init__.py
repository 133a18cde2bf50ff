"""GGS, the Generic Game Server, and its Othello service `/os`.

    match_type      what is played: `8`, `s8r20`, and how it is written
    clock           the clock of three parts, and what of it a player may spend
    messages        what the server says, as objects
    reader          bytes to messages
    acceptance      whose requests to accept
    bot             a player on the server: logs in, seeks, plays, comes back

Written from the public documents of M. Buro and I. Durdanovic at https://skatgame.net/mburo/ggs and
https://skatgame.net/mburo/ggsa; `docs/ggs.md` says what they leave open.
"""
