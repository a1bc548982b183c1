"""`make demo`: make a table, fill it with AI players, play a seat of it, and tell what happens."""

import argparse
import os
import sys
from typing import Any

from rich.console import Console

from demo.answers import Answer, answer_to
from demo.client import Client, RefusedError, UnreachableError
from demo.screen import Screen

SEAT = 0


def main() -> int:
    """Play, and return the exit status."""
    arguments = _arguments()
    console = Console(highlight=False, soft_wrap=True)
    try:
        client = Client.register(arguments.url, "Demo")
        table = seat_everybody(client, arguments)
        try:
            follow(client, table, Screen(console, SEAT), rounds=arguments.rounds, ask=arguments.me)
        finally:
            leave(client, table)
    except UnreachableError as error:
        console.print(f"{error} Start the service with `make run` first, in another terminal.")
        return 1
    except RefusedError as error:
        console.print(f"The service refuses: {error} ({error.code})")
        return 1
    except (KeyboardInterrupt, EOFError):
        return 130
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make demo", description=__doc__)
    parser.add_argument("--url", default=f"http://127.0.0.1:{os.environ.get('PORT', '8000')}", help="of the service")
    parser.add_argument("--ruleset", default="shengji", help="see GET /v1/rulesets (default: shengji)")
    parser.add_argument("--players", type=int, help="number of seats (default: the fewest the ruleset takes)")
    parser.add_argument("--rounds", type=int, default=1, help="how many rounds to play (default: 1)")
    parser.add_argument("--seed", help="the same seed deals the same cards")
    parser.add_argument("--pace", type=int, default=150, help="how long AI players think, in ms (default: 150)")
    parser.add_argument("--me", action="store_true", help="ask me for the cards instead of playing the example")
    return parser.parse_args()


def seat_everybody(client: Client, arguments: argparse.Namespace) -> str:
    """Make a table with AI players and sit down at it; return the path of the table."""
    players = arguments.players or client.send("GET", f"/v1/rulesets/{arguments.ruleset}")["players"][0]
    spec: dict[str, Any] = {"ruleset": arguments.ruleset, "players": players, "ai_pace_ms": arguments.pace}
    if arguments.ruleset != "arms_length":
        spec["options"] = {"deal_pace": "instant"}
    if arguments.seed:
        spec["seed"] = arguments.seed
    table = f"/v1/tables/{client.send('POST', '/v1/tables', spec)['id']}"
    client.send("POST", f"{table}/seats", {"seat": SEAT})
    for seat in range(players):
        if seat != SEAT:
            client.send("PUT", f"{table}/seats/{seat}/ai", {"level": "easy"})
    client.send("PUT", f"{table}/seats/me/ready", {"ready": True})
    return table


def follow(client: Client, table: str, screen: Screen, *, rounds: int, ask: bool) -> None:
    """Read the log of the table as it grows, tell it, and act whenever the seat is asked."""
    after = played = 0
    while True:
        page = client.send("GET", f"{table}/events?after={after}&wait=20&limit=500")
        after = page["next_after"]
        asked = False
        for event in page["events"]:
            screen.show(event)
            if event["type"] == "round_ended":
                played += 1
            elif event["type"] == "decision_opened":
                asked = SEAT in event["data"]["seats"]
            if event["type"] == "game_ended" or played == rounds:
                return
        if asked:
            act(client, table, screen, ask=ask)


def act(client: Client, table: str, screen: Screen, *, ask: bool) -> None:
    """Answer the open decision, if it still asks the seat."""
    view = client.send("GET", table)
    decision = view["decision"]
    if decision is None or SEAT not in decision["seats"]:
        return
    if decision["kind"] == "ready":
        client.send("PUT", f"{table}/seats/me/ready", {"ready": True})
        return
    screen.hand(view)
    path, body = answer_to(view)
    if ask and path == "play":
        path, body = _ask(view, screen, (path, body))
    try:
        client.send("POST", f"{table}/{path}", {"decision_id": decision["id"], **body})
    except RefusedError as error:
        if ask and error.status == 422:
            screen.line(f"  {error}")
            act(client, table, screen, ask=True)
        # A declaration may have been overtaken by another seat's: the log tells what is asked now.
        elif error.code != "stale-decision":
            raise


def _ask(view: dict[str, Any], screen: Screen, example: Answer) -> Answer:
    """Ask the person at the terminal for the cards of a play; an empty line takes the example."""
    screen.trick_so_far()
    screen.hand(view, again=True)
    cards = input(f"  your play, e.g. {' '.join(example[1]['cards'])} (Enter takes it): ").upper().split()
    return ("play", {"cards": cards}) if cards else example


def leave(client: Client, table: str) -> None:
    """Close the table: nobody but AI players would go on."""
    try:
        client.send("DELETE", table)
    except (RefusedError, UnreachableError):
        # It is over or the service is gone; there is nothing to tidy up then.
        return


if __name__ == "__main__":
    sys.exit(main())
