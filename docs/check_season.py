"""`python check_season.py season.json [results.json …]` computes the standings of a season again; see contract.md.

`season.json` is the answer of `GET /v1/clubs/{club}/seasons/{season}`; each `results.json` that of `GET
/v1/team-events/{event}/results` for an event of the season, whose places and percentages are computed from it, once its
standings are (`check_standings.py`). Python 3.9 or newer, no library, no code of the service.
"""

import json
import sys
from pathlib import Path

PLACES = (10, 8, 6, 5, 4, 3, 2, 1)
HOUSE, KNOCK_OUT = "tm_house", "knock_out"


def points_of(result, rule):
    """Points of an event, by the rule of the season."""
    place, equal = result["place"], result["equal"]
    if rule == "beaten":
        return result["of"] - place - (equal - 1) / 2
    if rule == "places":
        return round(sum(PLACES[place - 1 : place - 1 + equal]) / equal, 2)
    return result["percent"]


def check_rows(season):
    """Return what differs from the standings in the answer, as lines."""
    wrong, began = [], {event["event"]: event for event in season["played"]}
    sums = {}
    for number, row in enumerate(season["standings"]):
        name = row["name"] or "a deleted player"
        for result in row["results"]:
            event = began[result["event"]]
            if not event["counts"] or not season["starts_at"] <= event["began_at"] < season["ends_at"]:
                wrong.append(f"{name}: {result['event']} does not count")
            if season["events"] and result["event"] not in season["events"]:
                wrong.append(f"{name}: {result['event']} was not chosen")
            if 2 * result["boards"] < result["unit_boards"]:
                wrong.append(f"{name}: {result['boards']} boards of {result['unit_boards']} in {result['event']}")
            if result["points"] != points_of(result, season["points"]):
                wrong.append(f"{name}: {result['points']} points in {result['event']}")
        best = sorted((result["points"] for result in row["results"]), reverse=True)[: season["best"] or None]
        if sorted((each["points"] for each in row["results"] if each["counted"]), reverse=True) != best:
            wrong.append(f"{name}: other events than the best count")
        sums[number] = round(sum(best), 2)
        if row["points"] != sums[number]:
            wrong.append(f"{name}: {row['points']} points, but {sums[number]} follow from the events")
    for number, row in enumerate(season["standings"]):
        rank = 1 + sum(each > sums[number] for each in sums.values())
        if row["rank"] != rank:
            wrong.append(f"{row['name']}: rank {row['rank']}, but {rank} follows from the points")
    return wrong


def results_of(event):
    """Return unit -> place, equal, of and percent in an event, from its standings."""
    # Who has not played, nor waited in a round of a knock-out, has no place; nor do AI players alone.
    waited = (
        {unit for entry in event["rounds"] for unit in entry["byes"]} if event["event"]["form"] == KNOCK_OUT else ()
    )
    rows = [row for row in event["standings"] if row["team"] != HOUSE and (row["matches"] or row["team"] in waited)]
    results, best = {}, max((row["points"] or 0 for row in rows), default=0)
    for row in rows:
        ranks = [other["rank"] for other in rows if other["line"] == row["line"]]
        most = 20 * len(row["matches"])
        share = round(100 * row["victory_points"] / most, 2) if most else 0
        if event["event"]["form"] == "arena":
            share = round(100 * row["points"] / best, 2) if best > 0 else 0
        results[row["team"]] = {
            "place": 1 + sum(rank < row["rank"] for rank in ranks),
            "equal": ranks.count(row["rank"]),
            "of": len(ranks),
            "percent": max(0, share if row["percent"] is None else row["percent"]),
        }
    return results


def check_event(season, event):
    """Return what differs from the results of an event, as lines."""
    results, wrong = results_of(event), []
    for row in season["standings"]:
        for result in row["results"]:
            if result["event"] == event["event"]["event"]:
                mine = results[result["team"]]
                wrong += [
                    f"{row['name']}: {name} {result[name]} in {result['event']}, but {value} follows from its results"
                    for name, value in mine.items()
                    if result[name] != value
                ]
    return wrong


if __name__ == "__main__":
    season, *events = [json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:]]
    wrong = check_rows(season) + [line for event in events for line in check_event(season, event)]
    for line in wrong:
        print(line)
    if wrong:
        sys.exit(1)
    print(f"The standings of {len(season['standings'])} follow from {len(season['played'])} events.")
