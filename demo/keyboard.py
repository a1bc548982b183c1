"""Answers typed by a person: cards as shown on the screen, or by their names in the API."""

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from demo.answers import Answer
from demo.screen import Screen, call_text, cards_text
from demo.terminal import plain

View = dict[str, Any]

_HELP: Final = "Write cards as they are shown, e.g. ♥7 ♠10 joker JOKER (the big one), or as the API does: 7H TS LJ BJ."
_RANKS: Final = {**{rank: rank for rank in "23456789TJQKA"}, "10": "T"}
_SUITS: Final = {**{suit: suit for suit in "SHDC"}, **dict(zip("♠♥♦♣♤♡♢♧", "SHDCSHDC", strict=True))}
_CALL: Final = re.compile(r"(?P<card>\S+) +(?:copy +)?(?P<copy>[0-9]{1,9}|other)(?: +copy)?", re.IGNORECASE)
#: In words, only capitals distinguish the two jokers, so `Joker` is neither.
_JOKERS: Final = {
    "joker": "LJ",
    "JOKER": "BJ",
    "lj": "LJ",
    "LJ": "LJ",
    "bj": "BJ",
    "BJ": "BJ",
    "小王": "LJ",
    "大王": "BJ",
}
#: Suits in Chinese -> their letters.
_IN_CHINESE: Final = {"黑桃": "S", "红桃": "H", "红心": "H", "方块": "D", "方片": "D", "梅花": "C", "草花": "C"}


class SlipError(ValueError):
    """The input is not a valid answer. The message says why, and what to type."""


def ask(view: View, screen: Screen) -> Answer:
    """Ask the person at the keyboard until the answer can be sent.

    Args:
        view: view of a seat asked by the open decision; any kind except `ready`.
        screen: shows the question.

    Raises:
        EOFError: end of input.
    """
    question = _QUESTIONS[view["decision"]["kind"]]
    while True:
        try:
            return question(view, screen)
        except SlipError as slip:
            screen.line(f"  {slip}")


def cards_in(text: str, hand: Sequence[str]) -> list[str]:
    """Parse the cards in a text.

    Args:
        text: e.g. `♥7 10s, JOKER`.
        hand: the player's hand.

    Raises:
        SlipError: a word is not a card, or the hand does not have the cards.
    """
    cards = [_card(word) for word in re.split(r"[\s,、]+", text) if word]
    if not cards:
        raise SlipError(f"There is no card in {text!r}. {_HELP}")
    missing = Counter(cards) - Counter(hand)
    if missing:
        raise SlipError(f"You do not hold {plain(cards_text(list(missing.elements())))}.")
    return cards


def _card(word: str) -> str:
    # Some keyboards add a variation selector for the coloured form to ♥.
    word = word.replace("\ufe0f", "")
    if word in _JOKERS:
        return _JOKERS[word]
    upper = word.upper()
    for name, letter in _IN_CHINESE.items():
        upper = upper.replace(name, letter)
    for suit, rank in ((upper[:1], upper[1:]), (upper[-1:], upper[:-1])):
        if suit in _SUITS and rank in _RANKS:
            return _RANKS[rank] + _SUITS[suit]
    raise SlipError(f"{word!r} is no card. {_HELP}")


def _typed(prompt: str) -> str:
    # Chinese and Japanese keyboards write wide letters, digits, commas and blanks.
    typed = unicodedata.normalize("NFKC", input(f"  {plain(prompt)}: ")).strip()
    if not sys.stdin.isatty():
        # Echo input from a pipe, which is not visible otherwise.
        sys.stdout.write(f"{typed}\n")
    return typed


def _play(view: View, screen: Screen) -> Answer:
    screen.trick_so_far()
    return _some_cards(view, screen, "play", "your play")


def _discard(view: View, screen: Screen) -> Answer:
    return _some_cards(view, screen, "discard", f"bury {view['decision']['hints']['cards']} cards")


def _some_cards(view: View, screen: Screen, path: str, what: str) -> Answer:
    hand = view["my"]["hand"]
    screen.hand(view, again=True)
    example = view["decision"]["hints"]["example"]
    typed = _typed(f"{what}, e.g. {cards_text(example)} (Enter takes it)")
    return path, {"cards": cards_in(typed, hand) if typed else example}


def _declare(view: View, screen: Screen) -> Answer:
    path, what = _DECLARATIONS[view["decision"]["kind"]]
    possible = view["decision"]["hints"]["possible"]
    if not possible:
        screen.hand(view)
        screen.line(f"  nothing to {what} with: pass")
        return "pass", {}
    screen.hand(view, again=True)
    typed = _typed(f"{what} with {' or '.join(cards_text(cards) for cards in possible)} (Enter passes)")
    if typed.lower() in ("", "pass"):
        return "pass", {}
    return path, {"cards": cards_in(typed, view["my"]["hand"])}


def _call(view: View, screen: Screen) -> Answer:
    hints = view["decision"]["hints"]
    screen.hand(view, again=True)
    example = ", ".join(call_text(call) for call in hints["example"])
    typed = _typed(f"cards that bring your friends ({hints['calls']}), e.g. {example} (Enter takes it)")
    return "call", {"calls": [_one_call(part) for part in re.split("[,、]", typed)] if typed else hints["example"]}


def _one_call(text: str) -> dict[str, Any]:
    call = _CALL.fullmatch(text.strip())
    if call is None:
        raise SlipError(
            f"{text.strip()!r} is no call. Write a card and which copy of it, e.g. ♥A copy 1 "
            "or ♥A other copy, and commas between calls."
        )
    card, copy = _card(call["card"]), call["copy"]
    return {"card": card, "ordinal": int(copy)} if copy.isdecimal() else {"card": card, "other": True}


def _road(view: View, screen: Screen) -> Answer:
    screen.hand(view, again=True)
    hints = view["decision"]["hints"]
    typed = _typed(f"your road: {', '.join(hints['roads'])} (Enter takes {hints['example']})").lower()
    if typed and typed not in hints["roads"]:
        raise SlipError(f"{typed!r} is no road. Write one of {', '.join(hints['roads'])}.")
    return "road", {"road": typed or hints["example"]}


#: Kind of decision -> path of the action, and its word.
_DECLARATIONS: Final = {
    "declare": ("declare", "declare"),
    "defend": ("declare", "defend"),
    "overcall-kitty": ("overcall-kitty", "overcall for the kitty"),
}
_QUESTIONS: Final[dict[str, Callable[[View, Screen], Answer]]] = {
    **dict.fromkeys(_DECLARATIONS, _declare),
    "play": _play,
    "discard": _discard,
    "call": _call,
    "road": _road,
}
