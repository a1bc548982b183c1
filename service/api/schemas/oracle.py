"""Questions to the rule oracle and their answers: the inputs and outputs of a rule vector of the same kind.

`service.rules.oracle` reads a question closely and bounds its work; here it is told what a question looks like.
"""

from typing import Any, NamedTuple

from marshmallow import INCLUDE, Schema

from service.api.schemas import fields as f
from service.api.schemas.rulesets import Composition
from service.rules.oracle_input import MOST_CARDS, MOST_ENTRIES

_SUITS = ("S", "H", "D", "C")
_SIDES = ("declarers", "attackers")
_MOST_SEATS = 12


class Question(NamedTuple):
    """One kind of question.

    Attributes:
        kind: last part of its path.
        title: what it asks.
        about: what else there is to say.
        takes: schema of the body.
        gives: schema of the answer.
        example: of the body.
    """

    kind: str
    title: str
    about: str
    takes: type[Schema]
    gives: type[Schema]
    example: dict[str, Any]


class _Body(f.Contract):
    """What every question may name. Fields that a question does not read are let be: a whole vector may be sent."""

    class Meta:
        """See marshmallow."""

        unknown = INCLUDE

    players = f.integer(
        "How many play; may be left out where the ruleset leaves no choice.", 1, _MOST_SEATS, optional=True
    )
    decks = f.integer("Decks in use, whatever the ruleset's own composition.", 1, 6, optional=True)
    options = f.mapping("Where the options differ from the ruleset.", optional=True)


class AskedTrump(f.Contract):
    """What is trumps."""

    rank = f.text("The trump rank; null: none.", 1, 1, nullable=True, example="7")
    suit = f.choice("The trump suit; null: none.", *_SUITS, nullable=True, example="H")


class ShowEvent(f.Contract):
    """Cards shown, or everybody letting the moment pass."""

    seat = f.integer("Who.", 0, _MOST_SEATS - 1, optional=True)
    cards = f.cards("The whole set that then lies on the table.", 1, MOST_CARDS, optional=True)
    meaning = f.choice("Meant as this.", "declare", "reinforce", "overcall", "defend", optional=True, data_key="as")
    wait = f.flag("`true` instead of all that: everybody lets the moment for a defence pass.", optional=True)


class ShownSet(f.Contract):
    """Cards that somebody has shown."""

    seat = f.integer("Who.", 0, _MOST_SEATS - 1)
    cards = f.cards("What.", 1, MOST_CARDS)


class KittyEvent(f.Contract):
    """An overcall for the kitty, or a pass."""

    seat = f.integer("Who.", 0, _MOST_SEATS - 1)
    cards = f.cards("The cards shown.", 1, MOST_CARDS, optional=True)
    passes = f.flag("`true` instead of cards: a pass.", optional=True, data_key="pass")


class AskedCall(f.Contract):
    """A card called for a friend."""

    card = f.card("The card.", example="AS")
    ordinal = f.integer("Which copy.", 0, 12, optional=True, example=1)
    other = f.flag("`true` instead: the other copy.", optional=True)


def _plays(about: str, low: int = 1) -> f.Field:
    return f.array(f.cards("", 1, MOST_CARDS), about, low, MOST_ENTRIES)


class PlayedTrick(f.Contract):
    """A trick."""

    leader = f.integer("Who led.", 0, _MOST_SEATS - 1)
    plays = _plays("In order of play.")


class AskedLastTrick(f.Contract):
    """The last trick."""

    lead = f.cards("What was led.", 1, MOST_CARDS)
    winner_side = f.choice("The side that won it.", *_SIDES)


class Accepted(f.Contract):
    """Whether an event was accepted."""

    accepted = f.flag("A refused one changes nothing.")


class FinalTrump(f.Contract):
    """Who stands in the end."""

    seat = f.integer("Who.")
    suit = f.text("The trump suit; null: none.", nullable=True)
    rank = f.text("The trump rank; null: none.", nullable=True)


class FinalKitty(f.Contract):
    """What came of the overcalls."""

    suit = f.text("The trump suit; null: none.", nullable=True)
    kitty = f.integer("Who has the kitty.")


class Joining(f.Contract):
    """A call that was filled."""

    trick = f.integer("In which trick, from 0.")
    seat = f.integer("By whom.")
    call = f.integer("Which call, from 0.")


class PenaltyLevels(f.Contract):
    """Levels owed for a failed throw."""

    leader = f.integer("By the leader.")
    partners = f.integer("By each partner.")


class SetupAnswer(Composition):
    """The cards of a game."""


