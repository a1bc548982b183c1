"""Schemas that many operations share."""

from service.api.http.problems import STATUS
from service.api.schemas import fields as f
from service.rules.rulesets import RULESETS

RULESET_IDS = tuple(RULESETS)
AI_LEVELS = ("easy",)
DECISIONS = ("declare", "defend", "discard", "overcall-kitty", "call", "road", "play", "ready")
ON_TIMEOUT = ("auto_play", "ai_takeover", "pause")


class Fault(f.Contract):
    """One thing that is wrong with a request."""

    pointer = f.text("Where: a JSON pointer into the body, or `?name` for a parameter.", example="/cards/0")
    code = f.text("What is wrong, for programs.", example="no_such_card")
    detail = f.text("What is wrong, for people.", example="There is no such card.")


class RequiredUnit(f.Contract):
    """A unit that a play must contain."""

    kind = f.extensible("A tuple (a single has width 1), or a tractor.", ("tuple", "tractor"))
    width = f.integer("Identical cards of each tuple.", example=2)
    length = f.integer("Tuples of the tractor; 1 for a tuple.", example=1)


class Hints(f.Contract):
    """What helps to answer a decision; each kind has some of these. Never whether a throw will hold."""

    cards = f.integer("`play`, `discard`: how many cards; null: to lead.", optional=True, nullable=True, example=2)
    must_follow = f.text(
        "`play`: a suit letter or `trumps` to be followed; null: nothing.", optional=True, nullable=True, example="D"
    )
    required = f.array(f.nested(RequiredUnit), "`play`: units that must be contained.", optional=True)
    possible = f.array(
        f.cards(""),
        "`declare`, `defend`, `overcall-kitty`: every set that could be shown; none: pass.",
        optional=True,
        example=[["7H"], ["7H", "7H"]],
    )
    calls = f.integer("`call`: how many cards to call.", optional=True, example=2)
    roads = f.array(f.text(""), "`road`: what can be stated.", optional=True, example=["high", "low", "either"])
    example = f.anything(
        "`play`, `discard`: `cards` that may be sent. `call`: `calls` that may be sent. `road`: `road`.",
        optional=True,
        example=["4D", "4D"],
    )


class OpenDecision(f.Contract):
    """What the table waits for."""

    id = f.text("Name this id in the action that answers.", example="dc_481")
    kind = f.extensible("What is asked.", DECISIONS)
    seats = f.array(f.integer(""), "The seats that are asked.", example=[2])
    opened_seq = f.integer("Seq of the event that opened it.", example=481)
    deadline_at = f.time("When the time is over; null: there is no limit.", nullable=True)
    remaining_ms = f.integer("Milliseconds until then.", nullable=True, example=21450)
    on_timeout = f.extensible("What happens then.", ON_TIMEOUT)
    hints = f.nested(Hints, "Only for a seat that is asked: what helps to answer.", optional=True)


class Problem(f.Contract):
    """What went wrong (RFC 9457). Every answer with a status of 400 and above has this body."""

    type = f.text("Where the problem is described.", format="uri-reference", example="/docs/problems#not-your-turn")
    title = f.text("The kind of problem, for people.", example="It is not your turn")
    status = f.integer("The HTTP status.", example=409)
    detail = f.text("This occurrence of it, for people.", example="The table waits for seat 2.")
    instance = f.text("The path that was asked for.", format="uri-reference", example="/v1/tables/tb_7h2k/play")
    code = f.extensible("The kind of problem, for programs. Stable.", STATUS, example="not-your-turn")
    params = f.mapping("Every value that the texts mention.", example={"seats": [2]})
    errors = f.array(f.nested(Fault), "Where exactly, if the request itself is at fault.", example=[])
    request_id = f.text("Id of the request, to be quoted when asking about it.", example="rq_4b1c22f09a7de310")
    rule = f.text("Refused game actions: the rule that the action breaks.", optional=True, example="follow_suit")
    required = f.anything("Refused game actions: what the rule asked for.", optional=True)
    example = f.anything("Refused game actions: a legal one, from the caller's own hand.", optional=True)
    decision = f.nested(OpenDecision, "`stale-decision`: the decision that is open now.", optional=True, nullable=True)


class Page(f.Contract):
    """Parameters of every list."""

    limit = f.integer("Most entries in one answer.", 1, 100, query=True, default=20)
    cursor = f.text("`next_cursor` of the page before.", 1, 200, optional=True)


def next_cursor() -> object:
    """Return the field that turns the page."""
    return f.text("Send it as `cursor` to turn the page; null: this was the last one.", nullable=True)
