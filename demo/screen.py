"""Events of a table as lines of text."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TextIO

from demo.terminal import styled, write

_SUITS: Final = {"S": ("♠", "bold"), "H": ("♥", "bold red"), "D": ("♦", "bold red"), "C": ("♣", "bold")}
_JOKERS: Final = {"LJ": ("joker", "bold"), "BJ": ("JOKER", "bold red")}


def card_text(card: str) -> str:
    """Return a card as text: `♥7` for `7H`; `JOKER` in capitals is the big one."""
    if card in _JOKERS:
        return styled(*_JOKERS[card])
    sign, style = _SUITS[card[1]]
    return styled(f"{sign}{'10' if card[0] == 'T' else card[0]}", style)


def cards_text(cards: Sequence[str]) -> str:
    """Return cards with spaces between."""
    return " ".join(card_text(card) for card in cards)


class Screen:
    """Prints the events of a table as they come in.

    Args:
        out: where to write.
        seat: of the player at the screen.
    """

    def __init__(self, out: TextIO, seat: int) -> None:
        self._out = out
        self._seat = seat
        self._names: dict[int, str] = {}
        self._plays: list[str] = []
        self._hand_shown = False
        self._has_levels = True
        self._texts: dict[str, Callable[[dict[str, Any]], str | None]] = {
            "table_created": self._table_created,
            "seat_taken": self._seat_taken,
            "ai_seated": self._seat_taken,
            "round_opened": self._round_opened,
            "redealt": lambda data: f"  dealt anew ({data['reason']})",
            "declared": self._declared,
            "kitty_flipped": lambda data: f"  the kitty is turned up: {cards_text(data['cards'])}",
            "trump_fixed": self._trump_fixed,
            "kitty_overcalled": lambda data: self._by(data, "overcalls for the kitty with ", data["cards"]),
            "discarded": self._discarded,
            "kitty_revealed": lambda data: self._by(data, "shows the discard: ", data["cards"]),
            "friends_called": self._friends_called,
            "friend_joined": self._friend_joined,
            "roads_set": self._roads_set,
            "trump_established": lambda data: self._by(data, "makes trumps with ", [data["card"]]),
            "played": self._played,
            "throw_failed": lambda data: self._by(
                data, "may not throw ", data["cards"], "; led instead: ", data["forced"]
            ),
            "trick_won": self._trick_won,
            "seat_taken_over": lambda data: self._by(data, "is played by an AI now"),
            "round_scored": self._round_scored,
            "game_ended": lambda data: "Game over: " + ", ".join(self.name(seat) for seat in data["winners"]),
        }

    def name(self, seat: int) -> str:
        """Return the name of the player on a seat."""
        return self._names.get(seat, f"seat {seat}")

    def line(self, text: str) -> None:
        """Write a line."""
        write(text, self._out)

    def show(self, event: dict[str, Any]) -> None:
        """Write an event as a line, if it is worth one."""
        text_of = self._texts.get(event["type"])
        text = text_of(event["data"]) if text_of else None
        if text is not None:
            self.line(text)

    def hand(self, view: dict[str, Any], *, again: bool = False) -> None:
        """Write the hand of the seat: once per round, or whenever `again` is set."""
        if again or not self._hand_shown:
            self.line(f"  hand of {self._styled(self._seat)}: {cards_text(view['my']['hand'])}")
        self._hand_shown = True

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

    def _round_opened(self, data: dict[str, Any]) -> str:
        self._plays.clear()
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
        calls = (
            card_text(call["card"]) + (" other copy" if call.get("other") else f" copy {call['ordinal']}")
            for call in data["calls"]
        )
        return f"  {self._styled(data['seat'])} calls {', '.join(calls)}"

    def _friend_joined(self, data: dict[str, Any]) -> str:
        joins = "joins the declarer with " if data["friend"] else "plays the called card: "
        return self._by(data, joins, [data["card"]])

    def _roads_set(self, data: dict[str, Any]) -> str:
        roads = (f"{self.name(int(seat))} {road}" for seat, road in sorted(data["roads"].items()))
        return "  roads: " + ", ".join(roads)

    def _played(self, data: dict[str, Any]) -> None:
        self._plays.append(f"{self._styled(data['seat'])} {cards_text(data['cards'])}")

    def _trick_won(self, data: dict[str, Any]) -> str:
        plays = " · ".join(self._plays)
        self._plays.clear()
        points = styled(f" +{data['points']}", "green") if data["points"] else ""
        winner = self._styled(data["seat"], "bold green")
        return f"{data['number']:>4}. {plays}  → {winner}{points}"

    def _show_kitty(self, kitty: dict[str, Any]) -> None:
        bonus = f"; it brings the attackers {kitty['bonus']}" if kitty["bonus"] else ""
        self.line(f"  kitty: {cards_text(kitty['cards'])}{bonus}")

    def _round_scored(self, data: dict[str, Any]) -> str:
        if data.get("scores") is not None:
            return styled(f"  score: {' : '.join(str(score) for score in data['scores'])}", "bold")
        self._show_kitty(data["kitty"])
        side = f"the {data['side']} gain {data['levels']}" if data["side"] else "nobody gains a level"
        return styled(f"  attackers' points: {data['points']}; {side}", "bold")
