"""Questions to the rule oracle about tricks: ranking, leads, throws, follows, winners."""

from typing import Final

from service.api.schemas import fields as f
from service.api.schemas.oracle import questions as q
from service.rules.oracle.inputs import MOST_CARDS, MOST_DECKS, MOST_ENTRIES

#: More cards than all decks together.
MOST_UNSEEN: Final = 54 * MOST_DECKS


class PenaltyLevels(f.Contract):
    """Levels owed for a failed throw."""

    leader = f.integer("By the leader.")
    partners = f.integer("By each partner.")


def _unseen() -> f.Field:
    return f.cards(
        "For `proven_throws`: what the leader cannot see. Left out: a throw counts as proven.",
        0,
        MOST_UNSEEN,
        optional=True,
    )


#: In the order of the document.
QUESTIONS: Final = (
    q.ask(
        "order",
        "Ask how the cards rank.",
        "Trumps, or the cards of a side suit, from high to low; cards of one group are equal.",
        {"trump": q.trump(), "scope": f.choice("Trumps, or a side suit.", "trumps", *q.SUITS)},
        {
            "descending": f.array(f.cards("", 0, MOST_CARDS), "Groups of equal cards, from high to low."),
            "trumps_in_deck": f.integer("How many trumps are in all decks.", optional=True),
        },
        players=4,
        trump=q.HEARTS,
        scope="trumps",
    ),
    q.ask(
        "adjacent",
        "Ask which ranks are consecutive.",
        "Tuples of consecutive ranks make a tractor; which ranks are consecutive depends on the trumps.",
        {"trump": q.trump(), "pairs": f.array(f.cards("", 2, 2), "Pairs of different cards.", 0, MOST_ENTRIES)},
        {
            "consecutive": f.array(f.cards(""), "The pairs of cards whose tuples make a tractor."),
            "not_consecutive": f.array(f.cards(""), "The others."),
        },
        players=4,
        trump=q.HEARTS,
        pairs=[["3S", "4S"], ["3S", "5S"]],
    ),
    q.ask(
        "lead",
        "Ask how a lead is read.",
        "As a single, a tuple, a tractor, a rainbow or a throw, and whether these cards may be led together at all.",
        {
            "trump": q.trump(),
            "cards": f.cards("The cards led.", 1, MOST_CARDS),
            "units": q.units(),
            "unseen": _unseen(),
        },
        {
            "valid": f.flag("Whether they may be led together."),
            "rule": f.text("If not: the broken rule.", optional=True),
            "kind": f.text("`single`, `tuple`, `tractor`, `rainbow` or `throw`.", optional=True),
            "units": f.array(f.cards("", 0, MOST_CARDS), "How it is read, longest unit first.", optional=True),
        },
        players=4,
        trump=q.HEARTS,
        cards=["3S", "3S", "4S", "4S"],
    ),
    q.ask(
        "throw",
        "Ask whether a throw holds.",
        "A throw holds if nobody else can beat any of its units; otherwise one unit is led instead.",
        {
            "trump": q.trump(),
            "lead": f.cards("The cards thrown.", 1, MOST_CARDS),
            "hands": f.array(
                f.cards("", 0, MOST_CARDS),
                "What every other player holds, in order of play after the leader, of any length.",
                1,
                MOST_ENTRIES,
            ),
            "units": q.units(),
        },
        {
            "ok": f.flag("Whether it holds."),
            "forced": f.cards("What is led instead.", 0, MOST_CARDS, optional=True),
            "penalty": f.integer("Points that go to the other side.", optional=True, nullable=True),
            "ends_round": f.flag("Whether the round ends.", optional=True),
            "penalty_levels": f.nested(PenaltyLevels, "Levels owed.", optional=True),
        },
        players=4,
        trump=q.HEARTS,
        lead=["AS", "KS"],
        hands=[["3S", "4S"], ["5S", "6S"], ["AS", "7S"]],
    ),
    q.ask(
        "follow",
        "Ask whether a play may follow.",
        "If not, the answer has the broken rule, what it requires, and a legal play.",
        {
            "trump": q.trump(),
            "lead": f.cards("The lead; a throw is one that held.", 1, MOST_CARDS),
            "hand": q.hand(),
            "play": f.cards("The play, from the hand.", 1, MOST_CARDS),
            "units": q.units(),
        },
        q.verdict(),
        players=4,
        trump=q.HEARTS,
        lead=["3S", "3S"],
        hand=["4S", "4S", "5S", "6C"],
        play=["4S", "5S"],
    ),
    q.ask(
        "plays",
        "Ask for the legal plays.",
        "Legal leads, or legal plays to a lead, at most `limit`; `complete` says whether these are all.",
        {
            "trump": q.trump(),
            "hand": q.hand(),
            "lead": f.cards("The lead; without it, leads are listed.", 1, MOST_CARDS, optional=True, nullable=True),
            "limit": f.integer("Maximum number of plays.", 1, 1_000, optional=True),
            "units": q.units(),
            "unseen": _unseen(),
        },
        {
            "plays": f.array(f.cards("", 0, MOST_CARDS), "Legal plays."),
            "complete": f.flag("Whether these are all of them."),
        },
        players=4,
        trump=q.HEARTS,
        hand=["4S", "4S", "5S", "6C"],
        lead=["3S", "3S"],
    ),
    q.ask(
        "trick",
        "Ask who wins a trick.",
        "The index of the winning play, where 0 is the lead.",
        {"trump": q.trump(), "plays": q.plays("In order of play, the lead first."), "units": q.units()},
        {"winner": f.integer("Index of the best play.")},
        players=4,
        trump=q.HEARTS,
        plays=[["3S"], ["KS"], ["2D"], ["AS"]],
    ),
)
