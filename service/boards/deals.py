"""The boards of an event, their deals, and the tables at which they are played."""

import hmac
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from service.game.ids import id_from
from service.game.names import AI_NAME
from service.game.shuffle import SEED_BYTES, commitment
from service.game.state.table_types import Board, Occupant, TableSpec
from service.rules.options.rulesets import RULESETS
from service.store.boards.events import StoredBoard, StoredEvent

DAY_MS: Final = 24 * 3_600_000
#: How long a nightly event for bots lasts.
NIGHT_MS: Final = 6 * 3_600_000
#: Number of boards of an event, and of deals per board. Each player gets one, so a second account seldom gets the same.
#: Fresh accounts get one of as many others: whoever makes an account to look at the cards sees none of those that
#: players get who have been there before.
BOARDS: Final = 8
DEALS: Final = 4
#: An account is fresh until it is this old (ms) when the event opens, and has finished so many games.
FRESH_MS: Final = 7 * DAY_MS
FRESH_GAMES: Final = 5
#: The levels of boards, in rotation.
LEVELS: Final = ("2", "5", "8", "J", "A", "3", "6", "9")
#: The seat of the player, and the level of the AI players on the others. It does not search, so its play does not
#: depend on the load.
SEAT: Final = 0
AI_LEVEL: Final = "normal"
#: Boards are played without haste: when the time is over, the table waits.
_CLOCK: Final = {
    "declare_ms": 120_000,
    "defence_ms": 60_000,
    "discard_ms": 300_000,
    "call_ms": 300_000,
    "play_ms": 300_000,
    "on_timeout": "pause",
}


#: Options that all tables of a board share.
_FIXED: Final = {"deal_pace": "instant", "misdeal": {}}


def daily_id(day: int, ruleset: str, players: int, *, bots: bool = False) -> str:
    """Return the id of the event of a day (days since the epoch, UTC) for a game, or of the one for bots."""
    date = datetime.fromtimestamp(day * DAY_MS / 1000, UTC)
    return f"ev_{date:%Y%m%d}_{ruleset}_{players}{'_bots' if bots else ''}"


def new_event(
    event: str,
    ruleset: str,
    players: int,
    opens_at: int,
    random_bytes: Callable[[int], bytes],
    *,
    bots: bool = False,
) -> StoredEvent:
    """Return a daily event, or a nightly one for bots, with fresh secrets."""
    board_event: StoredEvent = {
        "id": event,
        "ruleset": ruleset,
        "players": players,
        "opens_at": opens_at,
        "closes_at": opens_at + (NIGHT_MS if bots else DAY_MS),
        "key": random_bytes(SEED_BYTES).hex(),
        "boards": new_boards(BOARDS, 2 * DEALS, random_bytes),
        "fresh_from": DEALS,
    }
    return {**board_event, "bots": True} if bots else board_event


def new_boards(count: int, deals: int, random_bytes: Callable[[int], bytes]) -> list[StoredBoard]:
    """Return boards with fresh secrets, each with a number of deals."""
    return [
        {
            "level": LEVELS[number % len(LEVELS)],
            "seeds": [random_bytes(SEED_BYTES).hex() for _ in range(deals)],
        }
        for number in range(count)
    ]


def _digest(event: StoredEvent, *of: object) -> bytes:
    return hmac.digest(bytes.fromhex(event["key"]), "|".join(map(str, of)).encode(), "sha256")


def is_fresh(event: StoredEvent, created_at: int, games: int) -> bool:
    """Return whether an account made at a time (ms), with so many finished games, gets a deal for fresh accounts."""
    return "fresh_from" in event and (event["opens_at"] - created_at < FRESH_MS or games < FRESH_GAMES)


def deal_of(event: StoredEvent, number: int, player: str, *, fresh: bool = False) -> int:
    """Return the index of the deal of a board that a player gets, one of those for fresh accounts or of the others."""
    seeds = range(len(event["boards"][number - 1]["seeds"]))
    first = event.get("fresh_from", len(seeds))
    theirs = (seeds[first:] if fresh else seeds[:first]) or seeds
    return theirs[_digest(event, "deal", number, player)[0] % len(theirs)]


