"""`python check_standings.py < results.json` computes the standings of an event of teams again; see contract.md.

`results.json` is the answer of `GET /v1/team-events/{event}/results`. Python 3.9 or newer, no library, no code of the
service. A board that is adjusted, or that the director has decided, counts what the answer says.
"""

import json
import sys
from statistics import fmean

BOUNDS = (5, 15, 30, 45, 60, 80, 100, 125, 150, 180, 215, 250)


def steps_of(points):
    """Steps of a difference in points."""
    steps = sum(abs(points) >= bound for bound in BOUNDS)
    return steps if points > 0 else -steps


def victory_points(steps, boards):
    """Victory points of the first team, which is so many steps ahead."""
    tau = (5**0.5 - 1) / 2
    share = min(1.0, abs(steps) / (6.5 * boards**0.5))
    winner = round(10 + 10 * (1 - tau ** (3 * share)) / (1 - tau**3), 2)
    return winner if steps >= 0 else round(20 - winner, 2)


def match_of_teams(match):
    """Steps of both teams, and by how many points the first one is ahead."""
    steps = other = points = 0
    for board in match["boards"]:
        values = [None if room is None else room["value"] for room in board["rooms"]]
        is_played = None not in values
        if board["counted"] == "played" and not is_played:
            raise SystemExit(f"match {match['match']}, board {board['number']}: played, but without results")
        points += values[0] - values[1] if is_played else 0
        of_board = steps_of(values[0] - values[1]) if board["counted"] == "played" else board["steps"]
        steps += of_board
        other += board["split"][1] if board["split"] else -of_board
    return steps, other, points


def share_of(mine, others):
    """Percentage and steps of a result among those of all other tables."""
    if not others:
        return 50.0, 0.0
    beaten = sum((mine > other) + (mine == other) / 2 for other in others)
    steps = sum(steps_of(mine - other) for other in others)
    return round(100 * beaten / len(others), 2), round(steps / len(others), 2)


def boards_at_tables(results):
    """Return (match, board) -> share of each unit, where a board is played once at each table."""
    shares = {}
    values = {}
    for match in results["matches"]:
        for board in match["boards"]:
            shares[match["match"], board["number"]] = [(each["percent"], each["steps"]) for each in board["shares"]]
            if board["counted"] == "played":
                values.setdefault(board["number"], {})[match["match"]] = board["rooms"][0]["value"]
    for number, tables in values.items():
        for match, mine in tables.items():
            percent, steps = share_of(mine, [other for name, other in tables.items() if name != match])
            sides = [(percent, steps), (round(100 - percent, 2), -steps)]
            shares[match, number] = [sides[at % 2] for at in range(len(shares[match, number]))]
    return shares


def mean(shares):
    """Mean percentage and mean steps."""
    return [round(fmean(each[at] for each in shares), 2) for at in (0, 1)]


def scored_at_tables(results):
    """As `scored`, where a board is played once at each table."""
    rows, shares = {}, boards_at_tables(results)
    for match in results["matches"]:
        rooms = [board["rooms"][0] for board in match["boards"]]
        points = sum((room["value"] or 0) for room in rooms if room is not None)
        for at, unit in enumerate(match["teams"]):
            mine = [shares[match["match"], board["number"]][at] for board in match["boards"]]
            rows.setdefault(unit, []).append(
                {
                    "match": match["match"],
                    "opponents": [other for place, other in enumerate(match["teams"]) if place % 2 != at % 2],
                    "vp": round(mean(mine)[0] / 5, 2),
                    "steps": round(sum(each[1] for each in mine)),
                    "points": points if at % 2 == 0 else -points,
                    "shares": mine,
                }
            )
    return rows


def outcome_of(board, seat, has_teams):
    """Return what a board of an arena is for a seat: "won", "drawn", "lost", or None, and its lead in points."""
    room, said = board["rooms"][0], board["seats"][seat]
    if board["counted"] != "played" or not has_teams:
        return said["outcome"], said["lead"] or 0
    value = room["value"] if seat % 2 == 0 else -room["value"]
    if room["scores"] is not None:
        return "drawn" if value == 0 else "won" if value > 0 else "lost", value
    # Attackers win with just enough points, 0 beyond.
    is_attacker = (room["side"] == "attackers") == (seat % 2 == 0)
    return "won" if value > 0 or (value == 0 and is_attacker) else "lost", value


