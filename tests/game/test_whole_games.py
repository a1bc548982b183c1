"""AI players finish a whole game under each option that changes how a round begins or ends; its record travels."""

from typing import Any

import pytest

from service.game.records import record
from tests.game.test_records_travel import Ai, travelled

#: The fewest levels, so that a game is short.
SHORT = {"level_ladder": ["K", "A"]}
GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("shengji", 4, {"joker_beside": "matching"}),
    ("shengji", 4, {"jokers_open": False}),
    ("shengji", 4, {"level_ladder": ["2", "5"]}),
    ("shengji", 4, {"points_per_level": 25}),
    ("shengji", 4, {"no_declaration": "fourth_kitty_card", "turned_joker": "names_suit"}),
    ("shengji", 4, {"chao_di": True, "suit_order": "diamonds_over_clubs"}),
    ("zhaopengyou", 6, {"overcall_rank": "first"}),
    ("zhaopengyou", 5, {"friend_by": "shown_card", "joker_beside": "matching"}),
    ("shengji", 4, {"hooks": {"A": "K"}, "hook_fall": "by_cards"}),
    ("zhaopengyou", 6, {"joker_beside": "any", "no_declaration": "flip_kitty"}),
]


@pytest.mark.parametrize(("ruleset", "players", "options"), GAMES, ids=str)
def test_ai_players_finish_a_game_and_its_record_travels(ruleset: str, players: int, options: dict[str, Any]) -> None:
    driver = Ai(ruleset, players, {**SHORT, **options}, seed=1)
    driver.level = "easy"
    for _ in driver.rounds(60):
        pass
    assert driver.state["status"] == "finished"
    assert [event for event in driver.log if event["type"] == "declared"]
    travelled(record.game_log(driver.log, driver.state["game"]["id"]))
