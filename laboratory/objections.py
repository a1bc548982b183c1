"""Plays of AI players that people found silly, played again by the AI players of today.

    python -m laboratory.objections objections.json

A file has answers of `GET /v1/operator/objections`, one after the other, as an operator has saved them. At each
position the player of the level that was there decides again, with the same view and seed. A play is *mended* if the
player of today does something else. Of those that are not, the line says what the other play is worth: the one that
the person would have made, in levels, on fresh deals. If that is nothing, the AI player may have been right.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from laboratory.read_round import text_of_cards
from workers.ai import LEVELS, Command, answer
from workers.ai.judging import Gain, gain_of, is_same

#: Level of the search that values other plays: a second for each.
VALUED_BY: Final = "hard"

Position = Mapping[str, Any]


class Answer(NamedTuple):
    """What the player of today does in a position.

    Attributes:
        position: the objection.
        people: how many have objected to this play.
        command: the answer.
        gain: of the other play over the one that people found silly; None: nobody named one, or it cannot be simulated.
    """

    position: Position
    people: int
    command: Command
    gain: Gain | None

    @property
    def is_mended(self) -> bool:
        """Whether the play is another one."""
        return not is_same(self.command, self.position["action"])

    @property
    def is_as_asked(self) -> bool:
        """Whether it is what the person would have played."""
        instead = self.position["instead"]
        return bool(instead) and is_same(self.command, {**self.position["action"], "cards": instead})


def positions_in(text: str) -> Iterator[Position]:
    """Yield the objections of saved answers, which follow each other with or without white space between them.

    Raises:
        ValueError: it is something else.
    """
    decoder, at = json.JSONDecoder(), 0
    while rest := text[at:].lstrip():
        value, read = decoder.raw_decode(rest)
        at = len(text) - len(rest) + read
        if not isinstance(value, dict) or "items" not in value:
            raise ValueError("an answer of GET /v1/operator/objections has `items`")
        yield from value["items"]


def answers(positions: Sequence[Position]) -> Iterator[Answer]:
    """Let the players of today decide in each position once, however many people have objected to its play."""
    by_play: dict[tuple[object, ...], list[Position]] = {}
    for position in positions:
        by_play.setdefault((position["game"], position["round"], position["seq"]), []).append(position)
    for same in by_play.values():
        # What somebody would have played says more than that a play was silly.
        position = next((each for each in same if each["instead"]), same[0])
        seed = bytes.fromhex(position["seed"])
        command = answer(LEVELS[position["level"]], position["view"], seed)
        yield Answer(position, len(same), command, _gain(position, seed))


def _gain(position: Position, seed: bytes) -> Gain | None:
    if not position["instead"]:
        return None
    action = position["action"]
    return gain_of(position["view"], {**action, "cards": position["instead"]}, action, seed, VALUED_BY)


def line_of(decided: Answer) -> str:
    """Return the line of a position."""
    position, command = decided.position, decided.command
    view, action = position["view"], position["action"]
    where = f"{position['game']} round {position['round']} event {position['seq']}"
    text = f"  {where}: {position['level']} {_text(action, view)}"
    if decided.is_mended:
        text += f", now {_text(command, view)}" + (", as asked" if decided.is_as_asked else "")
    if position["instead"]:
        text += f"; asked {text_of_cards(position['instead'], view)}"
    if decided.gain is not None:
        text += f" ({decided.gain.levels:+.2f} ± {1.96 * decided.gain.error:.2f})"
    reason = (position["reason"] or {}).get("text", "")
    return text + (f"; {decided.people} people" if decided.people > 1 else "") + (f"; {reason}" if reason else "")


def _text(command: Mapping[str, Any], view: Mapping[str, Any]) -> str:
    if "cards" in command:
        return text_of_cards(command["cards"], view)
    return str(command.get("road") or command.get("calls") or command["type"])


def report(decided: Sequence[Answer]) -> str:
    """Return the lines of all positions, those that are not mended last, and how many there are of each."""
    mended = [each for each in decided if each.is_mended]
    left = [each for each in decided if not each.is_mended]
    as_asked = sum(each.is_as_asked for each in mended)
    lines = [f"mended: {len(mended)} of {len(decided)}, {as_asked} as asked", *map(line_of, mended)]
    return "\n".join([*lines, f"not mended: {len(left)}", *map(line_of, left)])


def main() -> None:
    """Play the positions of the files on the command line, and print a report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    options = parser.parse_args()
    positions = []
    for file in options.files:
        try:
            positions += positions_in(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            parser.error(f"{file}: {error}")
    print(report(list(answers(positions))))


if __name__ == "__main__":
    main()