def scored_in_arena(results):
    """As `scored`, where tables of an arena give points: two for a win, twice as many after two wins in a row."""
    has_teams = not results["event"]["ruleset"].startswith(("zhaopengyou", "finding_friends"))
    rows, in_row = {}, {}
    for match in sorted(results["matches"], key=lambda each: int(each["match"].split("-")[1])):
        for at, unit in enumerate(match["teams"]):
            if unit == "tm_house":
                continue
            points = lead = 0
            for board in match["boards"]:
                outcome, ahead = outcome_of(board, at, has_teams)
                lead += ahead
                if outcome is None:
                    continue
                points += {"won": 2, "drawn": 1, "lost": 0}[outcome] * (2 if in_row.get(unit, 0) >= 2 else 1)
                in_row[unit] = in_row.get(unit, 0) + 1 if outcome == "won" else 0
            row = {"match": match["match"], "opponents": [], "vp": 0, "steps": 0, "points": lead, "arena": points}
            rows.setdefault(unit, []).append(row)
    return rows


def scored(results):
    """Return unit -> its matches: opponents, victory points, steps and points."""
    if results["event"]["form"] == "arena":
        return scored_in_arena(results)
    if any(board["shares"] for match in results["matches"] for board in match["boards"]):
        return scored_at_tables(results)
    rows = {}
    for match in results["matches"]:
        first, second = match["teams"]
        steps, reverse, points = match_of_teams(match)
        won = victory_points(steps, len(match["boards"]))
        lost = round(20 - won, 2) if reverse == -steps else victory_points(reverse, len(match["boards"]))
        for unit, other, share, mine, theirs, ahead in (
            (first, second, won, steps, reverse, points),
            (second, first, lost, reverse, steps, -points),
        ):
            rows.setdefault(unit, []).append(
                {
                    "match": match["match"],
                    "opponents": [other],
                    "vp": share,
                    "steps": mine,
                    "lead": (mine - theirs) / 2,
                    "points": ahead,
                    "is_lost": mine == theirs == -12 * len(match["boards"]),
                }
            )
    return rows


def reached(results, rows):
    """Return unit -> how far it has come in a knock-out."""
    far = {}
    total = results["event"]["rounds"]
    for entry in results["rounds"]:
        number, played_for = entry["round"], {}
        for match in entry["matches"]:
            for unit in match["teams"]:
                played_for[unit] = (match["place"], match)
        for unit in entry["byes"]:
            played_for[unit] = (None, None)
        for unit, (place, match) in played_for.items():
            if number < total:
                far[unit] = number
            elif match is None:
                # Without an opponent: in the final if both have won before, or if nobody else is left.
                is_finalist = not any(each["place"] == 1 for each in entry["matches"]) and won_before(
                    results, rows, unit
                )
                far[unit] = number + 1 if is_finalist else number - 0.5
            else:
                is_best = winner(results, match, rows) == unit
                far[unit] = (number + is_best) if place == 1 else number - (0.5 if is_best else 1)
    return far


def winner(results, match, rows):
    """Return who has won a match: by steps, then points, then as it was drawn; None if both have lost it."""
    first, second = match["teams"]
    of = next(each for each in rows[first] if each["match"] == match["match"])
    if of["is_lost"]:
        return None
    if (of["lead"], of["points"]) == (0, 0):
        order = [row["team"] for row in sorted(results["standings"], key=lambda row: row["drawn"] or 0)]
        return min(first, second, key=order.index)
    return first if (of["lead"], of["points"]) > (0, 0) else second


def won_before(results, rows, unit):
    """Whether a unit had not lost in the round before the last one."""
    before = results["rounds"][-2] if len(results["rounds"]) > 1 else {"matches": []}
    return all(winner(results, match, rows) == unit for match in before["matches"] if unit in match["teams"])


