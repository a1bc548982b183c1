"""One golden round for each ruleset, as seen from every seat: `python -m tests.game.golden` rewrites them.

A line for each event from the start of the game: its seq, its type, who caused it, and what everybody sees of
it; below it, behind the number of a seat, what that seat sees besides. Under `decision_opened`, these are the hints.
The id of a decision, `dc_` and its seq, and its `on_timeout`, always `auto_play`, are left out.
"""

import sys
from pathlib import Path
from typing import Any

from harness.driver import Driver
from service.game.events.types import Event
from service.game.state.types import State
from service.game.views.redaction import redact
from service.game.views.view import view
from service.rules.options.rulesets import RULESETS

FOLDER = Path(__file__).with_suffix("")
#: The ruleset with a timed deal; the others have an instant one.
TIMED = "tractor"


def players_of(ruleset: str) -> int:
    """Return the number of players of the golden round: five where possible, else the fewest."""
    players = RULESETS[ruleset].players
    return 5 if 5 in players else players[0]


def written(ruleset: str) -> str:
    """Return the golden round of a ruleset."""
    options = {"deal_pace": "timed"} if ruleset == TIMED else {}
    driver = Driver(ruleset, players_of(ruleset), options, practice="golden")
    lines = [f"{ruleset}, {players_of(ruleset)} players, {'a timed' if options else 'an instant'} deal"]
    started = next(at for at, event in enumerate(driver.log) if event["type"] == "game_started")
    # A step opens at most one decision, with its last event, so the state after it has the hints.
    while True:
        lines += [line for event in driver.log[started:] for line in lines_of(event, driver.state)]
        started = len(driver.log)
        if driver.state["round"]["result"] is not None:
            return "\n".join(lines) + "\n"
        step(driver)


def step(driver: Driver) -> None:
    """Have the first seat that is asked do what its hints offer; during the deal, let time pass."""
    table_round = driver.state["round"]
    if table_round["phase"] == "dealing":
        driver.wait(5_000)
        return
    kind, seats = driver.decision["kind"], driver.decision["seats"]
    seat = next(seat for seat in seats if kind != "declare" or seat not in table_round["passes"])
    hints = view(driver.state, seat, driver.now)["decision"]["hints"]
    if kind in {"declare", "defend"}:
        sets = hints["possible"]
        driver.do(seat, **({"type": "declare", "cards": sets[-1]} if sets else {"type": "pass"}))
    elif kind == "road":
        driver.do(seat, type="road", road="high" if seat % 3 == 0 else "low")
    elif kind == "call":
        driver.do(seat, type="call", calls=hints["example"])
    else:
        driver.do(seat, type=kind, cards=led(driver, seat) or hints["example"])


def led(driver: Driver, seat: int) -> list[str] | None:
    """Return a throw for every third lead: the two highest cards of the longest suit, high or not."""
    table_round = driver.state["round"]
    if table_round["roads"] is not None or table_round["trick"] is not None or driver.decision["kind"] != "play":
        return None
    if sum(table_round["tricks"]) % 3:
        return None
    hand = view(driver.state, seat, driver.now)["my"]["hand"]
    trump = table_round["trump"]
    plain = [
        card for card in hand if card[0] != trump["rank"] and card[1] != trump["suit"] and card not in ("LJ", "BJ")
    ]
    longest = max("SHDC", key=lambda suit: sum(card[1] == suit for card in plain))
    return [card for card in plain if card[1] == longest][:2] or None


def lines_of(event: Event, state: State) -> list[str]:
    """Return the lines of an event."""
    ruleset = state["ruleset"]
    everybody = redacted(event, None, ruleset)
    lines = [f"{event['seq']} {event['type']} {event['by']}: {brief(everybody)}"]
    for seat in range(state["players"]):
        own = redacted(event, seat, ruleset)
        if event["type"] == "decision_opened" and seat in event["data"]["seats"]:
            own |= view(state, seat, event["at"])["decision"]["hints"]
        besides = {name: value for name, value in own.items() if name not in everybody or everybody[name] != value}
        if besides:
            lines.append(f"  {seat}: {brief(besides)}")
    return lines


def redacted(event: Event, viewer: int | None, ruleset: str) -> dict[str, Any]:
    """Return what the viewer sees of the event: deadlines are relative to it, and constant values are left out."""
    data = redact(event, viewer, ruleset)["data"]
    if event["data"].get("deadline") is not None:
        data["deadline_at"] = f"+{event['data']['deadline'] - event['at']}ms"
    if event["type"] == "decision_opened":
        assert (data.pop("id"), data.pop("on_timeout")) == (f"dc_{event['seq']}", "auto_play")
    return data


def brief(value: Any) -> str:
    """Write JSON in few characters."""
    if isinstance(value, dict):
        return " ".join(f"{name}={nested(inner)}" for name, inner in value.items())
    return nested(value)


def nested(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "-", True: "yes", False: "no"}[value]
    if isinstance(value, dict):
        return "{" + brief(value) + "}"
    return "[" + " ".join(map(nested, value)) + "]" if isinstance(value, list) else str(value)


def main() -> None:
    """Write all golden rounds."""
    for ruleset in RULESETS:
        (FOLDER / f"{ruleset}.txt").write_text(written(ruleset))
        sys.stdout.write(f"{ruleset}\n")


if __name__ == "__main__":
    main()