def _trump() -> f.Field:
    return f.nested(AskedTrump, "What is trumps.")


def _hand(about: str = "The hand.", **more: Any) -> f.Field:
    return f.cards(about, 0, MOST_CARDS, **more)


def _units() -> f.Field:
    return f.array(
        f.cards("", 1, MOST_CARDS), "How the lead is to be read, if not longest unit first.", 1, 60, optional=True
    )


def _seats(about: str) -> f.Field:
    return f.array(f.integer("", 0, _MOST_SEATS - 1), about, 1, _MOST_SEATS)


def _seat(about: str, **more: Any) -> f.Field:
    return f.integer(about, 0, _MOST_SEATS - 1, **more)


def _level(about: str, **more: Any) -> f.Field:
    return f.text(about, 1, 40, **more)


def _suit_or_none(about: str) -> f.Field:
    return f.choice(about, *_SUITS, nullable=True)


def _dealt_levels() -> dict[str, f.Field]:
    return {
        "level": _level("The level of the round.", optional=True),
        "levels": f.array(f.text("", 1, 40), "Or the level of each seat.", 1, _MOST_SEATS, optional=True),
        "active": f.array(f.flag(""), "Who is active, where the option `active_passive` is on.", 1, 12, optional=True),
    }


def _verdict() -> dict[str, f.Field]:
    return {
        "legal": f.flag("Whether the play is legal."),
        "rule": f.text("The rule that it breaks.", nullable=True),
        "required": f.anything("What the rule asks for."),
        "example": f.cards("A legal play.", 0, MOST_CARDS, nullable=True),
    }


def _calls() -> f.Field:
    return f.array(f.nested(AskedCall), "The calls.", 1, 20)


_HEARTS = {"rank": "2", "suit": "H"}
QUESTIONS: list[Question] = []


def _ask(
    kind: str,
    title: str,
    takes: dict[str, f.Field],
    gives: dict[str, f.Field] | type[Schema],
    /,
    about: str = "",
    **example: Any,
) -> None:
    name = "".join(word.capitalize() for word in kind.split("_"))
    asked = _Body.from_dict(dict(takes), name=f"{name}Question")
    asked.__doc__ = f"The inputs of a rule vector of the kind `{kind}`."
    given = gives if isinstance(gives, type) else f.Contract.from_dict(dict(gives), name=f"{name}Answer")
    if not isinstance(gives, type):
        given.__doc__ = f"The outputs of a rule vector of the kind `{kind}`."
    QUESTIONS.append(Question(kind, title, about, asked, given, example))


