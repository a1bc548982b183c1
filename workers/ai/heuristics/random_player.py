"""A player that chooses random legal actions, as baseline for the others."""

from random import Random
from typing import Any

from service.rules.cards import CARDS, names_of
from service.rules.rounds.friends import breach
from workers.ai.heuristics import arms
from workers.ai.knowledge.seat import Knowledge, View, deck_counts, options_of, order_for
from workers.ai.reasons import Advice

Command = dict[str, Any]


def _declare_or_pass(kind: str, view: View, random: Random) -> Command:
    cards = random.choice([None, *view["decision"]["hints"]["possible"]])
    return {"type": "pass"} if cards is None else {"type": kind, "cards": cards}


def _discard(view: View, random: Random) -> Command:
    return {"type": "discard", "cards": random.sample(view["my"]["hand"], view["decision"]["hints"]["cards"])}


def _call(view: View, random: Random) -> Command:
    order = order_for(view)
    out = deck_counts(view)
    allowed = options_of(view)["call_cards"]
    calls = [
        {"card": CARDS[kind], "ordinal": ordinal}
        for kind, copies in enumerate(out)
        if not breach(kind, order, allowed)
        for ordinal in range(1, copies + 1)
    ]
    return {"type": "call", "calls": random.sample(calls, view["decision"]["hints"]["calls"])}


def _play(view: View, random: Random) -> Command:
    if view["round"]["roads"] is not None:
        return {"type": "play", "cards": names_of([random.choice(arms.legal_plays(view))])}
    knowledge = Knowledge(view, memory=False)
    return {"type": "play", "cards": names_of(knowledge.rules.random_play(knowledge.hand, knowledge.lead, random))}


PLAYER = {
    "declare": lambda view, random: Advice(_declare_or_pass("declare", view, random)),
    "defend": lambda view, random: Advice(_declare_or_pass("declare", view, random)),
    "overcall-kitty": lambda view, random: Advice(_declare_or_pass("overcall_kitty", view, random)),
    "discard": lambda view, random: Advice(_discard(view, random)),
    "call": lambda view, random: Advice(_call(view, random)),
    "road": lambda view, random: Advice({"type": "road", "road": random.choice(view["decision"]["hints"]["roads"])}),
    "play": lambda view, random: Advice(_play(view, random)),
    "ready": lambda _, __: Advice({"type": "ready"}),
}
