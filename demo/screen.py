"""Events of a table as lines of text."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TextIO

from demo.terminal import styled, write

_SUITS: Final = {"S": ("♠", "bold"), "H": ("♥", "bold red"), "D": ("♦", "bold red"), "C": ("♣", "bold")}
_CARD: Final = re.compile(r"\b(?:[2-9TJQKA][SHDC]|[LB]J)\b")
_SIDES: Final = {"declarers": "declarer's side", "attackers": "attackers"}
_JOKERS: Final = {"LJ": ("joker", "bold"), "BJ": ("JOKER", "bold red")}


def card_text(card: str) -> str:
    """Return a card as text: `♥7` for `7H`; `JOKER` in capitals is the big joker."""
    if card in _JOKERS:
        return styled(*_JOKERS[card])
    sign, style = _SUITS[card[1]]
    return styled(f"{sign}{'10' if card[0] == 'T' else card[0]}", style)


def cards_text(cards: Sequence[str]) -> str:
    """Return cards as text, separated by spaces."""
    return " ".join(card_text(card) for card in cards)


def call_text(call: dict[str, Any]) -> str:
    """Return the call of a friend as text: `♥A copy 1`."""
    return card_text(call["card"]) + (" other copy" if call.get("other") else f" copy {call['ordinal']}")


class Screen:
    """Prints the events of a table as they come in.

    Args:
        out: output stream.
        seat: seat of the player at the screen.
    """

    def __init__(self, out: TextIO, seat: int) -> None:
        self._out = out
        self._seat = seat
        self._names: dict[int, str] = {}
        self._plays: list[str] = []
        self._hand_shown = False
        self._has_levels = True
        self._levels: dict[int, str] = {}
        self._sides: list[str] = []
        self._tricks: Counter[int] = Counter()
        self._texts: dict[str, Callable[[dict[str, Any]], str | None]] = {
            "table_created": self._table_created,
            "seat_taken": self._seat_taken,
            "ai_seated": self._seat_taken,
            "game_started": self._game_started,
            "round_opened": self._round_opened,
            "redealt": lambda data: f"  dealt anew ({data['reason']})",
            "declared": self._declared,
            "kitty_flipped": lambda data: f"  the kitty is turned up: {cards_text(data['cards'])}",
            "trump_fixed": self._trump_fixed,
            "kitty_shown": lambda data: f"  in the kitty: {cards_text(data['cards'])}",
            "kitty_overcalled": lambda data: self._by(data, "overcalls for the kitty with ", data["cards"]),
            "discarded": self._discarded,
            "kitty_revealed": lambda data: self._by(data, "shows the discard: ", data["cards"]),
            "friends_called": self._friends_called,
            "friend_joined": self._friend_joined,
            "roads_asked": self._roads_asked,
            "roads_set": self._roads_set,
            "trump_established": lambda data: self._by(data, "makes trumps with ", [data["card"]]),
            "played": self._played,
            "throw_failed": lambda data: self._by(
                data, "may not throw ", data["cards"], "; led instead: ", data["forced"]
            ),
            "trick_won": self._trick_won,
            "seat_taken_over": lambda data: self._by(data, "is played by an AI now"),
            "round_scored": self._round_scored,
            "levels_changed": self._levels_changed,
            "round_ended": self._round_ended,
            "game_ended": lambda data: "Game over: " + ", ".join(self.name(seat) for seat in data["winners"]),
        }

    def name(self, seat: int) -> str:
        """Return the name of the player on a seat."""
        return self._names.get(seat, f"seat {seat}")

    def line(self, text: str) -> None:
        """Write a line."""
        write(text, self._out)

    def show(self, event: dict[str, Any]) -> None:
        """Write an event as a line, if it is worth showing."""
        text_of = self._texts.get(event["type"])
        text = text_of(event["data"]) if text_of else None
        if text is not None:
            self.line(text)
        if (sides := event["data"].get("sides")) is not None:
            self._show_sides(sides)

    def hand(self, view: dict[str, Any], *, again: bool = False) -> None:
        """Write the hand of the seat, once per round, or always with `again`."""
        if again or not self._hand_shown:
            self.line(f"  hand of {self._styled(self._seat)}: {cards_text(view['my']['hand'])}")
        self._hand_shown = True

    def refusal(self, problem: dict[str, Any]) -> None:
        """Write why the service refuses an answer, with cards as shown on the screen."""
        reasons = [error["detail"] for error in problem.get("errors", [])] or [problem.get("detail", "Not accepted.")]
        self.line("  " + _CARD.sub(lambda match: card_text(match[0]), " ".join(reasons)))

    def trick_so_far(self) -> None:
        """Write the plays of the trick on the table."""
        self.line(f"  on the table: {' · '.join(self._plays) or 'nothing, you lead'}")

    def _by(self, data: dict[str, Any], *parts: str | Sequence[str]) -> str:
        texts = (part if isinstance(part, str) else cards_text(part) for part in parts)
        return f"  {self._styled(data['seat'])} {''.join(texts)}"

    def _styled(self, seat: int, style: str = "") -> str:
        return styled(self.name(seat), style or ("cyan" if seat == self._seat else ""))

    def _table_created(self, data: dict[str, Any]) -> str:
        self._has_levels = data["ruleset"] != "arms_length"
        return styled(f"{data['ruleset']} for {data['players']} at table {data['table']}", "bold")

    def _seat_taken(self, data: dict[str, Any]) -> None:
        self._names[data["seat"]] = data["occupant"]["name"]

    def _game_started(self, data: dict[str, Any]) -> None:
        self._levels = dict.fromkeys(self._names, data["level"])

    def _round_opened(self, data: dict[str, Any]) -> str:
        self._plays.clear()
        self._tricks.clear()
        self._sides = []
        self._hand_shown = False
        level = f", level {data['level']}" if self._has_levels else ""
        return styled(f"\nRound {data['number']}{level}", "bold yellow")

    def _declared(self, data: dict[str, Any]) -> str:
        return self._by(data, f"{data['as']}s with ", data["cards"])

    def _trump_fixed(self, data: dict[str, Any]) -> str:
        trump = data["trump"]
        suit = _SUITS[trump["suit"]][0] if trump["suit"] else "no suit"
        rank = f" and every {trump['rank']}" if trump["rank"] else ""
        return f"  trumps: {styled(suit + rank, 'bold')}; declarer: {self._styled(data['declarer'])}"

    def _discarded(self, data: dict[str, Any]) -> str:
        return self._by(data, f"buries {data['count']} cards", *([": ", data["cards"]] if "cards" in data else []))

    def _friends_called(self, data: dict[str, Any]) -> str:
        return f"  {self._styled(data['seat'])} calls {', '.join(map(call_text, data['calls']))}"

    def _friend_joined(self, data: dict[str, Any]) -> str:
        joins = "joins the declarer with " if data["friend"] else "plays the called card: "
        return self._by(data, joins, [data["card"]])

    def _show_sides(self, sides: list[str]) -> None:
        """Write the sides, if they have changed."""
        if sides == self._sides or not set(sides) & set(_SIDES):
            return
        self._sides = sides
        members = {text: [seat for seat, side in enumerate(sides) if side == name] for name, text in _SIDES.items()}
        members["not known yet"] = [seat for seat, side in enumerate(sides) if side not in _SIDES]
        self.line("  " + "; ".join(f"{text}: {self._list(seats)}" for text, seats in members.items() if seats))

    def _list(self, seats: Iterable[int]) -> str:
        return ", ".join(self._styled(seat) for seat in seats)

    def _roads_asked(self, data: dict[str, Any]) -> str | None:
        if not any(data["clashes"]):
            return None
        return f"  partners chose the same road and are asked again: {self._list(data['seats'])}"

    def _roads_set(self, data: dict[str, Any]) -> str:
        roads = {int(seat): road for seat, road in data["roads"].items()}
        # Partners sit opposite each other. The event has those who agree, while others are asked again.
        agreed = [team for team in ((0, 2), (1, 3)) if team[0] in roads]
        teams = (" with ".join(f"{self._styled(seat)} {roads[seat]}" for seat in team) for team in agreed)
        return f"  roads: {'; '.join(teams)}"

    def _played(self, data: dict[str, Any]) -> None:
        self._plays.append(f"{self._styled(data['seat'])} {cards_text(data['cards'])}")

    def _trick_won(self, data: dict[str, Any]) -> str:
        plays = " · ".join(self._plays)
        self._plays.clear()
        points = styled(f" +{data['points']}", "green") if data["points"] else ""
        winner = self._styled(data["seat"], "bold green")
        self._tricks[data["seat"]] += 1
        if self._has_levels:
            so_far = f"attackers {data['attackers_points']}"
        else:
            so_far = "tricks " + ", ".join(f"{self.name(seat)} {self._tricks[seat]}" for seat in sorted(self._names))
        return f"{data['number']:>4}. {plays}  → {winner}{points} ({so_far})"

    def _show_kitty(self, kitty: dict[str, Any]) -> None:
        bonus = f"; it brings the attackers {kitty['bonus']}" if kitty["bonus"] else ""
        self.line(f"  kitty: {cards_text(kitty['cards'])}{bonus}")

    def _round_scored(self, data: dict[str, Any]) -> str:
        if data.get("scores") is not None:
            return styled(f"  score: {' : '.join(str(score) for score in data['scores'])}", "bold")
        self._show_kitty(data["kitty"])
        side = f"the {data['side']} gain {data['levels']}" if data["side"] else "nobody gains a level"
        return styled(f"  attackers' points: {data['points']}; {side}", "bold")

    def _levels_changed(self, data: dict[str, Any]) -> str | None:
        changed = [change for change in data["seats"] if change["from"] != change["to"]]
        self._levels |= {change["seat"]: change["to"] for change in changed}
        texts = (f"{self._styled(change['seat'])} {change['from']} → {change['to']}" for change in changed)
        return f"  levels: {', '.join(texts)}" if changed else None

    def _round_ended(self, data: dict[str, Any]) -> str | None:
        following = data["next"]
        if not self._has_levels:
            return f"  next round: {self._styled(following['starter'])} leads"
        if following["declarer"] is None:
            return "  next round: whoever makes trumps is declarer"
        level = self._levels[following["declarer"]]
        return f"  next round: {self._styled(following['declarer'])} is declarer, level {level}"
