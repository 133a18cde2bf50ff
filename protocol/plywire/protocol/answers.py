"""Which events answer which command."""

from . import commands, events

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
}


def answers(event: events.Event, command: commands.Command) -> bool:
    """Whether an event of this type may answer the command."""
    return isinstance(event, (*ANSWERS[type(command)], events.Error))


def closes(event: events.Event, command: commands.Command) -> bool:
    """Whether the event, answering the command, is the last one to do so."""
    return isinstance(event, (ANSWERS[type(command)][-1], events.Error))
