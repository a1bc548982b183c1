"""`make demo`: create a table, fill it with AI players, play one seat, and print what happens."""

import argparse
import os
import sys
from typing import Final

from demo import keyboard
from demo.answers import Answer, answer_to
from demo.connection import default_url, register
from demo.screen import Screen
from demo.table import SEAT, Table, View
from demo.terminal import write
from shengji_client import Problem, Unreachable

_HOW_TO_GO_ON: Final = (
    "Next: `{demo} ARGS=--me` lets you play yourself, `--rounds 3` plays on, `--ruleset zhaopengyou` plays\n"
    'another game; several go into one ARGS="…". To play in a browser, open {url}/.'
)


#: Statuses of refusals after which another answer may succeed: bad request, bad time, bad play.
_OF_THE_PLAYER: Final = (400, 409, 422)


def main() -> int:
    """Play, and return the exit status."""
    arguments = _arguments()
    try:
        client = register(arguments.url, "Demo")
        table = Table.fill(
            client,
            arguments.ruleset,
            players=arguments.players,
            pace=arguments.pace,
            seed=arguments.seed,
            patient=arguments.me,
        )
        try:
            play(table, Screen(sys.stdout, SEAT), rounds=arguments.rounds, ask=arguments.me)
        finally:
            table.close()
    except Unreachable as error:
        write(
            f"{error}. Start the service with `make run` first, in another terminal; if it runs on another port, "
            "`make demo PORT=…` names that one.",
            sys.stdout,
        )
        return 1
    except Problem as error:
        write(f"The service refuses: {error} ({error.code})", sys.stdout)
        return 1
    except EOFError:
        write("\nNo more input: the table is closed.", sys.stdout)
        return 0
    except KeyboardInterrupt:
        write("\nStopped: the table is closed.", sys.stdout)
        return 130
    except BrokenPipeError:
        # The reader of the output has gone. Python's final flush must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    port = os.environ.get("PORT")
    demo = f"make demo PORT={port}" if port else "make demo"
    write(f"\n{_HOW_TO_GO_ON.format(demo=demo, url=arguments.url)}", sys.stdout)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make demo", description=__doc__)
    parser.add_argument("--url", default=default_url(), help="URL of the service (default: %(default)s)")
    parser.add_argument("--ruleset", default="shengji", help="see GET /v1/rulesets (default: shengji)")
    parser.add_argument("--players", type=int, help="number of seats (default: the fewest that the ruleset allows)")
    parser.add_argument("--rounds", type=int, default=1, help="how many rounds to play (default: 1)")
    parser.add_argument("--seed", help="practice table: the same seed deals the same cards")
    parser.add_argument("--pace", type=int, default=150, help="time AI players take for a move, ms (default: 150)")
    parser.add_argument("--me", action="store_true", help="declare, bury and play yourself")
    return parser.parse_args()


def play(table: Table, screen: Screen, *, rounds: int, ask: bool) -> None:
    """Follow the table for some rounds, print what happens, and act whenever a decision asks the seat."""
    ended = 0
    for event in table.all_events():
        screen.show(event)
        ended += event["type"] == "round_ended"
        if event["type"] == "game_ended" or ended == rounds:
            return
        if event["type"] == "decision_opened" and SEAT in event["data"]["seats"]:
            _act(table, screen, ask=ask)


def _act(table: Table, screen: Screen, *, ask: bool) -> None:
    def choose(view: View) -> Answer:
        if ask:
            return keyboard.ask(view, screen)
        screen.hand(view)
        return answer_to(view)

    while True:
        try:
            table.answer(choose)
        except Problem as error:
            if not ask or error.status not in _OF_THE_PLAYER:
                raise
            screen.refusal(error.body)
        else:
            return


if __name__ == "__main__":
    sys.exit(main())
