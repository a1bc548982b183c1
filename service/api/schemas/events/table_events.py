"""The data of events of the table and its players, as written by `service.game.views` (docs/contract.md §4)."""

from functools import partial
from typing import Final

from service.api.schemas import fields as f
from service.api.schemas.common import HINTS
from service.api.schemas.events import parts
from service.api.schemas.view import CLOSED_BY, PRESENCE, Occupant, pause_reason
from service.game.commands.table.votes import VOTES

#: Type -> schema of its `data`.
TABLE_EVENTS: Final[parts.EventData] = {}
_event: Final = partial(parts.add_event, TABLE_EVENTS)


_event(
    "table_created",
    "The table was created.",
    table=f.text("Its id."),
    ruleset=f.text("The game that is played."),
    players=f.integer("Number of seats."),
    options=f.mapping("Every option with its effective value."),
    host=f.text("The player who manages the table. Empty: nobody, at a table of quick play."),
    next_commitment=f.text("Hash of the server seed of the first shuffle."),
)
_event("seat_taken", "A player sat down.", seat=parts.seat(), occupant=f.nested(Occupant, "The player."))
_event(
    "seat_left",
    "A player left the seat; in a running game an AI takes over.",
    seat=parts.seat(),
    reason=f.text(
        "`left`; `kicked`; `replaced`: somebody takes the seat of a player who has gone; `drawn`: seats are drawn at "
        "the start of a game; `moved`. After the last two, the player sits down elsewhere."
    ),
    autopilot=f.text("Level of the AI that takes over, or null.", nullable=True),
)
_event("ai_seated", "An AI took a seat.", seat=parts.seat(), occupant=f.nested(Occupant, "The AI."))
_event("seat_ready", "A player is ready, or no longer ready.", seat=parts.seat(), ready=f.flag("Whether ready."))
_event("entropy_given", "A player added entropy to the next shuffle.", seat=parts.seat())
_event(
    "settings_changed",
    "The host changed the table.",
    changes=f.mapping(
        "The new values of changed `options` and `settings`. An option that is missing there has its default."
    ),
    options=f.mapping("If options changed: the chosen ones, as in the view.", optional=True),
    join_code=f.text("For players, if settings changed: the join code. It is a new one after a kick.", optional=True),
    watch_code=f.text(
        "For players, if settings changed: the watch code; null: there is none.", nullable=True, optional=True
    ),
)
_event(
    "presence", "A player's presence changed.", seat=parts.seat(), presence=f.extensible("The new presence.", PRESENCE)
)
_event("host_changed", "The table has a new host.", host=f.text("The player."))
_event(
    "table_closed",
    "The table was closed.",
    reason=f.extensible("By whom: its host, or an operator of the service.", CLOSED_BY),
    practice_seed=f.text("For practice tables: the seed of their shuffles.", optional=True),
)
_event(
    "seat_taken_over",
    "An AI took over for an absent player.",
    seat=parts.seat(),
    level=f.text("Level of the AI."),
    reason=f.text("The reason."),
)
_event("seat_resumed", "The player took the seat back.", seat=parts.seat())
_event(
    "chat",
    "A chat message.",
    seat=f.integer("The sender's seat; null: a spectator.", nullable=True),
    player=f.text("The sender's id. Absent if the viewer may not read the message.", optional=True),
    name=f.text("The sender's name. Absent if the viewer may not read the message.", optional=True),
    text=f.text("The text.", optional=True, nullable=True),
    preset=f.text("The preset, instead of a text.", optional=True, nullable=True),
    muted=f.flag("Present and true if the viewer has muted the sender; name and text are then absent.", optional=True),
)
_event(
    "vote_opened",
    "A player opened a vote.",
    id=f.text("Id of the vote.", example="vt_77"),
    kind=f.extensible("What the vote is about.", VOTES),
    seat=f.integer("For `replace`: which seat.", nullable=True),
    by_seat=f.integer("The seat that opened it."),
    closes_at=f.time("When it fails if it is still open.", optional=True),
    remaining_ms=f.integer("Milliseconds from the event's `at` until then.", optional=True),
)
_event(
    "vote_cast",
    "A player voted.",
    vote=f.text("Id of the vote."),
    seat=parts.seat(),
    approve=f.flag("For or against."),
)
_event(
    "vote_closed",
    "A vote was decided.",
    vote=f.text("Id of the vote."),
    kind=f.text("What it was about."),
    passed=f.flag("Whether it passed."),
)
_event(
    "game_paused",
    "The game is paused: the open decision is closed, no time runs, and no cards are dealt.",
    by_seat=f.integer("The seat that asked for it, or was waited for."),
    until=f.time("When the game resumes at the latest; `absent`: until then at least the table is kept."),
    remaining_ms=f.integer("Milliseconds from the event's `at` until then."),
    reason=pause_reason(),
)
_event(
    "game_resumed",
    "The game goes on. The decision that was open before the pause is opened again, with the time that was left.",
    by_seat=f.integer("The seat that ended the pause; null: its time was up.", nullable=True),
    paused_ms=f.integer("How long it has lasted."),
)
_event("bank_used", "A late action used the time bank.", seat=parts.seat(), bank_ms=f.integer("What is left of it."))
_event(
    "take_back",
    "A take-back was asked for, answered or carried out. There is one `done` for each play that goes back, last one "
    "first; `charged`: the side of `seat` loses a level for it at the end of the round.",
    seat=f.integer(
        "The seat that asks; `done`: the seat whose play goes back; `charged`: the seat that asked.", example=2
    ),
    stage=f.extensible("The stage of the request.", ("asked", "accepted", "refused", "done", "charged")),
    by_seat=f.integer("The seat that accepted or refused.", optional=True),
    cards=parts.cards("The cards that returned to the hand.", hidden=True),
    winning=f.integer("`done`: the seat that is winning now; null: the table is empty.", optional=True, nullable=True),
    returnable=parts.returnable(),
)
_event(
    "decision_opened",
    "A decision was opened. It comes after every event that it depends on.",
    id=f.text("Id of the decision.", example="dc_481"),
    kind=f.extensible("Its kind.", HINTS),
    seats=f.array(f.integer(""), "The seats that are asked."),
    phase=parts.phase(),
    hints=f.mapping(parts.HINTS, optional=True),
    on_timeout=f.text("What happens when time is up."),
    deadline_at=f.time("The deadline.", nullable=True),
    remaining_ms=f.integer("Milliseconds from the event's `at` until then.", nullable=True),
)
_event(
    "interrupted",
    "Nobody could reach the service for a while: deadlines move, and a timed deal goes on where it stopped.",
    ms=f.integer("Milliseconds for which nobody could reach it.", example=67000),
    deadline_at=f.time("The new deadline of the open decision, if it has one.", optional=True),
    remaining_ms=f.integer("Milliseconds from the event's `at` until then.", optional=True),
    closes_at=f.time("When the open vote now fails, if there is one.", optional=True),
    pause_until=f.time("When the game now resumes at the latest, if it is paused.", optional=True),
)
_event(
    "decision_timed_out",
    "Time ran out.",
    decision=f.text("Id of the decision."),
    seats=f.array(f.integer(""), "The seats that were late."),
    action=f.text("What happens now."),
)
_event(
    "clock_advanced",
    "In a sandbox: its time has advanced to the event's `at`.",
    ms=f.integer("Milliseconds since the previous event.", example=30000),
)
