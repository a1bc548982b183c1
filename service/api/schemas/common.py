"""Shared schemas."""

from service.api.http.problems import STATUS
from service.api.schemas import fields as f
from service.rules.options.rulesets import RULESETS
from service.texts.ai_reasons import REASONS

RULESET_IDS = tuple(RULESETS)
ON_TIMEOUT = ("auto_play", "ai_takeover", "pause")


class Fault(f.Contract):
    """One invalid part of a request."""

    pointer = f.text(
        "Where: a JSON pointer into the body, `?name` for a parameter, `Name:` for a header; empty: the whole body.",
        example="/cards/0",
    )
    code = f.text("What is wrong, for programs.", example="no_such_card")
    detail = f.text("What is wrong, for people.", example="There is no such card.")


class RequiredUnit(f.Contract):
    """A unit that a play must contain."""

    kind = f.extensible("A tuple (a single has width 1), or a tractor.", ("tuple", "tractor"))
    width = f.integer("Identical cards of each tuple.", example=2)
    length = f.integer("Tuples of the tractor; 1 for a tuple.", example=1)


class PlayHints(f.Contract):
    """Lead or follow. The hints do not tell whether a throw will hold."""

    cards = f.integer("How many cards; null: any number (a lead).", nullable=True, example=2)
    must_follow = f.text("The suit letter or `trumps` to follow; null: nothing.", nullable=True, example="D")
    required = f.array(f.nested(RequiredUnit), "Units that the play must contain.")
    ruff = f.array(f.nested(RequiredUnit), "Units that a ruff must contain; left out: none.", optional=True)
    example = f.cards("A legal play.", example=["4D", "4D"])


class DiscardHints(f.Contract):
    """Bury the kitty."""

    cards = f.integer("How many cards.", example=8)
    example = f.cards("A legal discard.", example=["3C", "3C", "4S", "6D", "8D", "9C", "9S", "JC"])


class CalledCard(f.Contract):
    """A card called for a friend."""

    card = f.card("The card.", example="AS")
    ordinal = f.integer("Which copy makes its player a friend, counted in the order of play.", optional=True, example=2)
    other = f.flag("`true`: the copy that the declarer does not hold.", optional=True)


class CallHints(f.Contract):
    """Call cards for friends."""

    calls = f.integer("How many cards to call.", example=1)
    example = f.array(f.nested(CalledCard), "Legal calls.", example=[{"card": "AS", "ordinal": 1}])


class RoadHints(f.Contract):
    """Arm's Length: state a road."""

    roads = f.array(f.text(""), "The possible roads.", example=["high", "low", "either"])
    example = f.text("One of them.", example="either")


class DeclareHints(f.Contract):
    """Show cards, to declare, to defend or to overcall for the kitty; or pass."""

    possible = f.array(
        f.cards(""),
        "Every set that may be shown; empty: only a pass is possible.",
        example=[["7H"], ["7H", "7H"]],
    )
    redeal = f.flag("Whether the hand may ask for a new deal now (`misdeal`); left out: it may not.", optional=True)


#: Kind of decision -> schema of its `hints`, or None.
HINTS: dict[str, type[f.Contract] | None] = {
    "declare": DeclareHints,
    "defend": DeclareHints,
    "discard": DiscardHints,
    "overcall-kitty": DeclareHints,
    "call": CallHints,
    "road": RoadHints,
    "play": PlayHints,
    "ready": None,
}


class Away(f.Contract):
    """Holidays of a seat that is asked: its clock stands still."""

    seat = f.integer("The seat.", example=2)
    since = f.time("When they begin.")
    until = f.time("When they end.")


class AnyDecision(f.Contract):
    """A decision of any kind."""

    id = f.text("Its id, to be sent with the action that answers it.", example="dc_481")
    kind = f.extensible("The kind of decision.", HINTS)
    seats = f.array(
        f.integer(""),
        "The seats that are asked and have not answered. A player who has passed or is ready may still change that.",
        example=[2],
    )
    opened_seq = f.integer("Seq of the event that opened it.", example=481)
    deadline_at = f.time("When time is up; null: no limit.", nullable=True)
    remaining_ms = f.integer("Milliseconds until then, when this was written.", nullable=True, example=21450)
    on_timeout = f.extensible("What happens then.", ON_TIMEOUT)
    away = f.array(
        f.nested(Away), "Holidays of seats that are asked, until the deadline; left out: none.", optional=True
    )
    hints = f.mapping("For seats that may answer: help with answering.", optional=True)


