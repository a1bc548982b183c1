"""Standings of a team event, recomputed only from the records of its games, its teams, and the docs.

It shares no code with the service, so that it is an independent check.
"""

from collections import defaultdict

#: Points with which the attackers win, with the ruleset's number of decks.
WIN = {"sishifen": 40, "shengji": 80, "tractor": 80, "shengji_six": 120}
#: Differences in points that are worth 1, 2, … steps (docs/contract.md, on events of teams).
BOUNDS = (5, 15, 30, 45, 60, 80, 100, 125, 150, 180, 215, 250)


def value(record):
    """The result of seat 0 in the only round of a game: its side's margin in points from the threshold."""
    [played] = record["rounds"]
    beyond = played["result"]["points"] - WIN[record["ruleset"]]
    # The last seat to bury the kitty is the declarer.
    declarer = [action["seat"] for action in played["actions"] if action["type"] == "discard"][-1]
    return beyond if declarer % 2 else -beyond


def steps(difference):
    number = sum(abs(difference) >= bound for bound in BOUNDS)
    return number if difference > 0 else -number


def victory_points(ahead, boards):
    """The continuous scale of bridge: 20 in total, all of them from 6.5 times the root of the number of boards on."""
    golden = (5**0.5 - 1) / 2
    share = min(abs(ahead) / (6.5 * boards**0.5), 1)
    winner = round(10 + 10 * (1 - golden ** (3 * share)) / (1 - golden**3), 2)
    return winner if ahead >= 0 else round(20 - winner, 2)


def standings(records, teams, boards):
    """Return team -> victory points and steps.

    Args:
        records: records of all games of the event.
        teams: player -> team.
        boards: boards of each round.
    """
    tables = defaultdict(list)
    for record in records:
        people = {seat["seat"]: teams[seat["occupant"]["player"]] for seat in record["seats"] if _is_person(seat)}
        even, odd = ({people[seat] for seat in people if seat % 2 == side} for side in (0, 1))
        (first,), (second,) = even, odd
        number = int(record["rounds"][0]["shuffle"]["shuffle_name"].rpartition("_")[2])
        tables[number, frozenset((first, second))].append((first, value(record)))
    ahead = defaultdict(int)
    for (number, pair), rooms in tables.items():
        [(first, one), (other, two)] = rooms
        assert {first, other} == pair, f"board {number}: both rooms have the same sides"
        ahead[(number - 1) // boards, first, other] += steps(one - two)
    rows = defaultdict(lambda: [0, 0])
    matches = defaultdict(int)
    for (of, first, other), sum_of_steps in ahead.items():
        first_to_last = tuple(sorted((first, other)))
        matches[of, first_to_last] += sum_of_steps if first_to_last[0] == first else -sum_of_steps
    for (_, (first, other)), sum_of_steps in matches.items():
        for team, mine in ((first, sum_of_steps), (other, -sum_of_steps)):
            rows[team][0] += victory_points(mine, boards)
            rows[team][1] += mine
    return {team: (round(points, 2), mine) for team, (points, mine) in rows.items()}


def _is_person(seat):
    return seat["occupant"]["player"] is not None
