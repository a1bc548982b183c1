"""Mistakes that a rule-based player never makes, for each kind of decision."""

from typing import Any

import pytest

from harness.ai_table import Table
from service.rules.cards import KIND, POINTS, counts_of, kinds_of, names_of
from service.rules.options.rulesets import composition, deck_of, effective_options
from service.rules.trumps import Trump, order_of
from tests.workers.seen import view_of
from workers.ai import NORMAL, burial_of, choose
from workers.ai.candidates import leading
from workers.ai.heuristics import calling, playing
from workers.ai.knowledge.seat import Knowledge, voids_of

LEVELS = pytest.mark.parametrize("level", ["easy", "normal"])


def cards(view: dict[str, Any], level: str) -> list[str]:
    """Return the cards played without noise."""
    answers = {tuple(choose(view, bytes([seed]), level)["cards"]) for seed in range(20)}
    assert len(answers) == 1, answers
    return sorted(answers.pop())


@LEVELS
def test_it_gives_points_to_a_partner_who_has_won_the_trick(level: str) -> None:
    assert cards(view_of("TS 3S 4C 6C 8C", plays=["6S", "AS", "7S"]), level) == ["TS"]


@LEVELS
def test_it_gives_no_points_to_the_other_side(level: str) -> None:
    assert cards(view_of("KS 3S 4C 6C 8C", plays=["6S", "5S", "AS"]), level) == ["3S"]


ATTACKING: dict[str, Any] = {"declarer": 1, "sides": ["attackers", "declarers", "attackers", "declarers"]}


def test_second_it_plays_no_points_that_the_next_seat_is_likely_to_take() -> None:
    """The partner could beat the ten, but hardly the card that beats it."""
    hand = "QH TH 7H 6H 2S 2C 3S 4S 5S 8S 9S JS 3D 4D 6D"
    assert cards(view_of(hand, plays=["8H"], **ATTACKING), "normal") == ["6H"]


def test_void_it_gives_its_partner_no_points_in_a_trick_that_the_next_seat_can_ruff() -> None:
    view = view_of("5C 8C 6C QC 9S JS 4S 3C", plays=["6D"], revealed={"voids": {"D": [0, 1]}}, **ATTACKING)
    assert POINTS[KIND[cards(view, "normal")[0]]] == 0


DRAWN = "AS AS KS KS AD AD KD KD 3H 3H 4H 4H 5H 7H 7H 8H 8H JH JH 2S 2S"


def test_void_in_trumps_it_gives_its_partner_no_points_before_the_last_foe_has_played() -> None:
    view = view_of(
        "AC AC 5S QD 9D 5D KC 6C", plays=["6H"], revealed={"voids": {"H": [0]}}, played=DRAWN.split(), **ATTACKING
    )
    assert cards(view, "normal") == ["6C"]


def test_late_it_leads_no_queen_that_a_foe_can_ruff() -> None:
    view = view_of("2S 2D JH 9H 6H QD 7D 6D 3D", revealed={"voids": {"D": [1, 2]}}, played=DRAWN.split())
    assert cards(view, "normal") == ["2D"]


def test_void_it_ruffs_a_trick_with_points_and_with_the_lowest_trump_that_wins() -> None:
    assert cards(view_of("3H AH BJ 4C 6C 8C", plays=["TS", "5S", "KS"]), "normal") == ["3H"]


def test_even_in_error_it_does_not_waste_a_joker_where_any_trump_wins() -> None:
    view = view_of("3H AH BJ 4C 6C 8C", plays=["TS", "5S", "KS"])
    answers = {choose(view, seed.to_bytes(2), "easy")["cards"][0] for seed in range(300)}
    assert answers <= {"3H", "AH"}


def test_it_ruffs_a_throw_with_one_joker_where_one_is_enough() -> None:
    hand = "BJ LJ 2S 2S 2D JH TH 9H 6H 9C 6C 5C AS QS JS TS 7S 5S"
    view = view_of(hand, plays=["KD QD"], revealed={"voids": {"D": [0, 1]}}, played=["AD", "AD", "KD"])
    assert cards(view, "normal") == ["6H", "BJ"]


