"""What a riddle shows: what a seat saw when it had to play, and nothing that tells whose round it was.

Seats are numbered from the one that is asked, which is 0. Ids, names, times and the commitment of the shuffle are left
out; so are house rules, by which a table could be told: riddles are only cut from rounds with the rules of the ruleset.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from service.store.port import JsonObject


def position_of(view: Mapping[str, Any]) -> JsonObject:
    """Return the position of an AI view (`service.game.views.ai_view`) of a seat that is asked to play."""
    table_round, mine = view["round"], view["my"]
    players, me = len(view["seats"]), int(mine["seat"])

    def turned(seat: int) -> int:
        return (seat - me) % players

    def plays_of(plays: Iterable[Mapping[str, Any]]) -> list[JsonObject]:
        return [{"seat": turned(play["seat"]), "cards": [*play["cards"]]} for play in plays]

    def earlier(trick: Mapping[str, Any]) -> list[JsonObject]:
        leader = turned(trick["leader"])
        return [{"seat": (leader + at) % players, "cards": [*cards]} for at, cards in enumerate(trick["plays"])]

    last, trick = table_round["last_trick"], table_round["trick"]
    seats = [view["seats"][(me + at) % players] for at in range(players)]
    return {
        "ruleset": view["ruleset"],
        "players": players,
        "level": table_round["level"],
        "trump": {name: mine["sorted_by"].get(name) for name in ("rank", "suit")},
        "declarer": turned(table_round["declarer"]),
        "declarers": [at for at, seat in enumerate(seats) if seat["side"] == "declarers"],
        "points": table_round["attackers_points"],
        "hand": [*mine["hand"]],
        "buried": None if mine["discard"] is None else [*mine["discard"]],
        "cards": [seat["hand_count"] for seat in seats],
        "declared": plays_of(table_round["declarations"]),
        "tricks": [*map(earlier, table_round["earlier_tricks"]), *([plays_of(last["plays"])] if last else [])],
        "trick": plays_of(trick["plays"]) if trick else [],
    }
