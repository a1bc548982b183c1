"""All combinations of options are either playable or refused with the accepted values."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.common.errors import InvalidOption
from service.rules.cards import POINTS, RANKS
from service.rules.composition import LEAST_HAND, composition, deck_of, ranks_of
from service.rules.games import RULESETS
from service.rules.options.presets import PRESETS, presets_of, with_preset
from service.rules.options.rulesets import defaults, effective_options, renewed
from service.rules.options.selection import selection
from service.rules.options.table import OPTIONS
from service.rules.rounds.friends import calls_possible
from service.rules.rounds.levels import advance, check_level, ladder, level_after
from service.rules.rounds.scoring import ATTACKERS, DECLARERS, bands, points_to_win, score

SIZES = [(rules.id, players) for rules in RULESETS.values() if rules.family == "shengji" for players in rules.players]
#: Values of options that do not list them.
DRAWN: dict[str, st.SearchStrategy[Any]] = {
    "special_decks": st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "from": st.sampled_from(RANKS),
                "little_joker": st.booleans(),
                "big_joker": st.booleans(),
            },
        ),
        max_size=4,
    ),
    "misdeal": st.fixed_dictionaries(
        {},
        optional={
            "no_points": st.booleans(),
            "points_below": st.integers(1, 50),
            "no_trumps": st.booleans(),
            "trumps_below": st.integers(1, 9),
            "most": st.integers(0, 3),
        },
    ),
    "points_per_level": st.sampled_from([None, *range(5, 205, 5)]),
    "level_ladder": st.lists(st.sampled_from(RANKS), unique=True, max_size=6).map(
        lambda ranks: sorted(ranks, key=RANKS.index) if len(ranks) > 1 else []
    ),
    "must_play": st.lists(st.sampled_from(RANKS), unique=True, max_size=4),
    "hooks": st.sampled_from([{}, {"J": "2", "Q": "6", "A": "J"}, {"3": "2"}]),
}


def values_of(name: str) -> st.SearchStrategy[Any]:
    return st.sampled_from(OPTIONS[name].values) if OPTIONS[name].values else DRAWN[name]


@st.composite
def wishes(draw: st.DrawFn) -> tuple[str, int, dict[str, Any]]:
    """A ruleset, a number of players, and up to twelve options that apply to it."""
    ruleset, players = draw(st.sampled_from(SIZES))
    names = sorted(name for name, option in OPTIONS.items() if ruleset in option.applies)
    chosen = draw(st.lists(st.sampled_from(names), unique=True, max_size=12))
    return ruleset, players, {name: draw(values_of(name)) for name in chosen}


def settled(wish: tuple[str, int, dict[str, Any]]) -> dict[str, Any]:
    """Return the effective options, dropping refused ones one after the other."""
    ruleset, players, overrides = wish
    overrides = dict(overrides)
    while True:
        try:
            return effective_options(ruleset, players, overrides)
        except InvalidOption as refused:
            del overrides[refused.params["option"]]


@given(wishes())
def test_a_refusal_names_a_requested_option_and_the_accepted_values(
    wish: tuple[str, int, dict[str, Any]],
) -> None:
    ruleset, players, overrides = wish
    refused = refusal_of(ruleset, players, overrides)
    if refused is None:
        return
    name, accepted = refused["option"], refused["accepted"]
    assert name in overrides
    assert refused["reason"]
    assert refused["value"] == overrides[name]
    assert accepted
    assert isinstance(accepted, dict) or overrides[name] not in accepted


def refusal_of(ruleset: str, players: int, overrides: dict[str, Any]) -> dict[str, Any] | None:
    try:
        effective_options(ruleset, players, overrides)
    except InvalidOption as refused:
        return dict(refused.params)
    return None


@given(wishes())
def test_effective_options_can_be_sent_back(wish: tuple[str, int, dict[str, Any]]) -> None:
    ruleset, players, _ = wish
    options = settled(wish)
    assert list(options) == list(defaults(RULESETS[ruleset]))
    assert effective_options(ruleset, players, options) == options


@given(wishes())
def test_the_cards_always_deal_evenly_and_conserve_their_points(wish: tuple[str, int, dict[str, Any]]) -> None:
    ruleset, players, _ = wish
    options = settled(wish)
    composed = composition(ruleset, players, options)
    deck = deck_of(composed)
    assert len(deck) == composed.total == players * composed.hand + composed.kitty
    assert composed.hand >= LEAST_HAND
    assert composed.kitty == (options["kitty_size"] if options["kitty_size"] is not None else composed.kitty)
    assert composed.points == sum(POINTS[kind] for kind in deck)
    assert not any(POINTS[kind] for kind in composed.removed)
    assert composed.declarers_max + composed.attackers_min == players
    assert composed.attackers_min >= 1
    assert composed.calls <= calls_possible(composed, options["call_cards"], red_fives=options["red_fives"])
    assert 0 < points_to_win(ruleset, composed.decks, options) <= composed.points
    for level in ladder(options):
        assert level not in RANKS or level in ranks_of(composed)


@given(wishes(), st.data())
def test_every_score_has_a_side_and_more_points_never_help_the_declarers(
    wish: tuple[str, int, dict[str, Any]], data: st.DataObject
) -> None:
    ruleset, players, _ = wish
    options = settled(wish)
    composed = composition(ruleset, players, options)
    team = data.draw(st.integers(1, composed.declarers_max))
    bands_of_points = bands(ruleset, composed.decks, options)
    assert [band.points for band in bands_of_points] == sorted({band.points for band in bands_of_points})
    points = data.draw(st.lists(st.integers(-300, 3 * composed.points), min_size=2).map(sorted))
    gains = [score(ruleset, options, composed, each, team) for each in points]
    sign = {DECLARERS: -1, None: 0, ATTACKERS: 1}
    values = [(sign[gain.side], sign[gain.side] * gain.levels) for gain in gains]
    assert values == sorted(values)
    assert all(gain.levels >= 0 for gain in gains)


@given(wishes(), st.data())
def test_gains_end_on_the_ladder_and_the_last_level_can_be_passed(
    wish: tuple[str, int, dict[str, Any]], data: st.DataObject
) -> None:
    options = settled(wish)
    level, rounds = options["start_level"], 0
    assert check_level(options, level) == level
    while rounds < 200:
        rounds += 1
        role = data.draw(st.sampled_from([DECLARERS, ATTACKERS])) if rounds < 20 else DECLARERS
        after = advance(options, level, 1 if rounds >= 20 else data.draw(st.integers(0, 4)), role)
        assert check_level(options, after.level) == after.level
        if after.won:
            assert not options["laps"]
            assert options["after_last"] == "wrap" or level_after(options, after.level) is None
            return
        level = after.level
    assert options["laps"], "a game whose declarers always win comes to its end"


def test_options_stored_by_an_earlier_version_get_current_names_and_defaults() -> None:
    today = effective_options("zhaopengyou_80", 6, {"overcall": "none"})
    later = ("double_join", "last_level", "throw_forfeit", "levels_cap")
    stored = {name: value for name, value in today.items() if name not in later}
    stored |= {"end_round": "one_level", "equal_rank_tractors": "yes", "follow_smaller": True}
    options = renewed("zhaopengyou_80", stored)
    assert set(options) == set(today)
    assert options["throw_forfeit"] == "one_level"
    assert (options["equal_rank_tractors"], options["follow_smaller"]) == ("adjacent", "always")
    assert effective_options("zhaopengyou_80", 6, options) == options
    assert renewed("zhaopengyou_80", options) == options


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_valid_for_all_its_numbers_of_players(name: str) -> None:
    preset = PRESETS[name]
    sizes = [players for players in RULESETS[preset.ruleset].players if preset.suits(players)]
    assert sizes
    plain = defaults(RULESETS[preset.ruleset])
    for players in sizes:
        wanted = with_preset(preset.ruleset, players, name, {"direction": "clockwise"})
        options = effective_options(preset.ruleset, players, wanted)
        assert options["direction"] == "clockwise"
        assert all(options[option] == value for option, value in preset.options.items())
        assert all(plain[option] != value for option, value in preset.options.items()), "says nothing new"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_each_ruleset_is_its_own_first_preset(ruleset: str) -> None:
    assert presets_of(ruleset)[0].options == {}


@pytest.mark.parametrize(("ruleset", "players"), [*SIZES[::5], ("arms_length", 4)])
def test_exactly_the_selectable_values_are_accepted(ruleset: str, players: int) -> None:
    for each in selection(ruleset, players, {}):
        listed = OPTIONS[each["name"]].values
        for value in listed:
            try:
                effective_options(ruleset, players, {each["name"]: value})
            except InvalidOption:
                assert value not in each["values"]
            else:
                assert value in each["values"]


def test_options_that_another_choice_makes_pointless_are_marked() -> None:
    options = {each["name"]: each for each in selection("shengji", 4, {"overcall": "none"})}
    assert {"overcall_by", "self_overcall", "defence"} <= {name for name, each in options.items() if each["pointless"]}
    assert options["defence"]["values"] == ["none"]
    assert options["hooks"]["values"] is None
    assert "friend_calls" not in options, "nobody is called here"
    assert not {each["name"]: each for each in selection("shengji", 4, {})}["defence"]["pointless"]