@pytest.mark.parametrize(
    ("hand", "plays", "chosen", "arguments"),
    [
        # The partner's joker has won.
        ("QH 9H 9H 8H 7H 4C 6C", ["3H", "BJ", "4H"], "QH", "7H"),
        ("QH JH TH 7H 4C 6C", ["3H", "BJ", "4H"], "TH", "TH"),
        ("QH 9H 9H 4C 6C", ["3H", "BJ", "4H"], "QH", "QH"),
        ("QS 7S 4C 6C", ["3S", "AS", "4S"], "QS", "QS"),
        # The last seat plays any winning card.
        ("LJ 2C QH 3H 4C 6C", ["AH", "4H", "KH"], "LJ", "2C"),
        ("LJ 2C QH 3H 4C 6C", ["2S", "4H", "KH"], "LJ", "LJ"),
        # Somebody may still beat a lower one.
        ("BJ 2C QH 3H 4C 6C", ["AH"], "BJ", "BJ"),
    ],
)
def test_of_equivalent_trumps_it_gives_the_lowest(hand: str, plays: list[str], chosen: str, arguments: str) -> None:
    knowledge = Knowledge(view_of(hand, plays=plays, **ATTACKING), memory=True)
    assert names_of(playing.lowest_alike(knowledge, (KIND[chosen],))) == [arguments]


@pytest.mark.parametrize(
    ("plays", "chosen", "arguments"),
    [
        (["7S", "9S", "AS"], "5S", "6S"),
        # The same for a ten and a king; no card that wins later is given instead.
        (["7S", "9S", "AS"], "KS", "6S"),
        # The partner wins, or the seat itself.
        (["7S", "AS", "9S"], "5S", "5S"),
        (["7S", "3S", "9S"], "KS", "KS"),
        # Other suits have other reasons.
        (["7S", "9S", "AS"], "KD", "KD"),
    ],
)
def test_it_gives_no_points_to_a_lost_trick_if_a_low_card_of_the_suit_does(
    plays: list[str], chosen: str, arguments: str
) -> None:
    knowledge = Knowledge(view_of("5S 6S 8S KS QD KD 3H 4C", plays=plays, **ATTACKING), memory=True)
    assert names_of(playing.without_points(knowledge, (KIND[chosen],))) == [arguments]


def last_but_one(hand: str, plays: list[str], others: str) -> dict[str, Any]:
    """Return the view of the last seat in the second last trick; `others`: cards in other hands and buried."""
    left = counts_of(kinds_of([*hand.split(), *plays, *others.split()]))
    gone = [
        kind
        for kind, count in enumerate(counts_of(deck_of(composition("shengji", 4, {}))))
        for _ in range(count - left[kind])
    ]
    view = view_of(hand, plays=plays, played=names_of(gone), **ATTACKING)
    for place in view["seats"][1:]:
        place["hand_count"] = 1
    return view


def test_it_keeps_a_certain_winner_for_the_last_trick() -> None:
    others = "3H 4S 6S 7S 8S 9S 4C 9C 3D 5D 6D"
    assert cards(last_but_one("LJ KD", ["6C", "8C", "9C"], others), "normal") == ["KD"]
    # Fifteen points are worth more than the last trick.
    assert cards(last_but_one("LJ KD", ["TC", "5C", "6C"], others), "normal") == ["LJ"]


@LEVELS
def test_it_does_not_ruff_its_partner(level: str) -> None:
    assert cards(view_of("3H AH BJ 4C 6C 8C TC", plays=["5S", "AS", "TS"]), level) == ["TC"]


@LEVELS
def test_it_wins_with_the_card_that_brings_points(level: str) -> None:
    assert cards(view_of("KS AS 3S 4C 6C 8C", plays=["6S", "5S", "QS"]), level) == ["KS"]


@LEVELS
def test_a_pair_is_taken_with_a_pair(level: str) -> None:
    view = view_of("AS AS 3S 4S 6C 8C", plays=["TS TS", "5S 6S", "KS KS"])
    assert cards(view, level) == ["AS", "AS"]


@LEVELS
def test_short_in_the_suit_it_keeps_points_and_trumps_from_a_lost_trick(level: str) -> None:
    view = view_of("3S KC AH 4C 6C 8C", plays=["KS KS", "7S 8S", "AS AS"])
    discards = cards(view, level)
    assert "3S" in discards
    assert not {"KC", "AH"} & set(discards)


