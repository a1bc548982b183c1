"""The set-up of a sandbox: a practice table for developers of clients, with chosen cards and scripted opponents."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, TypedDict

from service.common.errors import InvalidRequest
from service.game.shuffle import permutation
from service.game.state.table_types import KnownDeal, RepeatedDeal, Sandbox, TableSpec
from service.rules.cards import kinds_of, names_of
from service.rules.composition import Composition, deck_of

_FIELD: Final = "sandbox"


class SandboxSettings(TypedDict):
    """The settings that make a table a sandbox."""

    ai_pace_ms: int
    sandbox: Sandbox
    known: dict[str, list[KnownDeal]]
    deal: RepeatedDeal


def sandbox_settings(spec: TableSpec, cards: Composition, seed: str) -> SandboxSettings:
    """Return the settings of a sandbox.

    Args:
        spec: the settings of the table. Its `sandbox` may have `hands` (seat as text -> names of cards), `kitty`,
            `starter`, `declarer`, `scripts` and `opponents`. Hands and kitty may be incomplete.
        cards: the composition of the game.
        seed: hex; deals the rest of the cards.

    Raises:
        InvalidRequest: reason `sandbox_or_deal`, `deal_for_more_seats`, `deal_size` or `deal_cards`.
    """
    if "deal" in spec:
        raise InvalidRequest(reason="sandbox_or_deal", field=_FIELD)
    settings, players = spec["sandbox"], spec["players"]
    hands, scripts = settings.get("hands", {}), settings.get("scripts", {})
    starter, declarer = settings.get("starter", 0), settings.get("declarer")
    if max(starter, declarer or 0, *map(int, hands), *map(int, scripts)) >= players:
        raise InvalidRequest(reason="deal_for_more_seats", players=players, field=_FIELD)
    chosen = [kinds_of(hands.get(str(seat), ())) for seat in range(players)]
    known = completed([*chosen, kinds_of(settings.get("kitty", ()))], cards, seed)
    return {
        "ai_pace_ms": 0,
        "sandbox": {"scripts": scripts, "opponents": settings.get("opponents", "cautious")},
        "known": {"1": [known]},
        "deal": {"shuffle_name": "practice", "round": 1, "entropy": {}, "starter": starter, "declarer": declarer},
    }


def completed(chosen: Sequence[Sequence[int]], cards: Composition, seed: str) -> KnownDeal:
    """Complete a deal with chosen cards (kinds): the hand of each seat, then the kitty. The seed (hex) deals the rest.

    Raises:
        InvalidRequest: reason `deal_size` or `deal_cards`.
    """
    sizes = [*[cards.hand] * (len(chosen) - 1), cards.kitty]
    deck = Counter(deck_of(cards))
    for place, (held, size) in enumerate(zip(chosen, sizes, strict=True)):
        if len(held) > size:
            where = "kitty" if place == len(sizes) - 1 else str(place)
            raise InvalidRequest(reason="deal_size", field=_FIELD, place=where, given=len(held), most=size)
    wanted = Counter(kind for held in chosen for kind in held)
    if wanted - deck:
        raise InvalidRequest(reason="deal_cards", field=_FIELD, cards=names_of(sorted((wanted - deck).elements())))
    left = sorted((deck - wanted).elements())
    dealt = iter([left[at] for at in permutation(bytes.fromhex(seed), b"sj1|sandbox", len(left))])
    *hands, kitty = [
        [*held, *(next(dealt) for _ in range(size - len(held)))] for held, size in zip(chosen, sizes, strict=True)
    ]
    return {"hands": hands, "kitty": kitty}
