"""Which events answer which command."""

from . import arena_commands, arena_events, commands, events

#: The events that may answer a command; the last one closes it. `error` closes any command as well.
ANSWERS: dict[type[commands.Command], tuple[type[events.Event], ...]] = {
    commands.Hello: (events.Hello,),
    commands.Games: (events.GameInfo, events.Ok),
    commands.NewGame: (events.Ok,),
    commands.SetPosition: (events.Ok,),
    commands.Move: (events.Ok,),
    commands.Undo: (events.Ok,),
    commands.Legal: (events.Legal, events.Ok),
    commands.Show: (events.Show, events.Ok),
    commands.Eval: (events.Eval, events.Ok),
    commands.Result: (events.Result, events.Ok),
    commands.SetOption: (events.Ok,),
    commands.Go: (events.Info, events.BestMove),
    commands.Stop: (events.Ok,),
    commands.Ping: (events.Pong,),
    commands.Quit: (events.Bye,),
    arena_commands.Login: (arena_events.Welcome,),
    arena_commands.Resume: (arena_events.Welcome,),
    arena_commands.Lobby: (arena_events.Bot, arena_events.Offer, events.Ok),
    arena_commands.Watch: (events.Ok,),
    arena_commands.Unwatch: (events.Ok,),
    arena_commands.Seek: (arena_events.Offered,),
    arena_commands.Challenge: (arena_events.Offered,),
    arena_commands.Accept: (events.Ok,),
    arena_commands.Decline: (events.Ok,),
    arena_commands.Withdraw: (events.Ok,),
    arena_commands.Tournaments: (arena_events.Tournament, events.Ok),
    arena_commands.Join: (events.Ok,),
    arena_commands.Leave: (events.Ok,),
    arena_commands.Standings: (arena_events.Standing, events.Ok),
    arena_commands.Play: (events.Ok,),
    arena_commands.Note: (events.Ok,),
    arena_commands.Resign: (events.Ok,),
    arena_commands.Abort: (events.Ok,),
    arena_commands.Echo: (events.Ok,),
}


def answers(event: events.Event, command: commands.Command) -> bool:
    """Whether an event of this type may answer the command."""
    return isinstance(event, (*ANSWERS[type(command)], events.Error))


def closes(event: events.Event, command: commands.Command) -> bool:
    """Whether the event, answering the command, is the last one to do so."""
    return isinstance(event, (ANSWERS[type(command)][-1], events.Error))