def test_void_it_may_compare_cheap_cards_and_points_of_every_suit() -> None:
    knowledge = Knowledge(view_of("KC JC 3C TD 4D", plays=["TS", "5S", "KS"]), memory=True)
    few, many = ({names_of(play)[0] for _, play in playing.rated(knowledge, widely=each)} for each in (False, True))
    assert many == {"3C", "KC", "4D", "TD"}
    assert len(few) == 2
    assert few < many


@LEVELS
def test_it_does_not_lead_into_cards_that_are_still_out(level: str) -> None:
    hand = "KS 3S TD 4D 3C 9C JC 6D"
    for seed in range(20):
        [card] = choose(view_of(hand, held=24), bytes([seed]), level)["cards"][:1]
        assert card not in ("KS", "TD")


def test_with_a_memory_it_knows_when_a_king_has_become_the_highest() -> None:
    trumps = "3H 4H 5H 6H 7H 8H 9H TH JH QH"
    view = view_of("KS 3D 4D 6C 7C", held=5, played=["AS", "AS", "KS", *trumps.split(), *trumps.split()])
    assert cards(view, "normal") == ["KS"]


def test_with_a_memory_it_does_not_lead_into_the_suit_that_a_foe_has_just_ruffed() -> None:
    hand = "AS AD 9C 3C"
    assert cards(view_of(hand, held=12, revealed={"voids": {"S": [1]}}), "normal") == ["AD"]
    assert set(cards(view_of(hand, held=12), "normal")) <= {"AS", "AD"}


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_it_throws_only_what_nobody_can_break(level: str) -> None:
    held = failed = 0
    for deal in range(8):
        table = Table("shengji", 4, {"deal_pace": "instant"}, deal)

        def note(_: int, view: dict[str, Any]) -> dict[str, Any]:
            nonlocal held, failed
            trick = view["round"]["trick"]
            if trick and len(trick["plays"]) == 1 and trick["plays"][0]["throw"]:
                held += trick["plays"][0]["throw"]["ok"]
                failed += not trick["plays"][0]["throw"]["ok"]
            return choose(view, b"throw", level)

        while not table.results:
            table.step(note)
    assert held > 0
    assert failed == 0


NO_PAIRS = {"most": {"S": {str(seat): 1 for seat in (1, 2, 3)}}}


def test_if_nobody_holds_a_pair_it_throws_a_low_one_with_the_ace() -> None:
    def throws(**known: Any) -> list[list[str]]:
        view = view_of("AS 4S 4S 9C 8D", held=12, **known)
        leads = leading.candidates(Knowledge(view, memory=True))
        return [sorted(names_of(lead.cards)) for lead in leads if lead.kind == "throw"]

    assert throws() == []
    assert throws(revealed={"most": {"S": {"1": 1, "2": 1}}}) == []
    assert throws(revealed=NO_PAIRS) == [["4S", "4S", "AS"]]
    assert throws(revealed={"most": {"S": {"1": 1, "2": 1}}, "voids": {"S": [3]}}) == [["4S", "4S", "AS"]]


def test_a_hand_without_pairs_cannot_beat_or_ruff_a_pair() -> None:
    def holds(**facts: Any) -> float:
        knowledge = Knowledge(view_of("4S 4S 9C 8D", held=12, revealed=facts), memory=True)
        lead = knowledge.rules.lead(kinds_of(["4S", "4S"]))
        return knowledge.win_probability(lead, lead.units[0].cards, 1.0)[1]

    seats = {str(seat): 1 for seat in (1, 2, 3)}
    assert holds() < holds(most={"S": seats}) < 1.0
    assert holds(most={"S": seats, "T": seats}) == 1.0


def test_a_throw_is_judged_as_it_would_be_read() -> None:
    """A triple and a pair that nobody beats, but they read as a tractor and a single king, and an ace is out."""
    view = view_of(
        "KS KS KS QS QS 4D 6C 8C 9C",
        held=9,
        played=["AS", "AS"],
        ruleset="finding_friends",
        players=6,
        sides=["declarers"] + 5 * ["attackers"],
    )
    assert cards(view, "normal") in (["KS", "KS", "KS"], ["KS", "KS", "QS", "QS"])


