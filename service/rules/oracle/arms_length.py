"""The rule oracle's answers about Arm's Length (`docs/rules.md` §11)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from service.common.errors import CardsNotHeld, IllegalPlay
from service.rules.cards import LJ, RANKS, SUITS, counts_of, missing_from, names_of
from service.rules.oracle.inputs import Question, refuse
from service.rules.rounds import arms_length

Answer = dict[str, object]


def _refuse_jokers(kinds: Sequence[int], field: str) -> None:
    """Refuse jokers: Arm's Length has none."""
    if any(kind >= LJ for kind in kinds):
        refuse("no_jokers_here", field)


def arms_follow(question: Question) -> Answer:
    """Answer whether a play of Arm's Length is legal, and if not, why."""
    trump = question.choice("trump", (*SUITS, None))
    trick, held = question.cards("trick", 0, 3), question.cards("hand")
    _refuse_jokers([*trick, *held], "hand")
    question.check_copies([*trick, *held], "hand")
    play = question.cards("play", 1, 1)
    hand = counts_of(held)
    missing = missing_from(hand, play)
    if missing:
        raise CardsNotHeld(missing=names_of(missing))
    try:
        arms_length.check(trump, trick, hand, play[0])
    except IllegalPlay as refusal:
        return {"legal": False, "rule": refusal.rule, "required": refusal.required, "example": refusal.example}
    return {"legal": True, "rule": None, "required": None, "example": None}


def arms_trick(question: Question) -> Answer:
    """Answer which play wins a trick of Arm's Length, and the trump suit after it."""
    plays = question.cards("plays", 1, 4)
    _refuse_jokers(plays, "plays")
    winner, trump = arms_length.winner(question.choice("trump", (*SUITS, None)), plays)
    return {"winner": winner, "trump": trump}


def arms_score(question: Question) -> Answer:
    """Answer with a team's points in Arm's Length."""
    high = question.integer("high", 0, len(RANKS))
    return {"score": arms_length.score(high, question.integer("low", 0, len(RANKS) - high))}


#: Kind of question -> its handler.
HANDLERS: Final[Mapping[str, Callable[[Question], Answer]]] = {
    "arms_follow": arms_follow,
    "arms_trick": arms_trick,
    "arms_score": arms_score,
}