_ask("setup", "Ask what cards a game is played with.", {}, SetupAnswer, players=4)
_ask(
    "order",
    "Ask how the cards rank.",
    {"trump": _trump(), "scope": f.choice("Trumps, or a side suit.", "trumps", *_SUITS)},
    {
        "descending": f.array(f.cards("", 0, MOST_CARDS), "Groups of equal cards, from high to low."),
        "trumps_in_deck": f.integer("How many trumps are in all decks.", optional=True),
    },
    players=4,
    trump=_HEARTS,
    scope="trumps",
)
_ask(
    "adjacent",
    "Ask which ranks are consecutive.",
    {"trump": _trump(), "pairs": f.array(f.cards("", 2, 2), "Two different cards each.", 0, MOST_ENTRIES)},
    {
        "consecutive": f.array(f.cards(""), "Those of which two tuples make a tractor."),
        "not_consecutive": f.array(f.cards(""), "The others."),
    },
    players=4,
    trump=_HEARTS,
    pairs=[["3S", "4S"], ["3S", "5S"]],
)
_ask(
    "lead",
    "Ask how a lead is read.",
    {"trump": _trump(), "cards": f.cards("The cards led.", 1, MOST_CARDS), "units": _units()},
    {
        "valid": f.flag("Whether they may be put down together."),
        "rule": f.text("If not: the rule that they break.", optional=True),
        "kind": f.text("`single`, `tuple`, `tractor` or `throw`.", optional=True),
        "units": f.array(f.cards("", 0, MOST_CARDS), "How it is read, longest unit first.", optional=True),
    },
    players=4,
    trump=_HEARTS,
    cards=["3S", "3S", "4S", "4S"],
)
_ask(
    "throw",
    "Ask whether a throw holds.",
    {
        "trump": _trump(),
        "lead": f.cards("The cards thrown.", 1, MOST_CARDS),
        "hands": _plays("What every other player holds, in order of play after the leader."),
        "units": _units(),
    },
    {
        "ok": f.flag("Whether it holds."),
        "forced": f.cards("What is led instead.", 0, MOST_CARDS, optional=True),
        "penalty": f.integer("Points that go to the other side.", optional=True, nullable=True),
        "ends_round": f.flag("Whether the round ends.", optional=True),
        "penalty_levels": f.nested(PenaltyLevels, "Levels that are owed.", optional=True),
    },
    players=4,
    trump=_HEARTS,
    lead=["AS", "KS"],
    hands=[["3S", "4S"], ["5S", "6S"], ["AS", "7S"]],
)
_ask(
    "follow",
    "Ask whether a play may follow.",
    {
        "trump": _trump(),
        "lead": f.cards("What was led; a throw is one that held.", 1, MOST_CARDS),
        "hand": _hand(),
        "play": f.cards("The play in question, out of the hand.", 1, MOST_CARDS),
        "units": _units(),
    },
    _verdict(),
    players=4,
    trump=_HEARTS,
    lead=["3S", "3S"],
    hand=["4S", "4S", "5S", "6C"],
    play=["4S", "5S"],
)
_ask(
    "plays",
    "Ask what may be played.",
    {
        "trump": _trump(),
        "hand": _hand(),
        "lead": f.cards("What was led; left out: what may be led.", 1, MOST_CARDS, optional=True, nullable=True),
        "limit": f.integer("Most plays in the answer.", 1, 1_000, optional=True),
        "units": _units(),
    },
    {
        "plays": f.array(f.cards("", 0, MOST_CARDS), "Legal plays."),
        "complete": f.flag("Whether these are all of them."),
    },
    players=4,
    trump=_HEARTS,
    hand=["4S", "4S", "5S", "6C"],
    lead=["3S", "3S"],
)
_ask(
    "trick",
    "Ask who wins a trick.",
    {"trump": _trump(), "plays": _plays("In order of play, the lead first."), "units": _units()},
    {"winner": f.integer("Index of the best play.")},
    players=4,
    trump=_HEARTS,
    plays=[["3S"], ["KS"], ["2D"], ["AS"]],
)
_ask(
    "declare",
    "Ask what declarations come to.",
    {**_dealt_levels(), "events": f.array(f.nested(ShowEvent), "In order.", 0, MOST_ENTRIES)},
    {
        "expect": f.array(f.nested(Accepted), "For each event, whether it was accepted."),
        "final": f.nested(FinalTrump, "Who stands in the end; null: nobody.", nullable=True),
        "then": f.text("If nobody: what follows.", optional=True),
    },
    players=4,
    level="2",
    events=[{"seat": 1, "cards": ["2H"], "as": "declare"}, {"seat": 3, "cards": ["2S", "2S"], "as": "overcall"}],
)
_ask(
    "chao_di",
    "Ask what overcalls for the kitty come to.",
    {
        "level": _level("The level of the round."),
        "declarer": _seat("Who has just buried."),
        "declaration": f.nested(ShownSet, "What stood at the end of the deal."),
        "events": f.array(f.nested(KittyEvent), "In order.", 0, MOST_ENTRIES),
    },
    {
        "expect": f.array(f.nested(Accepted), "For each event, whether it was accepted."),
        "final": f.nested(FinalKitty, "What came of it."),
        "asked": f.array(f.integer(""), "The seats asked, in order."),
    },
    players=4,
    options={"chao_di": True},
    level="2",
    declarer=0,
    declaration={"seat": 0, "cards": ["2H"]},
    events=[{"seat": 1, "cards": ["2S", "2S"]}, {"seat": 2, "pass": True}],
)
_ask(
    "misdeal",
    "Ask whether a hand may claim a misdeal.",
    {
        "trump": _trump(),
        "hand": _hand(),
        "caller": _seat("Who claims it: with `starter`, the answer says who draws first then.", optional=True),
        "starter": _seat("Who drew first.", optional=True),
    },
    {
        "may_ask": f.flag("Whether it may."),
        "starter": f.integer("Who draws first then.", optional=True),
    },
    players=4,
    options={"misdeal": {"no_points": True}},
    trump=_HEARTS,
    hand=["3S", "4C", "7D"],
)
_ask(
    "call",
    "Ask whether cards may be called for friends.",
    {"trump": _trump(), "calls": _calls(), "hand": _hand("The declarer's hand, where it matters.", optional=True)},
    {"valid": f.flag("Whether they may.")},
    about="For rulesets with friends.",
    players=5,
    trump=_HEARTS,
    calls=[{"card": "AS", "ordinal": 1}],
)
_ask(
    "friends",
    "Ask who joins the declarer.",
    {
        "trump": _trump(),
        "declarer": _seat("Who called."),
        "calls": _calls(),
        "hand": _hand("The declarer's hand, where it matters.", optional=True),
        "tricks": f.array(f.nested(PlayedTrick), "In order.", 0, MOST_ENTRIES),
    },
    {
        "joins": f.array(f.nested(Joining), "Calls that were filled, in order."),
        "declarers": f.array(f.integer(""), "The declarer's side so far."),
        "missing": f.integer("Members short of the most."),
        "attackers_points": f.integer("Points of tricks won by the others so far."),
    },
    about="For rulesets with friends.",
    players=5,
    trump=_HEARTS,
    declarer=0,
    calls=[{"card": "AS", "ordinal": 1}],
    tricks=[{"leader": 0, "plays": [["3S"], ["KS"], ["AS"], ["5S"], ["4S"]]}],
)
_ask(
    "kitty",
    "Ask what the kitty is worth.",
    {
        "trump": _trump(),
        "kitty": f.cards("The cards buried.", 1, MOST_CARDS),
        "last_trick": f.nested(AskedLastTrick, "The last trick."),
        "revealed": f.flag("Whether it was shown before the first lead.", optional=True),
    },
    {
        "points": f.integer("Points in it."),
        "factor": f.integer("How often they count."),
        "bonus": f.integer("What the attackers get for it."),
    },
    players=4,
    trump=_HEARTS,
    kitty=["KS", "5C", "3D", "4D", "6D", "7D", "8D", "9D"],
    last_trick={"lead": ["AS", "AS"], "winner_side": "attackers"},
)
_ask(
    "score",
    "Ask what points are worth.",
    {
        "points": f.integer("Points of the attackers.", 0, 10_000_000),
        "team_size": f.integer("Players on the declarer's side, where teams vary.", 1, _MOST_SEATS, optional=True),
    },
    {
        "side": f.text("The side that gains; null: neither.", nullable=True),
        "levels": f.integer("How many levels."),
    },
    players=4,
    points=85,
)
_ask(
    "levels",
    "Ask where somebody stands after a round.",
    {
        "level": _level("The level before."),
        "gained": f.integer("Levels gained.", 0, 20_000),
        "role": f.choice("On which side.", *_SIDES),
        "attempted": f.array(f.text("", 1, 40), "Must-play levels already tried as declarers.", 0, 50, optional=True),
        "penalty": f.integer("Levels owed.", 0, 20_000, optional=True),
    },
    {
        "level": f.text("The level after."),
        "won": f.flag("Whether the game is won."),
        "penalty": f.integer("Levels still owed.", optional=True),
    },
    players=4,
    level="K",
    gained=2,
    role="declarers",
)
_ask(
    "next",
    "Ask who declares next.",
    {
        "declarer": _seat("The last declarer."),
        "declarers": _seats("The declarer's side."),
        "side": f.choice("The side that won; null: neither.", *_SIDES, nullable=True),
        "starter": _seat("Who drew first, where that matters.", optional=True),
    },
    {
        "declarer": f.integer("Who declares, where that is settled.", optional=True),
        "starter": f.integer("Who draws first."),
    },
    players=4,
    declarer=0,
    declarers=[0, 2],
    side="declarers",
)
_ask(
    "arms_follow",
    "Ask whether a play of Arm's Length is legal.",
    {
        "trump": _suit_or_none("The trump suit; null: none yet."),
        "trick": f.cards("The trick so far.", 0, 3),
        "hand": _hand(),
        "play": f.cards("The play in question: one card.", 1, 1),
    },
    _verdict(),
    about="For `arms_length`.",
    trump=None,
    trick=["7S"],
    hand=["9S", "3S", "KD"],
    play=["3S"],
)
_ask(
    "arms_trick",
    "Ask who wins a trick of Arm's Length.",
    {"trump": _suit_or_none("The trump suit before it; null: none yet."), "plays": f.cards("In order of play.", 1, 4)},
    {
        "winner": f.integer("Index of the best play."),
        "trump": f.text("The trump suit after it; null: none yet.", nullable=True),
    },
    about="For `arms_length`.",
    trump=None,
    plays=["7S", "9S", "KD", "3S"],
)
_ask(
    "arms_score",
    "Ask what a side scores in Arm's Length.",
    {"high": f.integer("Tricks of the high player.", 0, 13), "low": f.integer("Tricks of the low player.", 0, 13)},
    {"score": f.integer("The score.")},
    about="For `arms_length`.",
    high=7,
    low=2,
)