class OpenDecision(AnyDecision):
    """The decision that the table waits for."""


DECISIONS = f.Variants(OpenDecision, "kind", "hints", HINTS, "Decision")


class ProbableFriend(f.Contract):
    """A seat that is probably a friend whom nobody knows yet, by what the deciding seat has seen."""

    seat = f.integer("The seat.", example=3)
    chance = f.integer("The probability that it is a friend in the end, in percent.", example=57)
    points = f.integer("Points that it has given to the declarer's side, in tricks of one card.", example=10)
    text = f.text(
        "Both in one line, in the language of `Accept-Language`.",
        example="Probably a friend (57%): has given the declarer's side 10 points.",
    )


class Reason(f.Contract):
    """Why an AI player decides so."""

    code = f.extensible("The kind of reason, for programs.", REASONS, example="ruff")
    params = f.mapping("All values that the texts mention.", example={"points": 15, "chance": 84})
    text = f.text(
        "The reason in one line, in the language of `Accept-Language`.",
        example="Ruffs for 15 points, and holds the trick most of the time.",
    )
    figures = f.text(
        "The numbers behind the reason, in the same language; empty: none.",
        example="The trick is won 84% of the time.",
    )
    friends = f.array(
        f.nested(ProbableFriend),
        "In hints and analyses of games of friends: who is probably a friend, most probable first. A seat is told "
        "once, at the first decision after the points that make it probable; left out: nobody.",
        optional=True,
    )


class Problem(f.Contract):
    """An error (RFC 9457). Every response with a status of 400 or above has this body."""

    type = f.uri("Link to a description of the problem.", example="/docs/problems#not-your-turn")
    title = f.text("The kind of problem, for people.", example="It is not your turn")
    status = f.integer("The HTTP status.", example=409)
    detail = f.text("This occurrence, for people.", example="The table waits for seat 2.")
    instance = f.uri("The requested path.", example="/v1/tables/tb_7h2k/play")
    code = f.extensible("The kind of problem, for programs. Stable.", STATUS, example="not-your-turn")
    params = f.mapping("All values that `title` and `detail` mention.", example={"seats": [2]})
    errors = f.array(f.nested(Fault), "The invalid parts of the request, if it is invalid.", example=[])
    request_id = f.text("Id of the request; quote it when you report the problem.", example="rq_4b1c22f09a7de310")
    rule = f.text("Refused game actions: the broken rule.", optional=True, example="follow_suit")
    required = f.anything(
        "Refused game actions: what the rule requires. `insufficient-scope`: the scopes that the token lacks.",
        optional=True,
    )
    example = f.anything("Refused game actions: a legal action from the caller's own hand.", optional=True)
    decision = f.nested(AnyDecision, "`stale-decision`: the open decision.", optional=True, nullable=True)
    server_time = f.time("`stale-decision`: now, on the clock of all deadlines.", optional=True)


class Page(f.Contract):
    """Parameters of paginated lists."""

    limit = f.integer("Maximum number of entries.", 1, 100, query=True, default=20)
    cursor = f.text("`next_cursor` of the previous page.", 1, 200, optional=True)


def next_cursor() -> object:
    """Return the field with the cursor of the next page."""
    return f.text("Send it as `cursor` to get the next page; null: this is the last page.", nullable=True)


#: Most rights that may be kept when others end: all that a player can have.
MOST_KEPT = 60


def keep_query(about: str) -> f.Field:
    """Return the query parameter with the ids of rights that stay when others end."""
    return f.text(
        about, 1, 1_500, pattern=r"^[A-Za-z0-9_]+(,[A-Za-z0-9_]+)*$", optional=True, example="wh_5kx3q2m4na7h"
    )