DEALT = "BJ AH KH 9H 7H 6H 4H 3H AS AS KS QS 9S 5S AD QD TD 8D 4D 3C 6C KC AC 2S 2D 7D JD 8S 7S 3S JS 9D 6D"


@LEVELS
def test_it_buries_neither_points_nor_trumps_and_empties_a_suit_if_possible(level: str) -> None:
    plain = "BJ AH KH 9H 7H 6H 4H 3H 2S 2D AS AS KS QS 9S AD AD QD 8D 7D 6D 4D 3D 3C 6C 7C 8C"
    view = view_of(plain, kind="discard", hints={"cards": 4})
    assert cards(view, level) == ["3C", "6C", "7C", "8C"]


@LEVELS
def test_it_buries_cheap_cards(level: str) -> None:
    buried = cards(view_of(DEALT, kind="discard", hints={"cards": 8}), level)
    assert len(buried) == 8
    assert not {"AS", "AD", "BJ", "AH", "2S", "2D"} & set(buried)
    # High cards and points only if that empties a suit.
    suits = {card[1] for card in buried if card[0] in "AKT5"}
    held = DEALT.split()
    assert all(buried.count(card) == held.count(card) for card in held if card[1] in suits)


def test_weights_decide_between_hands_that_cost_the_same() -> None:
    def buried(weights: dict[str, float]) -> list[str]:
        burial = burial_of(view_of(DEALT, kind="discard", hints={"cards": 8}), NORMAL)
        burial.weights = weights
        return names_of(burial.best())

    assert sum(POINTS[KIND[card]] for card in buried({"points": 1000.0})) >= 10
    assert sum(POINTS[KIND[card]] for card in buried({"points": -1000.0})) == 0


@LEVELS
def test_in_games_with_friends_it_buries_no_points(level: str) -> None:
    view = view_of(DEALT, kind="discard", hints={"cards": 8}, ruleset="finding_friends", players=6)
    assert sum(POINTS[kind] for kind in kinds_of(cards(view, level))) == 0


def calls_of(hand: str, wanted: int, players: int = 6) -> list[dict[str, Any]]:
    view = view_of(hand, kind="call", ruleset="finding_friends", players=players, discard="3C", hints={"calls": wanted})
    calls: list[dict[str, Any]] = choose(view, b"call")["calls"]
    return calls


def test_it_calls_aces_that_others_hold() -> None:
    for call in calls_of("BJ AH KH 9H 7H KS QS 9S KD QD 8D 4C 6C", 2):
        assert call["card"] in ("AS", "AD", "AC")
        assert call["ordinal"] == 1


def test_it_never_calls_a_card_of_which_it_holds_every_copy() -> None:
    """Three decks, and all three aces of three suits: no ace can be called."""
    for call in calls_of("AS AS AS AD AD AD AC AC AC KS 9D 4C", 2):
        assert call["card"][0] != "A"


def test_of_a_card_that_it_holds_it_calls_the_copy_after_its_own() -> None:
    calls = calls_of("AS AD AC KS KD KC QS QD QC", 2, 6)
    assert all(call["ordinal"] == 2 for call in calls if call["card"][0] in "AKQ")


def test_it_calls_different_cards() -> None:
    calls = calls_of("BJ AH KH 9H 7H KS QS 9S KD QD 8D 4C 6C", 5, 12)
    assert len({call["card"] for call in calls}) == 5


def test_it_never_calls_a_copy_that_nobody_else_can_hold() -> None:
    """All cards except one three of clubs are its own or buried."""
    order = order_of(Trump("2", "H"))
    deck = counts_of(deck_of(composition("finding_friends", 6, {})))
    hand = list(deck)
    hand[KIND["3C"]] -= 2
    buried = counts_of([KIND["3C"]])
    assert calling.call(hand, buried, order, deck, 1) == [{"card": "3C", "ordinal": 2}]


def test_it_also_calls_after_somebody_else_buried_the_kitty() -> None:
    view = view_of("KS QD 4C", kind="call", ruleset="finding_friends", players=6, discard=None, hints={"calls": 2})
    assert len(choose(view, b"call")["calls"]) == 2


TRUMPS = "2H BJ LJ AH AH KH QH JH 9H 8H 7H 5H"


