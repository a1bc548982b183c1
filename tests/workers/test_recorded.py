"""Simulated seats play and score as recorded; `python -m tests.workers.recorded` records anew."""

from collections import defaultdict
from typing import Any

import pytest

from tests.workers.recorded import GAMES, MOST, Position, added, path_of, read, recorded, recording, text_of, written
from tests.workers.rounds import situations
from workers.ai.simulation.tables import TABLES, WEIGHTS, Weights
from workers.ai.simulation.world import ALONE, ALONE_OPEN, FOUND, FOUND_OPEN, HIDDEN


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_recorded_positions_lead_to_the_same_plays_and_scores(ruleset: str, players: int) -> None:
    now = text_of([recording(each["position"]) for each in recorded(ruleset, players)])
    then = path_of(ruleset, players).read_text(encoding="utf-8")
    assert now.splitlines() == then.splitlines(), "if on purpose, record anew (see tests/workers/recorded.py)"


def rows_in(recordings: list[dict[str, Any]]) -> dict[str, set[str]]:
    """Return table -> places of the rows that recorded scores come from."""
    places: dict[str, set[str]] = defaultdict(set)
    for each in recordings:
        kind = read(each["position"]).kind
        for _, rows in each["choices"]:
            for table, row in rows.items():
                places[f"{kind} {table}"].update(row.split())
    return places


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_recorded_positions_differ_in_all_that_scores_depend_on(ruleset: str, players: int) -> None:
    places = rows_in(recorded(ruleset, players))
    assert {*places} == {*TABLES}
    few = {table: rows for table, rows in places.items() if len(rows) < 3}
    assert few == {}
    roles = {*map(str, [ALONE, FOUND] if players == 4 else [ALONE, ALONE_OPEN, FOUND, FOUND_OPEN, HIDDEN])}
    for table, at in (("lead role", 2), ("suit role", 0), ("pair role", 0)):
        assert {row.split(".")[at] for row in places[table]} == roles, table


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_a_position_that_is_read_leads_to_the_same_scores_as_the_one_that_was_written(
    ruleset: str, players: int
) -> None:
    weights, kinds = Weights([number % 97 / 97 for number in range(WEIGHTS)]), set()
    for situation in situations(ruleset, players, range(1)):
        position = read(written(situation))
        if position.kind:
            met = Position(situation.simulation.game, situation.world, position.seat, situation.simulation.trick)
            assert position.options(weights) == met.options(weights)
            kinds.add(position.kind)
    assert kinds == {*MOST}


def test_rows_are_told_by_their_sum_and_the_sum_of_their_squares() -> None:
    assert added(0, 0) == []
    for one in range(1, 60):
        assert added(one, one * one) == [one]
        for other in range(one, 60):
            assert added(one + other, one * one + other * other) == [one, other]
