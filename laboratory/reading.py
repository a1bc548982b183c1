"""How well AI players read the hidden cards: a measure that takes minutes, where a match takes hours.

    python -m laboratory.reading --ruleset zhaopengyou --players 6 --deals 40

Rounds are played by `normal`. In each trick one seat, drawn by chance, guesses where the hidden cards are, in as many
sampled deals as `--looks` says: any possible ones, likely ones, and those picked from likely ones by how well they
explain what was played, as `hard` and `expert` do. The table has

- bits a hidden card: the surprise, as log2, at who holds it, given in how many of the deals it lies there. 0.0 is a
  deal that is known, 1.0 a coin flip between two hands. What lies nowhere in the deals counts as half a time;
- off: by how much these probabilities differ from what is true, on average (the expected calibration error);

by third of the round and by the side of the seat: known to be of the declarer's side, known not to be, or unknown. In
games of friends it also has the AUC for 'holds a called card' and 'is a friend in the end', for the deals, for what
`normal` assumes, and for what the signs of public play say of each (`workers/ai/friends.py`): `holds` and `joins`.
`--tenths` adds how often each tenth of the probabilities came true.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from statistics import fmean
from typing import Any, Final

from harness.ai_table import Table, quick_options
from harness.calibration import Guesses, Pair, Places, auc, error, guessed, reliability
from service.rules.cards import KIND
from service.rules.options.rulesets import RULESETS
from workers.ai import Command, choose
from workers.ai.deals.dealing import Deal, Dealer
from workers.ai.friends import friends
from workers.ai.knowledge.seat import Knowledge, View, open_calls
from workers.ai.search.searching import Simulation

#: Kind of deals -> whether searches that use them are thorough; None: any possible deals.
KINDS: Final[Mapping[str, bool | None]] = {"possible": None, "likely": False, "picked": True}
SIDES: Final = {"declarers": "declarer's", "attackers": "other", "unknown": "unknown"}
#: Place of the kitty, beside seats.
KITTY: Final = -1


class Reader:
    """Guesses where the cards are that a view hides."""

    def __init__(self, view: View, seed: str) -> None:
        self.view, self._seed = view, seed
        self.knowledge = Knowledge(view, memory=True)
        self._simulation = self._of(thorough=False)
        known = self._simulation.known
        self._hides_kitty = known.kitty > 0
        self._rooms = [0 if seat == known.seat else cards for seat, cards in enumerate(known.held)]

    def _of(self, *, thorough: bool) -> Simulation:
        return Simulation(self.view, self.knowledge, random.Random(self._seed), thorough=thorough)

    def places(self, hands: Sequence[Sequence[int]], kitty: Sequence[int]) -> Places:
        """Return the cards of hands and kitty as numbers, by hidden place; `kitty`: kinds."""
        hidden = {seat: hands[seat] for seat, room in enumerate(self._rooms) if room}
        return {**hidden, KITTY: self._simulation.game.indices.indices_of(kitty)} if self._hides_kitty else hidden

    def truth(self, state: Any) -> Places:
        """Return where the cards are."""
        listed = self._simulation.game.indices.listed
        return self.places([listed(hand) for hand in state["round"]["hands"]], state["round"]["discard"])

    def deals(self, kind: str, number: int) -> list[Places]:
        """Return sampled deals of a kind."""
        thorough = KINDS[kind]
        one: Callable[[], Deal]
        if thorough is None:
            one = Dealer(self._simulation.known, random.Random(self._seed)).deal
        else:
            simulation = self._of(thorough=thorough)

            def one() -> Deal:
                return simulation._deal()[0]  # noqa: SLF001 - of worlds only the planes are left

        return [self.places(*one()) for _ in range(number)]

    def possible(self, card: int) -> AbstractSet[int]:
        """Return where a card may be."""
        group = self._simulation.game.indices.group[card]
        voids = self.knowledge.voids
        seats = {seat for seat, room in enumerate(self._rooms) if room and not voids[seat] >> group & 1}
        return seats | {KITTY} if self._hides_kitty else seats

    def called(self) -> AbstractSet[int]:
        """Return the called cards of open calls."""
        return {self._simulation.game.indices.index[KIND[call["card"]]] for call in open_calls(self.view)}


class Tally:
    """What was read, by kind of deals and part of the rounds.

    Attributes:
        guesses: (kind of deals, part) -> what its deals said.
        friends: (way, third, what it should tell) -> pairs.
        decisions: number of decisions.
    """

    def __init__(self) -> None:
        self.guesses: defaultdict[tuple[str, str], Guesses] = defaultdict(lambda: Guesses([], []))
        self.friends: defaultdict[tuple[str, str, str], list[Pair]] = defaultdict(list)
        self.decisions = 0

    def add(self, kind: str, parts: Iterable[str], guesses: Guesses) -> None:
        """Add what deals of a kind say at a decision that belongs to some parts."""
        for part in parts:
            self.guesses[kind, part].bits.extend(guesses.bits)
            self.guesses[kind, part].pairs.extend(guesses.pairs)


def strangers_of(view: View) -> list[int]:
    """Return the seats, other than the viewer's, that nobody knows to be a friend or not; none without open calls."""
    if all(call["filled_by"] is not None for call in view["round"]["calls"] or ()):
        return []
    me = view["my"]["seat"]
    return [seat for seat, place in enumerate(view["seats"]) if place["side"] == "unknown" and seat != me]


