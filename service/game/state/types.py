"""A table as a value, and the small questions that everybody asks about it.

The state is a JSON value (dicts, lists, strings, numbers), so that a snapshot is the state and nothing else. It is
never changed in place: `evolve` returns a new one that shares what did not change.

    id, version (seq of the last event), created_at, ruleset, players, options (effective), status
    settings      {visibility, join_code, clock: {…ms}, spectators, spectator_delay_ms, chat, take_back, ai_pace_ms,
                   seed, closed}
    host          player id
    seats[n]      {occupant: {kind, player, name, level} | None, autopilot: AI level | None, ready, presence, timeouts,
                   bank_ms, level, active, attempted, penalty}
    game          None | {id, number, started_seq, round, starter, declarer, results, winners, scores, ended (why),
                   ended_at, kept}
    next_seed     hex, secret until the round that it shuffles has ended; next_commitment is public
    entropy       {seat: hex} for the next round
    round         None | see `service.game.commands.dealing.open_round` and `service.game.events.evolve.round_opened`
    decision      None | {id, kind, seats, opened_seq, opened_at, deadline, on_timeout}
    vote          None | {id, kind, seat, votes: {seat: bool}}
    answers[n]    per seat the latest answers: [decision id (or the client's key), digest of the body, tx]

Cards inside are kinds and hands are counts (`service.rules.cards`); times are milliseconds since the epoch.
"""

from typing import Any, Final

State = dict[str, Any]
Event = dict[str, Any]

SCHEMA: Final = 1
