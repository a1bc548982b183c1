"""The rules of a table: its options, cards, trumps and rules of tricks."""

import json
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Final

from service.game.state.queries import game_of, round_of
from service.game.state.types import Hand, Options, State, Trick, TrumpState
from service.rules.cards import absent_from
from service.rules.options.rulesets import RULESETS, Composition, composition, deck_of, renewed
from service.rules.options.selection import chosen
from service.rules.options.table import OPTIONS
from service.rules.rounds.declarations import DeclareContext, ranks_to_declare
from service.rules.rounds.levels import rank_of_level
from service.rules.tricks.leads import Lead
from service.rules.tricks.trick_rules import TrickRules, trick_rules
from service.rules.trumps import Order, Trump, ranking
from service.rules.versions import FIRST, READINGS, Reading

_RULES_KEPT: Final = 1024

#: Option, or option and value -> the first release that understands it. A table stores an option that release 0.3 does
#: not know only if it differs from the default (`service.rules.options.storing`), so its values need no rows.
NEW_OPTIONS: Final[Mapping[str, str]] = {row.name: row.since for row in OPTIONS.values() if row.since} | {
    f"{row.name}={value}": release for row in OPTIONS.values() for value, release in row.later.items()
}


class _TableRules:
    """Values derived from the options of a table.

    Attributes:
        options: all options, by their current names.
        cards: decks, hands, kitty, calls.
        absent: kinds that the game does not have.
    """

    def __init__(self, ruleset: str, players: int, stored: Options) -> None:
        self._table: Final = (ruleset, players)
        self.options: Final[Options] = renewed(ruleset, stored)
        self.cards: Final = composition(ruleset, players, self.options)
        self.absent: Final = absent_from(deck_of(self.cards))

    @cached_property
    def chosen(self) -> Options:
        """The overrides that give all of `options`."""
        return chosen(*self._table, self.options)


#: Cache by the `id` of the state's options, which are one object as long as the state stays in memory. The options are
#: stored with the value, so that no other object can reuse the id.
_tables: dict[int, tuple[Options, _TableRules]] = {}
#: Cache of rules by the `id` of the round's trump, which is one object throughout a round as long as the state stays in
#: memory. Trump and options are stored with the value, so that no other object can reuse the id. Without this cache, a
#: round through `decide` and `evolve` takes 9 % more instructions.
_rules: dict[int, tuple[TrumpState, Options, TrickRules]] = {}


def _table_rules(state: State) -> _TableRules:
    stored = state["options"]
    known = _tables.get(id(stored))
    if known is None or known[0] is not stored:
        if len(_tables) >= _RULES_KEPT:
            _tables.clear()
        # A freshly loaded state has new option objects, equal to those resolved before.
        settled = _settled(state["ruleset"], state["players"], json.dumps(stored))
        known = _tables[id(stored)] = stored, settled
    return known[1]


@lru_cache(maxsize=_RULES_KEPT)
def _settled(ruleset: str, players: int, stored: str) -> _TableRules:
    return _TableRules(ruleset, players, json.loads(stored))


def options_of(state: State) -> Options:
    """Return every option of the table by its current name, with its effective value.

    `state["options"]` may have been stored by an earlier version.
    """
    return _table_rules(state).options


def chosen_options(state: State) -> Options:
    """Return the overrides that give all of `options_of`, as a copy."""
    return dict(_table_rules(state).chosen)


def composition_of(state: State) -> Composition:
    """Return the composition of the table's cards."""
    return _table_rules(state).cards


def has_fixed_teams(state: State) -> bool:
    """Return whether teams are fixed; in games with friends they are found in each round."""
    return RULESETS[state["ruleset"]].teams == "fixed"


def trump_of(state: State) -> Trump:
    """Return the trumps of the round; without rank and suit before they are fixed."""
    trump = round_of(state)["trump"]
    return Trump(None, None) if trump is None else Trump(trump["rank"], trump["suit"])


def ranking_of(state: State) -> Order:
    """Return the ranking of cards in the round."""
    return ranking(trump_of(state), options_of(state))


def rules_of(state: State) -> TrickRules:
    """Return the rules of tricks for the round; trumps must be fixed."""
    table_round, stored = state["round"], state["options"]
    trump = table_round["trump"] if table_round else None
    known = _rules.get(id(trump))
    if known is None or known[0] is not trump or known[1] is not stored:
        if trump is None:
            raise AssertionError("there are no tricks before trumps are fixed")
        if len(_rules) >= _RULES_KEPT:
            _rules.clear()
        table = _table_rules(state)
        rules = trick_rules(Trump(trump["rank"], trump["suit"]), table.options, table.absent)
        known = _rules[id(trump)] = (trump, stored, rules)
    return known[2]


def lead_of(rules: TrickRules, trick: Trick) -> Lead:
    """Return the lead of a trick, read as its leader meant it."""
    play = trick["plays"][0]
    cards = play["cards"]
    if len(cards) == 1:
        # A shortcut for most leads.
        return rules.alike(cards[0], 1)
    return rules.lead(cards, play["units"])


def unseen_by(state: State, seat: int) -> Hand | None:
    """With `proven_throws`, return counts of the cards that a seat has not seen; else None."""
    return not_seen_by(state, seat) if options_of(state)["proven_throws"] else None


def not_seen_by(state: State, seat: int) -> Hand:
    """Return counts of the cards that a seat has not seen: neither held, nor buried by it, nor played."""
    table_round = round_of(state)
    unseen = list(composition_of(state).copies)
    for counts in (table_round["hands"][seat], table_round["played"]):
        unseen = [left - count for left, count in zip(unseen, counts, strict=True)]
    for kind in (table_round["discard"] or ()) if table_round["kitty_seat"] == seat else ():
        unseen[kind] -= 1
    return unseen


def reading_of(state: State) -> Reading:
    """Return the reading of the rules with which the game began."""
    return READINGS[game_of(state).get("rules", FIRST)]


def declare_context(state: State) -> DeclareContext:
    """Return the context of declarations at this table."""
    seats, game, cards = state["seats"], game_of(state), composition_of(state)
    return DeclareContext(
        options=options_of(state),
        decks=cards.decks,
        jokers=(cards.little_jokers, cards.big_jokers),
        ranks=declaring_ranks(state),
        first_round=game["round"] == 1 or round_of(state).get("open", False),
        declarer=game["declarer"],
        levels=tuple(seat["level"] for seat in seats),
        active=tuple(seat["active"] for seat in seats),
        teams=tuple(seat % 2 for seat in range(state["players"])) if has_fixed_teams(state) else None,
    )


def declaring_ranks(state: State) -> tuple[frozenset[str], ...]:
    """Return, for each seat, the ranks it may declare with."""
    levels = [seat["level"] for seat in state["seats"]]
    active = [seat["active"] for seat in state["seats"]]
    return ranks_to_declare(options_of(state), levels, active, round_of(state)["level"])


def can_declare(state: State) -> bool:
    """Return whether anybody can declare; at a level without a trump rank nobody can (docs/rules.md §4.2)."""
    return any(declaring_ranks(state))


def level_rank(state: State, seat: int) -> str | None:
    """Return the trump rank of a seat's level, or None at a level without one."""
    return rank_of_level(state["seats"][seat]["level"])