def test_it_declares_the_suit_of_which_it_holds_most() -> None:
    hand = f"{TRUMPS} 2S 4S 9D KD 3C 7C"
    view = view_of(hand, kind="declare", declarer=None, hints={"possible": [["2S"], ["2H"]]})
    assert choose(view, b"bid") == {"type": "declare", "cards": ["2H"]}


def test_for_the_kitty_it_shows_a_pair_at_once_so_that_only_jokers_beat_it() -> None:
    hand = f"{TRUMPS} 2H 4S 9D 3C"
    possible = {"possible": [["2H"], ["2H", "2H"]]}
    for level, cards in [("easy", ["2H"]), ("normal", ["2H", "2H"])]:
        view = view_of(hand, kind="declare", declarer=None, hints=possible)
        assert choose(view, b"bid", level)["cards"] == cards
        assert choose(view_of(hand, kind="declare", declarer=1, hints=possible), b"bid", level)["cards"] == ["2H"]


def test_for_the_kitty_it_overcalls_its_partner_with_a_pair_of_a_suit_as_strong() -> None:
    hand = "2S 2S 2H AS KS 9S 8S AH KH 9H 8H 4D 6D 7D 3C 5C 7C 8C TC"
    shape: dict[str, Any] = {"kind": "declare", "declarations": [(2, "2H")], "hints": {"possible": [["2S", "2S"]]}}
    assert choose(view_of(hand, declarer=None, **shape), b"bid", "easy")["type"] == "pass"
    assert choose(view_of(hand, declarer=None, **shape), b"bid", "normal")["cards"] == ["2S", "2S"]
    assert choose(view_of(hand, declarer=2, **shape), b"bid", "normal")["type"] == "pass"


def test_it_declares_nothing_weak_when_somebody_else_takes_the_kitty() -> None:
    hand = "2H 3H AS KS QS JS 9S 8S AD KD 9D 8D AC KC QC TC 9C 7C"
    view = view_of(hand, kind="declare", declarer=1, hints={"possible": [["2H"]]})
    assert choose(view, b"bid") == {"type": "pass"}


def test_a_bomb_of_another_suit_shows_no_void() -> None:
    cards = (["3S", "3S", "4S", "4S"], ["5D"] * 4, ["6C", "7C", "8C", "9C"])
    plays = [{"seat": seat, "cards": each} for seat, each in enumerate(cards)]
    view = {"seats": [None] * 4, "round": {"trick": {"plays": plays}}, "my": {"seat": 3}}
    order = order_of(Trump("2", "H"), twos_always_trump=False)
    spades = 1 << order.group_of[KIND["3S"]]
    assert voids_of(view, order, memory=False) == [0, 0, spades, 0]


def test_early_in_the_deal_it_waits_for_more() -> None:
    hand = "2H 5H 9S 4D"
    shape: dict[str, Any] = {"kind": "declare", "declarer": 1, "hints": {"possible": [["2H"]]}}
    assert choose(view_of(hand, dealt=16, **shape), b"bid") == {"type": "pass"}


def test_it_leaves_trumps_to_its_partner_but_not_to_the_other_side() -> None:
    hand = f"{TRUMPS} 2H 4S 9D 3C"
    shape: dict[str, Any] = {"kind": "declare", "declarer": None, "hints": {"possible": [["2H", "2H"]]}}
    assert choose(view_of(hand, declarations=[(1, "2S")], **shape), b"bid")["type"] == "declare"
    weaker = "2H 2H AH 9H 4S 6S 7S 8S AS KS 2S 9D KD QD 3C 5C 7C 8C TC KC"
    assert choose(view_of(weaker, declarations=[(2, "2S")], **shape), b"bid")["type"] == "pass"


def test_it_reinforces_its_declaration_when_the_second_card_comes() -> None:
    hand = f"{TRUMPS} 2H 4S 9D 3C"
    view = view_of(hand, kind="declare", declarer=None, declarations=[(0, "2H")], hints={"possible": [["2H", "2H"]]})
    assert choose(view, b"bid") == {"type": "declare", "cards": ["2H", "2H"]}


