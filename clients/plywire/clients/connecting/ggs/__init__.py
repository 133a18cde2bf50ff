"""GGS, the Generic Game Server, and its Othello service `/os`.

    match_type      types of match, such as `8` and `s8r20`
    clock           the clock of three parts, and how much of it a player may spend
    messages        messages of the server, as objects
    reader          from bytes to messages
    connection      the login, commands, and messages
    acceptance      rules for requests of others
    ask             our requests for matches
    match_finder    finds matches: asks for some, and accepts requests
    game            a game of ours, its clocks, and our move
    matches         matches in progress, their games, and adjourned games
    resuming        resumes adjourned matches
    bot             a bot made of these parts

The sources are the public documents of M. Buro and I. Durdanovic at https://skatgame.net/mburo/ggs
and https://skatgame.net/mburo/ggsa; `docs/how-to/ggs.md` says what they leave open.
"""
