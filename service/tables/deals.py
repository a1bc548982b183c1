"""How cards were dealt, beside what chance would give.

Counted are the first deals of finished rounds: nobody decides about them, while later deals of a round follow only on
hands that were given up. Left out is what was not shuffled for the table alone (practice, repeated deals, boards, cards
laid out by hand), and tables whose house rules change the cards. `docs/check_deals.py` counts the same from records.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from service.game.events.evolve import evolve
from service.game.events.types import Event
from service.game.records.record import GameLog, changes_in, game_log
from service.game.state.queries import game_of
from service.game.state.rules import options_of
from service.game.state.types import State
from service.rules.chances import MEASURES, chances, measured
from service.rules.composition import composition
from service.rules.option import Options
from service.store.boards.deals import DealStore

#: Options that change the cards, which are off in every ruleset.
_OF_CARDS: Final[Options] = {"joker_policy": "table", "decks": None, "special_decks": [], "kitty_size": None}


class Deals:
    """See the module."""

    def __init__(self, store: DealStore) -> None:
        self._store: Final = store

    def keep(self, state: State, log: Sequence[Event]) -> None:
        """Count the deals of a finished game. Called when it is over, perhaps twice (`Tables.on_finished`)."""
        if not _has_own_cards(options_of(state)):
            return
        counts = counts_of(game_log(log, game_of(state)["id"]), state)
        if counts:
            self._store.count(game_of(state)["id"], state["ruleset"], state["players"], counts)

    def distribution(self, ruleset: str, players: int) -> dict[str, object]:
        """Return what was dealt in a ruleset to so many players, and what chance gives.

        Raises:
            InvalidRequest: no such ruleset, or not for this number of players.
        """
        chance = chances(composition(ruleset, players, {}))
        counts = self._store.counts(ruleset, players)
        hands = [_row(counts, chance, str(seat), seat=seat) for seat in range(players)]
        kinds = [_row(counts, chance, kind, kind=kind) for kind in ("human", "bot", "ai")]
        return {
            "ruleset": ruleset,
            "players": players,
            "deals": hands[0]["hands"],
            "chance": chance,
            "seats": hands,
            "kinds": kinds,
        }


def _row(
    counts: Mapping[str, int], chance: Mapping[str, Sequence[float]], who: str, **about: object
) -> dict[str, object]:
    """Return what the hands of a seat, or of a kind of players, had: for each measure how many had each value."""
    found = {
        measure: [counts.get(f"{who}:{measure}:{value}", 0) for value in range(len(chance[measure]))]
        for measure in MEASURES
    }
    return {**about, "hands": sum(found["jokers"]), **found}


def _has_own_cards(options: Options) -> bool:
    return all(options.get(name, default) == default for name, default in _OF_CARDS.items())


def counts_of(log: GameLog, state: State) -> dict[str, int]:
    """Return name of a counter -> by how much a finished game adds to it: `<seat or kind>:<measure>:<value>`.

    Args:
        log: of the game.
        state: its table now.
    """
    counts: Counter[str] = Counter()
    for number, hands in _first_deals(log):
        kinds = _kinds(log, state, number)
        for seat, hand in enumerate(hands):
            for measure, value in measured(hand).items():
                counts[f"{seat}:{measure}:{value}"] += 1
                counts[f"{kinds[seat]}:{measure}:{value}"] += 1
    return dict(counts)


def _first_deals(log: GameLog) -> Iterator[tuple[int, list[list[int]]]]:
    """Yield number and hands of each finished round whose cards were shuffled for this table alone."""
    table, players = log.base["id"], log.base["players"]
    laid_out = log.base["settings"].get("known", {}) if log.events[0]["data"]["number"] == 1 else {}
    dealt: tuple[int, list[list[int]]] | None = None
    for event in log.events:
        data = event["data"]
        if event["type"] == "round_opened" and str(data["number"]) not in laid_out:
            hands = [data["deck"][(seat - data["starter"]) % players : data["of"] : players] for seat in range(players)]
            dealt = data["number"], hands
        elif event["type"] == "round_ended":
            if dealt is not None and data["shuffle_name"] == table:
                yield dealt
            dealt = None


def _kinds(log: GameLog, state: State, number: int) -> list[str]:
    """Return who sat at each seat in a round: a person, a program or an AI player."""
    occupants = [seat["occupant"] for seat in evolve(log.base, log.events[0])["seats"]]
    for change in changes_in(state):
        if change["round"] <= number:
            occupants[change["seat"]] = change["occupant"]
    return [occupant["kind"] if occupant else "ai" for occupant in occupants]
