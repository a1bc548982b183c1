"""Forms at several sizes, from entries to standings: every board is played at its tables, and the ranks add up."""

import pytest

from tests.api.tournaments.test_forms import many, results_of

#: Form, how many enter, and most rounds.
PLAYED = [
    *(("mitchell", count, 31) for count in (2, 3, 8)),
    *(("howell", count, 31) for count in (2, 5)),
    *(("swiss_pairs", count, 2) for count in (3, 10)),
    *(("individual", count, 31) for count in (4, 5)),
    *(("individual", count, 2) for count in (7, 13)),
    *(("knock_out", count, 31) for count in (3, 5)),
    ("round_robin", 3, 31),
]
#: All sizes; of a knock-out all rounds, of other forms the first two, or of many pairs one: `test_movements` has all.
ALL = [
    *(("knock_out", count, 31) for count in range(2, 65)),
    *(("round_robin", count, 2) for count in range(2, 33)),
    *(("individual", count, 2) for count in range(4, 33)),
    *(("mitchell", count, 1) for count in range(2, 101)),
    *(("howell", count, 2) for count in range(2, 33)),
    *(("swiss_pairs", count, 2 if count < 32 else 1) for count in range(2, 101)),
]


@pytest.mark.nightly
@pytest.mark.parametrize(("form", "count", "most"), ALL)
def test_events_of_all_sizes_are_played(world, form, count, most):
    test_an_event_is_played_from_entries_to_standings(world, form, count, most)


@pytest.mark.parametrize(("form", "count", "most"), PLAYED)
def test_an_event_is_played_from_entries_to_standings(world, form, count, most):
    cup = many(world, count, form=form, rounds=most, boards=1)
    rounds = cup.body()["rounds"]
    for number in range(1, rounds + 1):
        entry = cup.begin(number)["played"][-1]
        seated = [unit for match in entry["matches"] for unit in match["teams"]]
        people = {client.team for client in cup.captains} & {*seated}
        assert len(people) == len([unit for unit in seated if unit in people]), "nobody sits twice"
        cup.play_all()
        assert cup.body()["played"][-1]["status"] == "over"
    results = results_of(cup)
    boards = [board for match in results["matches"] for board in match["boards"]]
    assert {board["counted"] for board in boards} == {"played"}
    ranks = [row["rank"] for row in results["standings"]]
    assert ranks == sorted(ranks)
    assert len([row for row in results["standings"] if not row["team"].endswith("house")]) == count
