"""Joining the declarer by playing a called card (docs/rules.md §5.4), before somebody else can.

The declarer's side wins most rounds, and only the seat that plays the called copy becomes a friend. So seats that hold
the same called card are in a race.
"""

from typing import Final

from workers.ai.candidates.following import Play
from workers.ai.knowledge.seat import Knowledge

#: Value of joining while another hand may hold a copy, in card points: more than a play can gain otherwise.
JOINED: Final = 20.0
#: Value of the next lead to a seat that can then lead a called card.
NEXT_LEAD: Final = 10.0


def gain(knowledge: Knowledge, cards: Play) -> float:
    """Return the gain of these cards from making this seat a friend."""
    return JOINED if any(call.filled_by(cards.count(call.kind)) for call in knowledge.races) else 0.0


def tempo(knowledge: Knowledge, cards: Play) -> float:
    """Return the additional value of the next lead after these cards, since this seat can then join."""
    left = [knowledge.hand[call.kind] - cards.count(call.kind) for call in knowledge.races]
    return NEXT_LEAD if any(call.filled_by(copies) for call, copies in zip(knowledge.races, left, strict=True)) else 0.0
