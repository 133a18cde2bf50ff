#!/usr/bin/env bash
# A bot for a server's arena, in Bash and nothing else: it plays at random.
#
#     bash arena_bot.sh 127.0.0.1 7590 NAME TOKEN [GAMES]
#     bash arena_bot.sh 127.0.0.1 7590 NAME TOKEN --join TOURNAMENT
#
# It knows no rules: the server tells it which moves are legal.
begin="seek connect4 movetime 1000" left=${5:-1}
[[ $left == --join ]] && begin="join $6" left=1
shopt -s nocasematch # as the server finds tournaments by their names
exec 3<>"/dev/tcp/$1/$2" || exit 1
say() { echo "$@" >&3; }

say login "$3" "$4"
while read -r verb rest <&3; do
  case $verb in
    welcome) say "$begin" ;;
    probe) say echo "$rest" ;;
    start) # TABLE GAME size=WIDTHxHEIGHT player=PLAYER opponent=NAME ...
      read -r _ game size player opponent _ <<<"$rest"
      say new-game "$game" "$size"
      ;;
    turn) # TABLE TURN LIMITS fen FEN moves MOVE...
      read -r table turn _ <<<"$rest"
      say position "${rest#* fen }"
      say legal
      ;;
    legal)
      read -ra moves <<<"$rest"
      say play "$table" "$turn" "${moves[RANDOM % ${#moves[@]}]}"
      ;;
    over) # TABLE TERMINATION winner PLAYER score SCORE reason REASON
      read -r _ _ _ winner _ <<<"$rest"
      case $winner in
        none) winner=nobody ;;
        "${player#player=}") winner=$3 ;;
        *) winner=${opponent#opponent=} ;;
      esac
      echo "$winner won: ${rest#* reason }"
      if [[ $begin == seek* ]]; then ((--left)) && say "$begin" || say quit; fi
      ;;
    progress) # STATE games=GAME,... ... name NAME
      if [[ $rest == over*" name ${6-}" ]]; then left=0 && say quit; fi
      ;;
    error) # CODE MESSAGE
      echo "$rest" >&2
      # A move may come when the game has just ended; anything else is for good.
      [[ $rest == game-over* || $rest == illegal-move* ]] || exit 1
      ;;
  esac
done
exit $((left > 0))
