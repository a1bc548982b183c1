"""The rule oracle's answers about tricks: ranking, leads, throws, follows, winners.

A handler takes a question with the `ruleset` and the input fields of a rule vector of its kind, and returns the
vector's output fields (`tests/vectors/README.md`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from service.common.errors import CardsNotHeld, IllegalPlay
from service.rules.cards import KINDS, SUITS, counts_of, missing_from, names_of
from service.rules.options.rulesets import deck_of
from service.rules.oracle.inputs import MOST_CARDS, MOST_DECKS, Fields, Question
from service.rules.tricks.leads import Lead
from service.rules.tricks.throws import PARTNER_OWES
from service.rules.tricks.trick_rules import TrickRules, trick_rules
from service.rules.trumps import TRUMPS, ranking

Answer = dict[str, object]

#: Most plays in one answer.
MOST_PLAYS: Final = 1_000
#: Most steps of the search for plays; they take a fraction of a second.
BUDGET: Final = 100_000


def _rules(question: Question) -> TrickRules:
    return trick_rules(question.trump(), question.options, question.absent)


def _lead(question: Question, rules: TrickRules, field: str, unseen: Sequence[int] | None = None) -> Lead:
    """Return the lead, decomposed into `units` if the field is given."""
    cards = question.cards(field)
    return rules.lead(cards, question.each("units", Fields.cards, 1) if "units" in question else None, unseen)


def _unseen(question: Question) -> list[int] | None:
    """Return the counts of the cards that the leader cannot see; None if the field is left out."""
    if "unseen" not in question:
        return None
    return counts_of(question.cards("unseen", 0, KINDS * MOST_DECKS))


def order(question: Question) -> Answer:
    """Answer with the game's cards of a suit, high to low, with equal ones together."""
    by = ranking(question.trump(), question.options)
    scope = question.choice("scope", ("trumps", *SUITS))
    group = TRUMPS if scope == "trumps" else SUITS.index(scope)
    copies = counts_of(deck_of(question.cards_in_game))
    tiers = [[kind for kind in reversed(tier) if copies[kind]] for tier in reversed(by.tiers[group])]
    answer: Answer = {"descending": [names_of(tier) for tier in tiers if tier]}
    if group == TRUMPS:
        answer["trumps_in_deck"] = sum(copies[kind] for kind in by.groups[TRUMPS])
    return answer


def adjacent(question: Question) -> Answer:
    """Answer which `pairs` of different cards would make a tractor with two copies of each."""
    rules = _rules(question)
    answer: dict[str, list[list[str]]] = {"consecutive": [], "not_consecutive": []}
    for pair in question.each("pairs", lambda fields, at: fields.cards(at, 2, 2)):
        try:
            consecutive = rules.lead(pair * 2).kind == "tractor"
        except IllegalPlay:
            consecutive = False
        answer["consecutive" if consecutive else "not_consecutive"].append(names_of(pair))
    return {**answer}


def lead(question: Question) -> Answer:
    """Answer how a lead is read, or which rule it breaks."""
    try:
        read = _lead(question, _rules(question), "cards", _unseen(question))
    except IllegalPlay as refusal:
        return {"valid": False, "rule": refusal.rule}
    return {"valid": True, "kind": read.kind, "units": [names_of(unit.cards) for unit in read.units]}


def throw(question: Question) -> Answer:
    """Answer whether a throw succeeds against the other hands, and what happens if not. Any other lead succeeds."""
    rules = _rules(question)
    led = _lead(question, rules, "lead")
    hands = question.each("hands", lambda fields, at: fields.cards(at, 0), 1)
    question.check_copies([*led.cards, *(kind for hand in hands for kind in hand)], "hands")
    tested = rules.throw(led, [counts_of(hand) for hand in hands])
    if led.kind != "throw" or tested.ok:
        return {"ok": True}
    if not tested.ends_round:
        return {"ok": False, "forced": names_of(tested.forced), "penalty": tested.penalty}
    answer: Answer = {"ok": False, "ends_round": True}
    if tested.penalty_levels:
        answer["penalty_levels"] = {"leader": tested.penalty_levels, "partners": PARTNER_OWES}
    return answer


def _hand(question: Question, led: Lead | None) -> list[int]:
    """Return the counts of `hand`, which must have enough cards to follow."""
    hand = question.cards("hand", led.size if led else 1, MOST_CARDS)
    question.check_copies([*(led.cards if led else ()), *hand], "hand")
    return counts_of(hand)


def follow(question: Question) -> Answer:
    """Answer whether a play may follow the lead, and if not, why."""
    rules = _rules(question)
    led = _lead(question, rules, "lead")
    hand, play = _hand(question, led), question.cards("play")
    missing = missing_from(hand, play)
    if missing:
        raise CardsNotHeld(missing=names_of(missing))
    try:
        rules.follow(led, hand, play)
    except IllegalPlay as refusal:
        example = list(refusal.example or ())
        return {"legal": False, "rule": refusal.rule, "required": refusal.required, "example": example}
    return {"legal": True, "rule": None, "required": None, "example": None}


def plays(question: Question) -> Answer:
    """Answer with up to `limit` legal plays of a hand (leads, if no lead is given), and whether they are all."""
    rules = _rules(question)
    led = _lead(question, rules, "lead") if "lead" in question and question.value("lead") is not None else None
    limit = question.integer("limit", 1, MOST_PLAYS) if "limit" in question else MOST_PLAYS
    choices, complete = rules.plays(_hand(question, led), led, limit, BUDGET, _unseen(question))
    return {"plays": [names_of(play) for play in choices], "complete": complete}


def trick(question: Question) -> Answer:
    """Answer which of the plays wins; the lead is the first."""
    rules = _rules(question)
    played = question.plays("plays")
    question.check_copies([kind for play in played for kind in play], "plays")
    units = question.each("units", Fields.cards, 1) if "units" in question else None
    return {"winner": rules.winner(rules.lead(played[0], units), played)}


def _of_body(handler: Callable[[Question], Answer]) -> Callable[[Mapping[str, object]], Answer]:
    return lambda body: handler(Question(str(body["ruleset"]), body))


#: Kind of question -> its handler.
HANDLERS: Final[Mapping[str, Callable[[Mapping[str, object]], Answer]]] = {
    "order": _of_body(order),
    "adjacent": _of_body(adjacent),
    "lead": _of_body(lead),
    "throw": _of_body(throw),
    "follow": _of_body(follow),
    "plays": _of_body(plays),
    "trick": _of_body(trick),
}
