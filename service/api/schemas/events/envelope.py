"""Events as written by `service.game.views` (docs/contract.md §4): the envelope, pages and streams."""

from typing import cast

from service.api.schemas import fields as f
from service.api.schemas.common import HINTS
from service.api.schemas.events.rows import EVENT_DATA, MARKS
from service.api.schemas.view import View


class Event(f.Contract):
    """Something that happened at the table. Every viewer gets the same events; hidden cards appear as a count."""

    seq = f.integer("Its number: 1, 2, 3 … without gaps.", example=482)
    type = f.extensible("What happened. Ignore types that you do not know.", EVENT_DATA, example="trick_won")
    at = f.time("When it happened.")
    round = f.integer("Number of the round.", nullable=True, example=3)
    by = f.extensible("Who caused it.", ("player", "ai", "timeout", "server"))
    back = f.integer("The seat whose `timeouts` are 0 again, since its player has answered.", optional=True)
    data = f.mapping("The details.", example={"seat": 2, "number": 4, "points": 15})


EVENTS = f.Variants(Event, "type", "data", EVENT_DATA, "Event", MARKS)


OPENED_DECISIONS = f.Variants(
    cast("type[f.Contract]", EVENT_DATA["decision_opened"]), "kind", "hints", HINTS, "DecisionOpenedData"
)


class EventPage(f.Contract):
    """A page of the log, or the answer of a long poll."""

    events = f.array(f.nested(Event), "In order; empty if there are none.")
    next_after = f.integer("Send it as `after` to get the next events.", example=482)
    version = f.integer("Seq of the last event of the table.", example=482)
    server_time = f.time("Now, on the clock of all deadlines.")


#: Shortest and longest interval of heartbeats that a stream may request (s).
HEARTBEATS_S = (5, 10)


class EventQuery(f.Contract):
    """Which part of the log to read."""

    after = f.integer("Only events with a greater seq.", 0, 1_000_000_000, query=True, optional=True)
    wait = f.integer("Seconds to wait for the next event if there is none yet.", 0, 25, query=True, optional=True)
    limit = f.integer("Maximum number of events.", 1, 500, query=True, default=100)
    heartbeat = f.integer(
        "For a stream: the longest time between heartbeats in seconds; the first one comes at once. By default one "
        "comes every ten seconds.",
        *HEARTBEATS_S,
        query=True,
        optional=True,
    )
    ticket = f.text("A stream ticket, for `EventSource` in browsers, which cannot send a token.", 1, 80, optional=True)


class Outcome(f.Contract):
    """The outcome of an action."""

    seq = f.integer("Seq of its last event.", example=482)
    version = f.integer("Seq of the last event of the table.", example=483)
    server_time = f.time("Now, on the clock of all deadlines.")
    events = f.array(f.nested(Event), "Its events; for a retry, those recorded the first time.")
    view = f.nested(View, "The table now; left out with `Prefer: return=minimal`.", optional=True)


class LegalPlays(f.Contract):
    """Legal plays of the caller."""

    plays = f.array(f.cards(""), "Legal plays.", example=[["4D", "4D"], ["9D", "9D"]])
    complete = f.flag("Whether these are all of them.")


class StreamTicket(f.Contract):
    """A ticket that opens one event stream."""

    ticket = f.text("Send it as `?ticket=` within a minute; it works once.", example="tk_mR3…")
    expires_at = f.time("When it expires.")
    remaining_ms = f.integer("Milliseconds until then.", example=60000)


class StreamHeartbeat(f.Contract):
    """The `data` of `heartbeat`, a message that shows that the connection is alive."""

    server_time = f.time("Now, on the clock of all deadlines.")
    after = f.integer("Seq of the last event that was sent.", example=482)


class StreamReset(f.Contract):
    """The `data` of `reset`, a message that replaces everything the client knows about the table."""

    view = f.nested(View, "The table now; its `version` is the `id` of the message.")


class StreamEnd(f.Contract):
    """The `data` of `end`, the last message of a stream that ends on purpose. Close the `EventSource`."""

    reason = f.extensible(
        "`over`: the game is over, and every event has been sent. `seat-left`: the caller has lost the seat; open a "
        "new stream to go on as a spectator. `too-many-streams`: the caller has newer streams of this table, and has "
        "reached the limit. Otherwise the code of the problem that a new request would get.",
        (
            "over",
            "seat-left",
            "too-many-streams",
            "private-table",
            "no-spectators",
            "unauthorized",
            "not-found",
            "suspended",
            "address-blocked",
        ),
    )
    after = f.integer("Seq of the last event that was sent.", example=482)
