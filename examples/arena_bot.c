/* A bot for a server's arena, in C without a library: it plays at random.
 *
 *     cc -o arena_bot arena_bot.c
 *     ./arena_bot 127.0.0.1 7590 NAME TOKEN [GAMES]
 *     ./arena_bot 127.0.0.1 7590 NAME TOKEN --join TOURNAMENT
 *
 * It knows no rules: the server tells it which moves are legal. */
#define _POSIX_C_SOURCE 200809L
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

static int dial(const char *host, const char *port)
{
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM}, *found;
    if (getaddrinfo(host, port, &wanted, &found) != 0)
        return -1;
    int peer = socket(found->ai_family, found->ai_socktype, 0);
    return connect(peer, found->ai_addr, found->ai_addrlen) == 0 ? peer : -1;
}

int main(int count, char **words)
{
    if (count < 5) {
        fprintf(stderr, "usage: %s HOST PORT NAME TOKEN [GAMES | --join TOURNAMENT]\n", words[0]);
        return 2;
    }
    const char *tournament = count > 6 && strcmp(words[5], "--join") == 0 ? words[6] : NULL;
    int left = count > 5 && tournament == NULL ? atoi(words[5]) : 1;
    char begin[80] = "seek connect4 movetime 1000";
    if (tournament != NULL)
        snprintf(begin, sizeof begin, "join %s", tournament);
    int server = dial(words[1], words[2]);
    if (server < 0) {
        fprintf(stderr, "no server answers at %s:%s\n", words[1], words[2]);
        return 1;
    }
    srand(time(NULL));
    dprintf(server, "login %s %s\n", words[3], words[4]);

    FILE *events = fdopen(server, "r");
    char *line = NULL, table[65], turn[20], game[65], size[71], opponent[65] = "the opponent";
    int player = 0;
    size_t room = 0;
    while (getline(&line, &room, events) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        char *rest = line + strcspn(line, " ");
        if (*rest != '\0')
            *rest++ = '\0';
        if (strcmp(line, "welcome") == 0) {
            dprintf(server, "%s\n", begin);
        } else if (strcmp(line, "probe") == 0) {
            dprintf(server, "echo %s\n", rest);
        } else if (strcmp(line, "start") == 0) { /* TABLE GAME size=WIDTHxHEIGHT player=PLAYER opponent=NAME ... */
            sscanf(rest, "%*s %64s %70s player=%d opponent=%64s", game, size, &player, opponent);
            dprintf(server, "new-game %s %s\n", game, size);
        } else if (strcmp(line, "turn") == 0) { /* TABLE TURN LIMITS fen FEN moves MOVE... */
            sscanf(rest, "%64s %19s", table, turn);
            dprintf(server, "position %s\nlegal\n", strstr(rest, " fen ") + 5);
        } else if (strcmp(line, "legal") == 0) {
            const char *chosen = NULL;
            int seen = 0;
            for (char *move = strtok(rest, " "); move != NULL; move = strtok(NULL, " "))
                if (rand() % ++seen == 0)
                    chosen = move;
            dprintf(server, "play %s %s %s\n", table, turn, chosen);
        } else if (strcmp(line, "over") == 0) { /* TABLE TERMINATION winner PLAYER|none ... */
            int winner = atoi(strstr(rest, " winner ") + 8);
            const char *who = winner == 0 ? "nobody" : winner == player ? words[3] : opponent;
            printf("%s won: %s\n", who, strstr(rest, " reason ") + 8);
            if (tournament == NULL)
                dprintf(server, "%s\n", --left > 0 ? begin : "quit");
        } else if (strcmp(line, "progress") == 0) { /* STATE games=GAME,... ... name NAME */
            const char *name = strstr(rest, " name ") + 6;
            if (tournament != NULL && strncmp(rest, "over ", 5) == 0 && strcasecmp(name, tournament) == 0) {
                left = 0;
                dprintf(server, "quit\n");
            }
        } else if (strcmp(line, "error") == 0) { /* CODE MESSAGE */
            fprintf(stderr, "%s\n", rest);
            /* A move may come when the game has just ended; anything else is for good. */
            if (strncmp(rest, "game-over", 9) != 0 && strncmp(rest, "illegal-move", 12) != 0)
                return 1;
        }
    }
    return left > 0;
}
