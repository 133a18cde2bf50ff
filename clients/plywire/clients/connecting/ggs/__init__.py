"""GGS, the Generic Game Server, and its Othello service `/os`.

    match_type      what is played: `8`, `s8r20`, and how it is written
    clock           the clock of three parts, and what of it a player may spend
    messages        what the server says, as objects
    reader          bytes to messages
    connection      the login, what the server is told, and the messages that come
    acceptance      whose requests to accept
    seeking         how matches are found: we ask for some, and accept what others ask for
    game            a game of ours: where it stands, its clock, and our move in it
    matches         the matches that go on, their games, and what was broken off
    resuming        how what was broken off goes on
    bot             a player on the server, made of all that

Written from the public documents of M. Buro and I. Durdanovic at https://skatgame.net/mburo/ggs and
https://skatgame.net/mburo/ggsa; `docs/how-to/ggs.md` says what they leave open.
"""