def total(name, matches):
    """Sum of a number over matches."""
    return round(sum(each[name] for each in matches), 2)


def opponents(matches, rows):
    """Mean of what the opponents have made of a match on average."""
    others = [rows[other] for each in matches for other in each["opponents"]]
    means = [total("vp", other) / len(other) for other in others]
    return round(fmean(means), 2) if means else 0


def value(name, unit, rows, equal, far, penalty=0):
    """Return what a unit has by a criterion; `equal`: those who are equal so far, `penalty`: what is taken off."""
    mine = rows.get(unit, [])
    shares = [each for match in mine for each in match.get("shares", [])]
    percent, steps = mean(shares) if shares else (0, total("steps", mine))
    of = {
        "percent": lambda: round(percent - penalty, 2),
        "victory_points": lambda: round(total("vp", mine) - penalty, 2),
        "steps": lambda: steps,
        "margin": lambda: total("points", mine),
        "wins": lambda: sum((each["vp"] > 10) + (each["vp"] == 10) / 2 for each in mine),
        "head_to_head": lambda: total("vp", [each for each in mine if set(each["opponents"]) & set(equal)]),
        "opponents": lambda: opponents(mine, rows),
        "arena_points": lambda: total("arena", mine) - penalty,
        "reached": lambda: far.get(unit, 0),
    }
    return of[name]()


def ranks(units, criteria, rows, far, taken, first=1):
    """Return unit -> rank, by one criterion after the other; `taken`: what is taken off a criterion of a unit."""
    if not criteria or len(units) < 2:
        return dict.fromkeys(units, first)
    values = {unit: value(criteria[0], unit, rows, units, far, taken(criteria[0], unit)) for unit in units}
    ranked = {}
    for each in sorted(set(values.values()), reverse=True):
        equal = [unit for unit in units if values[unit] == each]
        ranked.update(ranks(equal, criteria[1:], rows, far, taken, first + len(ranked)))
    return ranked


def check(results):
    """Return what differs from the standings in the answer, as lines."""
    rows, wrong = scored(results), []
    far = reached(results, rows) if "reached" in results["event"]["ranks"] else {}
    # Of teams, penalties are victory points, of pairs and of single players percent, in an arena its points.
    penalized = "victory_points" if results["event"]["size"] == results["event"]["players"] else "percent"
    penalized = "arena_points" if results["event"]["form"] == "arena" else penalized
    penalties = {row["team"]: row["penalty"] for row in results["standings"]}

    def taken(name, unit):
        return penalties[unit] if name == penalized else 0

    lines = {}
    for row in results["standings"]:
        lines.setdefault(row["line"], []).append(row["team"])
    place = {}
    for units in lines.values():
        # Who has not played yet comes last.
        begun = [unit for unit in units if unit in rows or far.get(unit)]
        rest = [unit for unit in units if unit not in begun]
        for part, first in ((begun, 1), (rest, 1 + len(begun))):
            place.update(ranks(part, results["event"]["ranks"], rows, far, taken, first))
    for row in results["standings"]:
        unit = row["team"]
        counted = {
            "rank": place[unit],
            "victory_points": value("victory_points", unit, rows, [], far, taken("victory_points", unit)),
            "margin": value("margin", unit, rows, [], far),
            "steps": total("steps", rows.get(unit, [])),
        }
        if row["points"] is not None:
            counted["points"] = value("arena_points", unit, rows, [], far, taken("arena_points", unit))
        if row["percent"] is not None:
            counted["percent"] = value("percent", unit, rows, [], far, taken("percent", unit))
        wrong += [
            f"{row['name']}: {name} {row[name]}, but {mine} follows from the results"
            for name, mine in counted.items()
            if row[name] != mine
        ]
    return wrong


if __name__ == "__main__":
    results = json.load(sys.stdin)
    for line in check(results):
        print(line)
    if check(results):
        sys.exit(1)
    print(f"The standings of {len(results['standings'])} follow from {len(results['matches'])} matches.")
