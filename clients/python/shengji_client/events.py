"""How events change a view. Generated from openapi.yaml by `make openapi`; do not edit it."""

from typing import Any, Final

#: Events that end the open decision; another one may be opened at once.
ENDS_DECISION: Final = frozenset(
    {
        "table_closed",
        "game_paused",
        "game_started",
        "round_opened",
        "redealt",
        "declaration_closed",
        "trump_fixed",
        "discarded",
        "friends_called",
        "roads_asked",
        "played",
        "round_scored",
        "game_ended",
    }
)
#: Type of event -> path in the view -> its value afterwards; `=name` is the value of a field of the event. `seat` is
#: the seat of the event.
SETS: Final[dict[str, dict[str, Any]]] = {
    "seat_ready": {"seat.ready": "=ready"},
    "presence": {"seat.presence": "=presence"},
    "host_changed": {"host": "=host"},
    "seat_taken_over": {"seat.autopilot": "=level", "seat.ready": True},
    "seat_resumed": {"seat.autopilot": None, "seat.timeouts": 0, "seat.presence": "online"},
    "vote_closed": {"vote": None},
    "game_resumed": {"pause": None},
    "bank_used": {"seat.bank_ms": "=bank_ms"},
    "trump_fixed": {"round.trump": "=trump", "round.declarer": "=declarer"},
    "kitty_shown": {"round.kitty.shown": "=cards"},
    "kitty_revealed": {"round.kitty.cards": "=cards", "round.kitty.revealed": True},
    "trump_established": {"round.trump": "=trump"},
}
