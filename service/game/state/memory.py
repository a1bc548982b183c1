"""What the tricks of a round have revealed about the hands.

It is derived only from public events. The state is updated with each trick, so that nobody has to read the whole log.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from service.game.state.queries import round_of, trick_of
from service.game.state.rules import lead_of, options_of, rules_of
from service.game.state.table_types import SeatText
from service.game.state.types import Cards, Memory, Play, Revealed, Round, State, Trick
from service.rules.cards import KINDS
from service.rules.options.rulesets import RULESETS
from service.rules.tricks import inferences
from service.rules.trumps import TRUMPS

ValueT = TypeVar("ValueT")

#: Letters of the groups, as in cards; T for trumps. In Arm's Length, where a suit becomes trumps during the round, each
#: suit keeps its letter.
GROUPS = "SHDCT"
_SUIT_SIZE = 13
#: With fewer cards than this in a hand, limits of tuples are dropped, to keep views small.
WORTH_TELLING = 4
NOTHING: Final[Memory] = {"voids": {}, "most": {}, "holds": {}}
#: Seat -> most identical cards of a suit that it can hold.
_Alike: TypeAlias = Mapping[SeatText, int]
#: Letter of a suit -> the same by seat.
_Most: TypeAlias = dict[str, dict[SeatText, int]]


def news(state: State) -> Revealed:
    """Return what the complete trick on the table adds to the memory; apply it with `merged`."""
    table_round = round_of(state)
    trick, stored = trick_of(table_round), table_round.get("memory")
    before = stored or NOTHING
    group, void, alike = _outcomes(state, trick)
    revealed: Revealed = {}
    if void:
        known = before["voids"].get(group, ())
        void = [seat for seat in void if seat not in known]
        if void:
            revealed["voids"] = {group: void}
    if before["most"] or alike:
        most = (
            _forgotten(before["most"], group, void)
            if sum(table_round["hands"][trick["leader"]]) < WORTH_TELLING
            else _fewer_alike(before["most"], group, alike)
        )
        if most:
            revealed["most"] = most
    # The cards shown in declarations are stored only from the first complete trick on.
    holds = before["holds"] if stored else _declared(state, table_round)
    if holds or trick["plays"][0]["throw"] is not None:
        left = _left(holds, trick["plays"])
        if left != before["holds"]:
            revealed["holds"] = {seat: cards for seat, cards in left.items() if before["holds"].get(seat) != cards}
            revealed["holds"] |= {seat: [] for seat in before["holds"] if seat not in left}
    return revealed


def _forgotten(most: _Most, group: str, void: Sequence[int]) -> _Most:
    """Return changes that drop all limits of tuples, except for seats void in `group`, which have none anyway."""
    return _nonempty(
        {suit: {seat: 0 for seat in seats if suit != group or int(seat) not in void} for suit, seats in most.items()}
    )


def _fewer_alike(most: _Most, group: str, alike: _Alike) -> _Most:
    """Return the seats whose limit of identical cards of `group` is now lower, with the new limit."""
    if not alike:
        return {}
    known = most.get(group, {})
    now = {**known, **{seat: min(number, known.get(seat, number)) for seat, number in alike.items()}}
    changed = {seat: number for seat, number in now.items() if known.get(seat) != number}
    return {group: changed} if changed else {}


def _left(holds: Mapping[SeatText, Cards], plays: Sequence[Play]) -> dict[SeatText, Cards]:
    """Return the shown cards that seats still hold after these plays."""
    left = dict(holds)
    for play in plays:
        seat, throw = str(play["seat"]), play["throw"]
        held = _without(left.get(seat, ()), play["cards"])
        if throw is not None and not throw["ok"]:
            held = _united(held, _without(throw["cards"], play["cards"]))
        left[seat] = held
    return _nonempty(left)


def merged(memory: Memory, revealed: Revealed) -> Memory:
    """Add what a trick has revealed to a memory."""
    if not revealed:
        return memory
    voids, most, holds = memory["voids"], memory["most"], memory["holds"]
    if "voids" in revealed:
        voids = {**voids, **{suit: [*voids.get(suit, ()), *seats] for suit, seats in revealed["voids"].items()}}
    if most or "most" in revealed:
        most = _nonempty({suit: _capped(suit, most, revealed, voids) for suit in {**most, **revealed.get("most", {})}})
    if "holds" in revealed:
        holds = _nonempty({**holds, **revealed["holds"]})
    return {"voids": voids, "most": most, "holds": holds}


def _capped(suit: str, most: _Most, revealed: Revealed, voids: Mapping[str, Sequence[int]]) -> dict[SeatText, int]:
    """Return the limits of identical cards of a suit, for seats that are not void of it."""
    known = {**most.get(suit, {}), **revealed.get("most", {}).get(suit, {})}
    void = voids.get(suit, ())
    return {seat: number for seat, number in known.items() if number and int(seat) not in void}


def _nonempty(known: Mapping[str, ValueT]) -> dict[str, ValueT]:
    return {name: value for name, value in known.items() if value}


def _outcomes(state: State, trick: Trick) -> tuple[str, list[int], _Alike]:
    """Return the letter of the suit led, the seats void of it, and the limits of identical cards of others."""
    lead_play, *plays = trick["plays"]
    if RULESETS[state["ruleset"]].teams == "partners":
        led = lead_play["cards"][0] // _SUIT_SIZE
        return GROUPS[led], [play["seat"] for play in plays if play["cards"][0] // _SUIT_SIZE != led], {}
    rules = rules_of(state)
    if len(lead_play["cards"]) == 1:
        groups = rules.order.group_of
        led = groups[lead_play["cards"][0]]
        return GROUPS[led], [play["seat"] for play in plays if groups[play["cards"][0]] != led], {}
    lead = lead_of(rules, trick)
    outcomes = [(play["seat"], inferences.inferred(rules.order, rules.duty, lead, play["cards"])) for play in plays]
    void = [seat for seat, outcome in outcomes if outcome.void]
    alike = {str(seat): outcome.most_alike for seat, outcome in outcomes if outcome.most_alike is not None}
    return GROUPS[min(lead.group, TRUMPS)], void, alike


def _declared(state: State, table_round: Round) -> dict[str, Cards]:
    """Return the cards shown in declarations that seats must still hold at the first lead.

    The seat that took the kitty may have buried them; with overcalls for the kitty, several seats may.
    """
    if table_round["trump"] is None or options_of(state).get("chao_di"):
        return {}
    holds: dict[str, Cards] = {}
    for declaration in table_round["shown"]:
        if declaration["seat"] not in (table_round["kitty_seat"], table_round["declarer"]):
            seat = str(declaration["seat"])
            holds[seat] = _united(holds.get(seat, ()), declaration["cards"])
    return holds


def _united(first: Sequence[int], second: Sequence[int]) -> Cards:
    """Return the multiset union: the greater number of each kind."""
    return [kind for kind in range(KINDS) for _ in range(max(first.count(kind), second.count(kind)))]


def _without(cards: Sequence[int], gone: Sequence[int]) -> Cards:
    return [kind for kind in sorted(set(cards)) for _ in range(max(0, cards.count(kind) - gone.count(kind)))]
