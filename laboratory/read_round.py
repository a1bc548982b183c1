"""A round of AI players in readable form: hands, tricks, and the reason of each play.

    python -m laboratory.read_round expert normal --deal 3

The first player has the seats 0, 2, ..., the second the others. Each play is shown with who leads or wins so far, and
the other plays compared by the search, with their gains over it in levels, and whom a hint would have told of as a
probable friend. With `--judge`, `expert` judges plays of
players that do not search, and shows a better play, if it finds one, with its gain.
"""

import argparse
from collections.abc import Mapping
from typing import Any

from harness.ai_table import Table
from laboratory.ai_match import player_named
from service.rules.cards import kinds_in, kinds_of, names_of
from service.rules.options.rulesets import RULESETS
from service.rules.trumps import Trump, order_of
from service.texts import sentence
from service.texts.ai_reasons import FRIEND, reason_text
from workers.ai import EFFORTS, Advice, Command, advice_of
from workers.ai.friends import told
from workers.ai.judging import judge
from workers.ai.knowledge.seat import order_for

#: Most other plays shown.
OTHERS = 3


def text_of_cards(cards: Any, view: Mapping[str, Any]) -> str:
    """Return cards by suit, the highest first."""
    if view["round"]["roads"] is None:
        order = order_for(view)
    else:
        # Arm's Length has no trump rank, and no trumps before somebody discards.
        order = order_of(Trump(None, (view["round"]["trump"] or {}).get("suit")))
    kinds = sorted(kinds_of(cards), key=lambda kind: (-order.group_of[kind], -order.level_of[kind], kind))
    return " ".join(names_of(kinds))


def line_of(seat: int, name: str, view: Mapping[str, Any], advice: Advice) -> str:
    """Return the line of a decision, and who is probably a friend at that moment."""
    command = advice.command
    what = command.get("cards") or command.get("calls") or command.get("road") or ""
    text = text_of_cards(what, view) if command["type"] in ("play", "discard") else str(what)
    why = reason_text(advice.reason, "en") if advice.reason else ""
    others = ", ".join(f"{text_of_cards(cards, view)} {gain:+.2f}" for cards, gain in advice.others[:OTHERS])
    act = "" if command["type"] == "play" else f"{command['type']} "
    friends = "".join(
        f"\n{'':12}hint: {friend['seat']} {sentence(FRIEND, 'en', friend)}"
        for friend in (told(view, advice.reason) or {}).get("friends", ())
    )
    return f"  {seat} {name:>7} {act}{text:<24} {why}{f'  [{others}]' if others else ''}{friends}"


def judged(view: Mapping[str, Any], command: Command, seed: bytes) -> str:
    """Return the better play found by `expert`, with its gain in levels (95 % interval)."""
    judgement = judge(view, command, seed, "expert")
    if not judgement.best or judgement.gain is None:
        return ""
    return f"  [{text_of_cards(judgement.best['cards'], view)} {judgement.gain:+.2f} ± {1.96 * judgement.error:.2f}]"


def read(names: tuple[str, str], ruleset: str, players: int, deal: int, *, judging: bool = False) -> None:
    """Play a round and print it."""
    options = {"deal_pace": "instant"} if RULESETS[ruleset].family == "shengji" else {}
    table = Table(ruleset, players, options, deal)
    begun = False

    def choose(seat: int, view: dict[str, Any]) -> Command:
        nonlocal begun
        name = names[seat % 2]
        seed = f"{deal}:{view['version']}:{seat}".encode()
        advice = advice_of(player_named(name), view, seed)
        kind, table_round = view["decision"]["kind"], view["round"]
        if kind == "play" and not begun:
            begun = True
            print(f"trump {table_round['trump']}, declarer {table_round['declarer']}")
            for number, hand in enumerate(table.state["round"]["hands"]):
                print(f"  {number} {names[number % 2]:>7}: {text_of_cards(names_of(kinds_in(hand)), view)}")
        if kind == "play" and table_round["trick"] is None:
            points = sum(place["points"] for place in view["seats"] if place["side"] == "attackers")
            print(f"\nattackers {points}")
        if kind != "ready":
            searched = name.partition("@")[0] in EFFORTS or not judging or kind != "play"
            print(line_of(seat, name, view, advice) + ("" if searched else judged(view, advice.command, seed)))
        return advice.command

    print(f"deal {deal}: {ruleset} with {players}")
    while not table.results:
        table.step(choose)
    result = table.results[0]
    print(f"\n{ {name: result[name] for name in ('side', 'points', 'levels') if name in result} }")


def main() -> None:
    """Print the round of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs=2, metavar="player")
    parser.add_argument("--ruleset", default="shengji", choices=list(RULESETS))
    parser.add_argument("--players", type=int)
    parser.add_argument("--deal", type=int, default=0)
    parser.add_argument("--judge", action="store_true", help="judge plays of players that do not search")
    options = parser.parse_args()
    players = options.players or RULESETS[options.ruleset].players[0]
    read((options.names[0], options.names[1]), options.ruleset, players, options.deal, judging=options.judge)


if __name__ == "__main__":
    main()