def test_it_defends_its_trumps() -> None:
    hand = f"{TRUMPS} 2H 4S 9D 3C"
    view = view_of(
        hand,
        kind="defend",
        declarer=None,
        declarations=[(0, "2H"), (1, "2S 2S")],
        hints={"possible": [["2H", "2H"]]},
        defence="immediate",
    )
    assert choose(view, b"bid") == {"type": "declare", "cards": ["2H", "2H"]}


def test_it_overcalls_for_the_kitty_with_many_trumps_of_the_pair_only() -> None:
    strong = "2S 2S AS AS KS QS JS 9S 8S 7S BJ 4H 9D 3C"
    weak = "2S 2S AH AH KH QH JH 9H 8H 7H BJ 4S 9D 3C"
    shape: dict[str, Any] = {"kind": "overcall-kitty", "hints": {"possible": [["2S", "2S"]]}, "chao_di": True}
    assert choose(view_of(strong, **shape), b"x") == {"type": "overcall_kitty", "cards": ["2S", "2S"]}
    assert choose(view_of(weak, **shape), b"x") == {"type": "pass"}


FRIENDS = {"ruleset": "finding_friends", "players": 6, "seat": 3, "declarer": 2}


@LEVELS
def test_a_seat_without_a_called_card_gives_the_declarer_no_points(level: str) -> None:
    call = {"card": "AD", "ordinal": 1, "filled_by": None}
    sides = ["unknown", "unknown", "declarers", "unknown", "unknown", "unknown"]
    view = view_of(
        "TS 3S 4C 6C 8C", plays=["6S", "7S", "3S", "5S", "AS"], **{**FRIENDS, "seat": 3}, calls=[call], sides=sides
    )
    assert cards(view | {"my": {**view["my"]}}, level) == ["3S"]


@LEVELS
def test_a_holder_of_the_called_card_plays_as_the_declarers_friend(level: str) -> None:
    call = {"card": "AD", "ordinal": 1, "filled_by": None}
    sides = ["unknown", "unknown", "declarers", "unknown", "unknown", "unknown"]
    view = view_of("TS 3S 4C AD 8C", plays=["6S", "7S", "3S", "5S", "AS"], **FRIENDS, calls=[call], sides=sides)
    assert cards(view, level) == ["TS"]


RACE = [{"card": "AD", "ordinal": 1, "filled_by": None}]
UNKNOWN = ["unknown", "unknown", "declarers", "unknown", "unknown", "unknown"]


def race(hand: str, plays: list[str], **more: Any) -> dict[str, Any]:
    """Return the view of a seat of unknown side, where the first player of the ace of diamonds is a friend."""
    return view_of(hand, plays=plays, calls=RACE, sides=UNKNOWN, **FRIENDS, **more)


def test_it_plays_a_called_card_before_somebody_else_can() -> None:
    assert cards(race("AD 3D 4C 6C 8C 9S KS", ["4D", "6D"]), "normal") == ["AD"]
    assert cards(race("AD 3D 4C 6C 8C 9S KS", []), "normal") == ["AD"]
    # Void, in a lost trick.
    assert cards(race("AD 3D 4C 6C 8C 9C KC", ["KS", "AS"]), "normal") == ["AD"]
    # A pair is led, and the hand has single cards of its suit.
    assert "AD" in cards(race("AD 3D 4D TD KD 9C KC", ["6D 6D"]), "normal")
    # A tractor, and a throw.
    assert "AD" in cards(race("AD 3D 4D 8D TD KD 9C KC", ["6D 6D 7D 7D"]), "normal")
    assert "AD" in cards(race("AD 3D 4D TD KD 9C KC", ["QD JD"]), "normal")


def test_one_copy_of_one_called_card_is_enough_to_join() -> None:
    assert cards(race("AD AD 3D 4D TD KD 9C KC", ["QD JD"]), "normal").count("AD") == 1
    # Void, with two copies of a called card, and with two called cards.
    assert cards(race("AD AD 3C 4C TC KC 9C KC", ["6S 6S"]), "normal").count("AD") == 1
    both = [*RACE, {"card": "AC", "ordinal": 1, "filled_by": None}]
    view = view_of("AD AC 3C 4C TC KC 9C KC", plays=["6S 6S"], calls=both, sides=UNKNOWN, **FRIENDS)
    assert len({"AD", "AC"} & set(cards(view, "normal"))) == 1
    # Nevertheless, a pair that must be played is played.
    assert cards(race("AD AD 3D 4D TD KD 9C KC", ["6D 6D"]), "normal") == ["AD", "AD"]


