"""`make demo`: create a table, fill it with AI players, play one seat, and print what happens."""

import argparse
import os
import sys

from demo.answers import Answer, answer_to
from demo.client import Client, RefusedError, UnreachableError
from demo.screen import Screen
from demo.table import SEAT, Table, View
from demo.terminal import write


def main() -> int:
    """Play, and return the exit status."""
    arguments = _arguments()
    try:
        client = Client.register(arguments.url, "Demo")
        table = Table.fill(
            client, arguments.ruleset, players=arguments.players, pace=arguments.pace, seed=arguments.seed
        )
        try:
            play(table, Screen(sys.stdout, SEAT), rounds=arguments.rounds, ask=arguments.me)
        finally:
            table.close()
    except UnreachableError as error:
        write(f"{error} Start the service with `make run` first, in another terminal.", sys.stdout)
        return 1
    except RefusedError as error:
        write(f"The service refuses: {error} ({error.code})", sys.stdout)
        return 1
    except (KeyboardInterrupt, EOFError):
        return 130
    return 0


def default_url() -> str:
    """Return the URL of the service that `make run` starts on this machine."""
    return f"http://127.0.0.1:{os.environ.get('PORT', '8000')}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make demo", description=__doc__)
    parser.add_argument("--url", default=default_url(), help="URL of the service (default: %(default)s)")
    parser.add_argument("--ruleset", default="shengji", help="see GET /v1/rulesets (default: shengji)")
    parser.add_argument("--players", type=int, help="number of seats (default: the fewest that the ruleset allows)")
    parser.add_argument("--rounds", type=int, default=1, help="how many rounds to play (default: 1)")
    parser.add_argument("--seed", help="practice table: the same seed deals the same cards")
    parser.add_argument("--pace", type=int, default=150, help="time AI players take for a move, ms (default: 150)")
    parser.add_argument("--me", action="store_true", help="choose the cards yourself")
    return parser.parse_args()


def play(table: Table, screen: Screen, *, rounds: int, ask: bool) -> None:
    """Follow the table for some rounds, print what happens, and act whenever a decision asks the seat."""
    ended = 0
    for event in table.follow():
        screen.show(event)
        ended += event["type"] == "round_ended"
        if event["type"] == "game_ended" or ended == rounds:
            return
        if event["type"] == "decision_opened" and SEAT in event["data"]["seats"]:
            _act(table, screen, ask=ask)


def _act(table: Table, screen: Screen, *, ask: bool) -> None:
    def choose(view: View) -> Answer:
        answer = answer_to(view)
        if not ask or answer[0] != "play":
            screen.hand(view)
            return answer
        return _chosen(view, screen, answer)

    while True:
        try:
            table.act(choose)
        except RefusedError as error:
            if not ask or error.status != 422:
                raise
            screen.line(f"  {error}")
        else:
            return


def _chosen(view: View, screen: Screen, example: Answer) -> Answer:
    """Ask the person at the terminal for the cards to play; an empty line plays the example."""
    screen.trick_so_far()
    screen.hand(view, again=True)
    cards = input(f"  your play, e.g. {' '.join(example[1]['cards'])} (Enter takes it): ").upper().split()
    return ("play", {"cards": cards}) if cards else example


if __name__ == "__main__":
    sys.exit(main())
