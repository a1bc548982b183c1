"""What the tricks of a round have told everybody about the hands.

It follows from public events alone. It is kept in the state trick by trick, so that nobody has to read the whole log.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar, cast

from service.game.state.queries import round_of
from service.game.state.rules import lead_of, options_of, rules_of
from service.game.state.types import Cards, Memory, Round, State, Told, Trick
from service.rules.cards import KINDS
from service.rules.options.rulesets import RULESETS
from service.rules.tricks import inferences
from service.rules.trumps import TRUMPS

#: Letters of the groups, as in cards; T for trumps. In Arm's Length, where a suit becomes trumps during the round, each
#: suit keeps its letter.
GROUPS = "SHDCT"
_SUIT_SIZE = 13
#: With fewer cards than this in a hand, what tuples it cannot hold is left out: a view has little room for it.
WORTH_TELLING = 4
NOTHING: Final[Memory] = {"voids": {}, "most": {}, "holds": {}}
_Known = TypeVar("_Known", list[int], dict[str, int])


def memory_of(state: State) -> Memory:
    """Return what everybody can remember of the round, up to the last complete trick."""
    table_round = round_of(state)
    return table_round.get("memory") or {"voids": {}, "most": {}, "holds": _declared(state, table_round)}


def news(state: State) -> Told:
    """Return what the trick on the table, which is complete, changes of what is remembered; `merged` applies it."""
    before, now = round_of(state).get("memory", NOTHING), remembered(state)
    voids = {
        suit: [seat for seat in seats if seat not in before["voids"].get(suit, ())]
        for suit, seats in now["voids"].items()
    }
    # Of a seat that is void no more need be said.
    most = {
        suit: {
            seat: number
            for seat, number in _changes(before["most"].get(suit, {}), now["most"].get(suit, {}), 0).items()
            if int(seat) not in voids.get(suit, ())
        }
        for suit in {**before["most"], **now["most"]}
    }
    holds: dict[str, Cards] = _changes(before["holds"], now["holds"], [])
    told = {"voids": _kept(voids), "most": _kept(most), "holds": holds}
    return cast("Told", _kept(told))


def merged(memory: Memory, told: Told) -> Memory:
    """Return a memory with what a trick has told."""
    voids, most = dict(memory["voids"]), dict(memory["most"])
    for suit, seats in told.get("voids", {}).items():
        voids[suit] = [*voids.get(suit, ()), *seats]
    for suit in {**most, **told.get("most", {})}:
        known = {**most.get(suit, {}), **told.get("most", {}).get(suit, {})}
        most[suit] = {seat: number for seat, number in known.items() if number and int(seat) not in voids.get(suit, ())}
    return {"voids": voids, "most": _kept(most), "holds": _kept({**memory["holds"], **told.get("holds", {})})}


def _changes(before: Mapping[str, Any], now: Mapping[str, Any], gone: Any) -> dict[str, Any]:
    """Return the values that are new, and `gone` for those that are no more."""
    changed = {name: value for name, value in now.items() if before.get(name) != value}
    return changed | {name: gone for name in before if name not in now}


def _kept(known: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in known.items() if value}


def remembered(state: State) -> Memory:
    """Return the memory with the trick on the table, which is complete."""
    table_round, before = round_of(state), memory_of(state)
    trick = table_round["trick"]
    if trick is None:
        return before
    group, outcomes = _outcomes(state, trick)
    void, alike, holds = list(before["voids"].get(group, ())), {**before["most"].get(group, {})}, before["holds"]
    for play, outcome in zip(trick["plays"], outcomes, strict=True):
        number, seat = play["seat"], str(play["seat"])
        if outcome.void and number not in void:
            void.append(number)
            alike.pop(seat, None)
        if outcome.most_alike is not None:
            alike[seat] = min(outcome.most_alike, alike.get(seat, outcome.most_alike))
        held = _without(holds.get(seat, ()), play["cards"])
        throw = play["throw"]
        if throw is not None and not throw["ok"]:
            held = _united(held, _without(throw["cards"], play["cards"]))
        holds = {**holds, seat: held}
    most_alike = _with(before["most"], group, alike)
    if sum(table_round["hands"][trick["leader"]]) < WORTH_TELLING:
        most_alike = {}
    return {
        "voids": _with(before["voids"], group, void),
        "most": most_alike,
        "holds": {seat: held for seat, held in holds.items() if held},
    }


def _with(known: dict[str, _Known], group: str, told_of: _Known) -> dict[str, _Known]:
    return {name: each for name, each in {**known, group: told_of}.items() if each}


def _outcomes(state: State, trick: Trick) -> tuple[str, list[inferences.Told]]:
    """Return the letter of the suit led, and what each play of a trick tells about it."""
    plays = trick["plays"]
    if RULESETS[state["ruleset"]].teams == "partners":
        led = plays[0]["cards"][0] // _SUIT_SIZE
        return GROUPS[led], [inferences.Told(void=play["cards"][0] // _SUIT_SIZE != led) for play in plays]
    rules = rules_of(state)
    lead = lead_of(rules, trick)
    told_by = [
        inferences.Told(),
        *(inferences.told(rules.order, rules.duty, lead, play["cards"]) for play in plays[1:]),
    ]
    return GROUPS[min(lead.group, TRUMPS)], told_by


def _declared(state: State, table_round: Round) -> dict[str, Cards]:
    """Return the cards that seats have shown in declarations, and must still hold when the first card is led.

    Whoever has taken the kitty may have buried them. With overcalls for the kitty, several seats have.
    """
    if table_round["trump"] is None or options_of(state).get("chao_di"):
        return {}
    holds: dict[str, Cards] = {}
    for made in table_round["shown"]:
        if made["seat"] not in (table_round["kitty_seat"], table_round["declarer"]):
            seat = str(made["seat"])
            holds[seat] = _united(holds.get(seat, ()), made["cards"])
    return holds


def _united(first: Sequence[int], second: Sequence[int]) -> Cards:
    """Return as many of each kind as the sequence has that has more."""
    return [kind for kind in range(KINDS) for _ in range(max(first.count(kind), second.count(kind)))]


def _without(cards: Sequence[int], gone: Sequence[int]) -> Cards:
    return [kind for kind in sorted(set(cards)) for _ in range(max(0, cards.count(kind) - gone.count(kind)))]