def third_of(view: View) -> int:
    """Return the third of the round, from 1."""
    played = sum(view["round"]["played"].values())
    total = played + sum(place["hand_count"] for place in view["seats"])
    return min(3, 1 + 3 * played // max(1, total))


def read_round(ruleset: str, players: int, deal: int, kinds: Sequence[str], looks: int, tally: Tally) -> None:
    """Play a round, and add what is read in it."""
    chance = random.Random(f"reading {deal}")
    table = Table(ruleset, players, quick_options(ruleset, deal), deal)
    strangers: list[tuple[int, str, dict[str, float]]] = []

    def play(seat: int, view: dict[str, Any]) -> Command:
        if view["decision"]["kind"] == "play" and chance.random() < 1 / players:
            tally.decisions += 1
            reader = Reader(view, f"{deal}:{view['version']}")
            strangers.extend(_read(reader, table.state, kinds, looks, tally))
        return choose(view, f"{deal}:{view['version']}:{seat}".encode(), "normal")

    while not table.results:
        table.step(play)
    friends = set(table.results[0].get("declarers") or ())
    for seat, third, said in strangers:
        for way, chance_said in said.items():
            tally.friends[way, third, "is a friend"].append((chance_said, seat in friends))


def _read(
    reader: Reader, state: Any, kinds: Sequence[str], looks: int, tally: Tally
) -> list[tuple[int, str, dict[str, float]]]:
    """Add what is read at a decision; return seats of unknown side, with the third and what was said of each."""
    view, truth = reader.view, reader.truth(state)
    third = f"third {third_of(view)}"
    side = SIDES[view["seats"][view["my"]["seat"]]["side"]]
    called, strangers = reader.called(), strangers_of(view)
    said: dict[int, dict[str, float]] = {seat: {} for seat in strangers}
    for kind in kinds:
        deals = reader.deals(kind, looks)
        tally.add(kind, ("all", third, f"side {side}"), guessed(truth, deals, reader.possible))
        for seat in strangers:
            said[seat][kind] = sum(not called.isdisjoint(deal.get(seat, ())) for deal in deals) / looks
    if strangers:
        declarer, leans = view["round"]["declarer"], reader.knowledge.leans
        by_signs = {friend.seat: friend for friend in friends(view)}
        for seat in strangers:
            said[seat]["normal"] = (1 + leans[seat] / leans[declarer]) / 2
            friend = by_signs.get(seat)
            said[seat]["holds"], said[seat]["joins"] = (friend.holds, friend.chance) if friend else (0.0, 0.0)
            holds = not called.isdisjoint(truth.get(seat, ()))
            for way, chance in said[seat].items():
                tally.friends[way, third, "holds a called card"].append((chance, holds))
    return [(seat, third, said[seat]) for seat in strangers]


def report_cards(tally: Tally, kinds: Sequence[str]) -> None:
    """Print how well each kind of deals guesses hidden cards."""
    print(f"{tally.decisions} decisions\n\n{'':<20}" + "".join(f"{kind:>22}" for kind in kinds))
    print(f"{'':<12}{'cards':>8}" + f"{'bits':>15}{'off':>7}" * len(kinds))
    for part in sorted({part for _, part in tally.guesses}):
        of_part = [tally.guesses[kind, part] for kind in kinds]
        figures = [f"{fmean(each.bits):>15.3f}{error(each.pairs):>7.3f}" for each in of_part if each.bits]
        print(f"{part:<12}{len(of_part[0].bits):>8}" + "".join(figures))


def report_tenths(tally: Tally, kinds: Sequence[str]) -> None:
    """Print how often what each kind of deals says comes true."""
    for kind in kinds:
        print(f"\n{kind}: said, true")
        for tenth in filter(None, reliability(tally.guesses[kind, "all"].pairs)):
            print(f"  {tenth.said:.3f}  {tenth.true:.3f}  ({tenth.pairs})")


def report_friends(tally: Tally) -> None:
    """Print how well each way tells who holds a called card, and who is a friend in the end."""
    ways = list(dict.fromkeys(way for way, _, _ in tally.friends))
    thirds = sorted({third for _, third, _ in tally.friends})
    for what in ("holds a called card", "is a friend") if ways else ():
        print(f"\n{'AUC: ' + what:<28}" + "".join(f"{way:>10}" for way in ways))
        for third in thirds:
            areas = [auc(tally.friends[way, third, what]) for way in ways]
            shown = "".join(f"{'-' if area is None else f'{area:.3f}':>10}" for area in areas)
            print(f"{third:<12}{len(tally.friends[ways[0], third, what]):>8} seats{'':<2}{shown}")


def main() -> None:
    """Measure the reading of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="shengji", choices=[name for name in RULESETS if name != "arms_length"])
    parser.add_argument("--players", type=int)
    parser.add_argument("--deals", type=int, default=40, help="rounds")
    parser.add_argument("--first", type=int, default=8_000_000, help="number of the first deal")
    parser.add_argument("--looks", type=int, default=60, help="sampled deals at a decision")
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--tenths", action="store_true")
    options = parser.parse_args()
    players, tally = options.players or RULESETS[options.ruleset].players[0], Tally()
    for deal in range(options.first, options.first + options.deals):
        read_round(options.ruleset, players, deal, options.kinds, options.looks, tally)
    print(f"{options.ruleset} with {players}, {options.deals} rounds from deal {options.first}")
    report_cards(tally, options.kinds)
    report_friends(tally)
    if options.tenths:
        report_tenths(tally, options.kinds)


if __name__ == "__main__":
    main()