def test_the_called_card_can_wait_if_nobody_else_holds_a_copy() -> None:
    assert cards(race("AD AD AD 4C 6C 8C 9C", ["KS", "AS"]), "normal") == ["4C"]


def test_a_copy_before_the_called_one_makes_no_friend() -> None:
    second = [{"card": "AD", "ordinal": 2, "filled_by": None}]
    shape: dict[str, Any] = {"plays": ["KS", "AS"], "calls": second, "sides": UNKNOWN, **FRIENDS}
    assert cards(view_of("AD 3D 4C 6C 8C 9C KC", **shape), "normal") != ["AD"]
    assert cards(view_of("AD 3D 4C 6C 8C 9C KC", played=["AD"], **shape), "normal") == ["AD"]


def test_if_the_declarer_has_played_the_called_copy_a_further_one_may_still_join() -> None:
    assert cards(race("AD 3C 4C 6C 8C", ["KS"], played=["AD"], double_join=False), "normal") == ["AD"]


def test_it_wins_a_trick_to_lead_a_called_card_next() -> None:
    assert cards(race("AD 7S AS 4C 6C 9C", ["3S", "4S", "6S"]), "normal") == ["AS"]
    assert cards(race("KD 7S AS 4C 6C 9C", ["3S", "4S", "6S"]), "normal") == ["7S"]


def arms(hand: str, road: str, plays: list[str], trump: str | None = None) -> dict[str, Any]:
    view = view_of(hand, plays=plays, ruleset="arms_length", trump={"rank": None, "suit": None})
    view["round"]["trump"] = {"rank": None, "suit": trump} if trump else None
    other = {"high": "low", "low": "high"}[road]
    view["round"]["roads"] = {"stated": [0, 1, 2, 3], "set": {"0": road, "1": "high", "2": other, "3": "low"}}
    return view


def test_void_and_without_trumps_it_keeps_the_cards_for_its_road() -> None:
    hand, trick = "AD KD 3C 2C", ["4S", "QH", "5S"]
    assert choose(arms(hand, "high", trick, trump="H"), b"x")["cards"] == ["2C"]
    assert choose(arms(hand, "low", trick, trump="H"), b"x")["cards"] == ["AD"]


def test_on_the_high_road_it_takes_a_trick_with_the_lowest_card_that_is_enough_when_it_is_last() -> None:
    assert choose(arms("KS AS 3D", "high", ["4S", "QS", "5S"]), b"x")["cards"] == ["KS"]


def test_on_the_low_road_it_plays_its_highest_card_to_a_trick_that_it_must_win() -> None:
    assert choose(arms("KS AS 3D", "low", ["4S", "QS", "5S"]), b"x")["cards"] == ["AS"]


@pytest.mark.parametrize(
    ("hand", "road"),
    [
        ("AS KS AH KH AD QD JC 3C 4C 5D 6D 7H 8S", "high"),
        ("2S 3S 4S 5H 6H 7H 8H 2D 3D 4D 9C TC JC", "low"),
        ("AS 3S 4S KH 6H 7H 8H QD 3D 4D 9C TC 2C", "either"),
    ],
)
def test_it_states_the_road_that_suits_its_hand(hand: str, road: str) -> None:
    view = arms(hand, "high", [])
    view["decision"]["kind"] = "road"
    assert choose(view, b"x") == {"type": "road", "road": road}


def test_the_easy_level_errs_occasionally_and_the_normal_one_never() -> None:
    view = view_of("QS TS 9S 8S JD 9D 8D 6C 7C 9C", held=20)
    easy = {tuple(choose(view, bytes([seed]), "easy")["cards"]) for seed in range(40)}
    normal = {tuple(choose(view, bytes([seed]), "normal")["cards"]) for seed in range(40)}
    assert len(easy) > 1
    assert len(normal) == 1


def test_the_deck_of_these_views_is_that_of_the_game() -> None:
    options = effective_options("shengji", 4, {})
    assert len(deck_of(composition("shengji", 4, options))) == 108
