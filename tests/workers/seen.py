"""Handmade views with the parts read by AI players: Sheng Ji for four, with hearts and twos as trumps."""

from collections.abc import Sequence
from typing import Any

from service.rules.cards import kinds_of, names_of
from service.rules.options.rulesets import composition, effective_options
from service.rules.tricks.trick_rules import trick_rules
from service.rules.trumps import Trump

TRUMP = {"rank": "2", "suit": "H"}


def view_of(
    hand: str,
    *,
    kind: str = "play",
    plays: Sequence[str] = (),
    seat: int = 0,
    declarer: int | None = 0,
    hints: dict[str, Any] | None = None,
    declarations: Sequence[tuple[int, str]] = (),
    discard: str | None = None,
    played: Sequence[str] = (),
    ruleset: str = "shengji",
    players: int = 4,
    sides: Sequence[str] | None = None,
    calls: Sequence[dict[str, Any]] = (),
    trump: dict[str, Any] | None = None,
    revealed: dict[str, Any] | None = None,
    held: int | None = None,
    dealt: int = 100,
    **options: Any,
) -> dict[str, Any]:
    """Return the view of a seat.

    Args:
        hand: names of cards, separated by spaces, as in plays, discard and declarations.
        plays: plays on the table, the lead first; the seat is next.
        declarations: (seat, cards) of each declaration.
        played: cards of earlier tricks, with repetitions.
        revealed: what earlier tricks revealed, as `seen` of a view.
        held: number of cards of every seat; None: as many as this one.
    """
    values = effective_options(ruleset, players, options)
    cards = hand.split()
    trump = trump or TRUMP
    parts = [play.split() for play in plays]
    trick = None
    if parts:
        leader = (seat - len(parts)) % players
        units = [parts[0]]
        if ruleset != "arms_length":
            read = trick_rules(Trump(trump["rank"], trump["suit"]), values, frozenset()).lead(kinds_of(parts[0]))
            units = [names_of(unit.cards) for unit in read.units]
        trick = {
            "leader": leader,
            "plays": [
                {
                    "seat": (leader + at) % players,
                    "cards": play,
                    "units": units if at == 0 else [],
                    "throw": None,
                }
                for at, play in enumerate(parts)
            ],
        }
    gone = [*played, *(card for play in parts for card in play)]
    return {
        "ruleset": ruleset,
        "options": values,
        "seats": [
            {
                "level": trump["rank"] or "joker",
                "side": sides[number] if sides else "declarers" if number % 2 == 0 else "attackers",
                "hand_count": len(cards) if held is None else held,
                "points": 0,
            }
            for number in range(players)
        ],
        "round": {
            "level": trump["rank"],
            "dealt": {"count": dealt, "of": composition(ruleset, players, values).hand * players},
            "trump": trump,
            "declarations": [{"seat": who, "cards": what.split(), "as": "declare"} for who, what in declarations],
            "declarer": declarer,
            "calls": list(calls),
            "roads": None,
            "played": {name: gone.count(name) for name in set(gone)},
            "trick": trick,
            "last_trick": None,
            "seen": revealed or {},
            "kitty": {"count": 8, "seat": declarer, "cards": None, "revealed": False},
        },
        "my": {"seat": seat, "hand": cards, "discard": discard.split() if discard else None},
        "decision": {"id": "dc_1", "kind": kind, "seats": [seat], "hints": hints or {}},
    }