def order_of(event: StoredEvent, team: str) -> bytes:
    """Return a random sort key of a team, for the first round."""
    return _digest(event, "order", team)


def table_of(event: StoredEvent, number: int, player: str) -> str:
    """Return the id of the table at which a player, or a room, plays a board. It is always the same."""
    return id_from("tb_", _digest(event, "table", number, player))


def starter_of(event: StoredEvent, number: int) -> int:
    """Return the seat that draws first on a board."""
    return (number - 1) % event["players"]


def shuffle_name_of(event: StoredEvent, number: int) -> str:
    """Return the name of a board in its shuffle, the same at all tables."""
    return f"{event['id']}_{number}"


def spec_of(event: StoredEvent, number: int, deal: int, entrant: Occupant | None) -> TableSpec:
    """Return the settings of the table of a board; without an entrant, an AI player has that seat too."""
    occupants = [
        entrant if seat == SEAT and entrant is not None else ai_player(seat) for seat in range(event["players"])
    ]
    return {**_spec(event, number, deal), "clock": _CLOCK, "occupants": occupants}


def spec_of_room(event: StoredEvent, number: int, room: str, occupants: Sequence[Occupant]) -> TableSpec:
    """Return the settings of the table of a board in a room of a match."""
    rules, spec, pair = event["teams"], _spec(event, number, 0), int(room[:-1])
    level = {"start_level": level_of_match(event, number, pair)} if has_levels(event["ruleset"]) else {}
    return {
        **spec,
        "deal": {**spec["deal"], "server_seed": seed_of_match(event, number, pair)},
        "options": {**rules["options"], **spec["options"], **level},
        "clock": rules["clock"],
        "ai_pace_ms": rules["ai_pace_ms"],
        "board": {**spec["board"], "room": room},
        "occupants": list(occupants),
    }


def seed_of_match(event: StoredEvent, number: int, pair: int) -> str:
    """Return the server seed (hex) of a board in a match of a round.

    In a league, the tables of other matches may play another day: what somebody has seen there must be worth nothing.
    So each match of teams has deals of its own, drawn from the seed of the board.
    """
    seed = event["boards"][number - 1]["seeds"][0]
    form = event["teams"].get("form")
    if form is None or not form.get("deals_of_match", False):
        return seed
    return hmac.digest(bytes.fromhex(seed), f"match {pair}".encode(), "sha256").hex()


def level_of_match(event: StoredEvent, number: int, pair: int) -> str:
    """Return the level of a board in a match of a round; in an arena, each table has the next one."""
    form = event["teams"].get("form")
    if form is None or form["name"] != "arena":
        return event["boards"][number - 1]["level"]
    return LEVELS[(number + pair - 2) % len(LEVELS)]


def _spec(event: StoredEvent, number: int, deal: int) -> TableSpec:
    board = event["boards"][number - 1]
    of: Board = {"event": event["id"], "number": number, "sealed_until": event["closes_at"]}
    return {
        "ruleset": event["ruleset"],
        "players": event["players"],
        "options": _FIXED | {"start_level": board["level"]} if has_levels(event["ruleset"]) else {},
        "visibility": "private",
        "spectators": "off",
        "hints": "off",
        "chat": False,
        "deal": {
            "server_seed": board["seeds"][deal],
            "shuffle_name": shuffle_name_of(event, number),
            "starter": starter_of(event, number),
        },
        "board": of,
    }


def has_levels(ruleset: str) -> bool:
    """Return whether the game has levels."""
    return RULESETS[ruleset].family == "shengji"


def ai_player(seat: int) -> Occupant:
    """Return the AI player of a seat."""
    return {"kind": "ai", "player": None, "name": AI_NAME.format(seat + 1), "level": AI_LEVEL}


def commitments(board: StoredBoard) -> list[str]:
    """Return the commitments to the seeds of a board, published before it is played."""
    return [commitment(bytes.fromhex(seed)) for seed in board["seeds"]]
