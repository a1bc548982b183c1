"""Check the shuffle of a round. Needs Python 3.9 and nothing else; see shuffle.md.

    python check_shuffle.py round.json

round.json: {"setup": answer of POST /v1/rulesets/{ruleset}/setup, "players": number of players,
             "seat": your seat, "events": the events of the round as you saw them}
"""

import hashlib
import hmac
import json
import sys
from pathlib import Path


def numbers(seed, signed):
    """Yield 32-bit numbers without end."""
    counter = 0
    while True:
        block = hmac.new(seed, f"{signed}|{counter}".encode(), "sha256").digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1


def below(source, bound):
    """Take the next number that is no more likely than any other of 0 … bound - 1."""
    return next(number for number in source if number < 2**32 // bound * bound) % bound


def deck_of(setup):
    """Return all cards, in the order in which they lie before they are shuffled."""
    cards = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA" for _ in range(setup["decks"])]
    for card in setup.get("removed", []):
        cards.remove(card)
    return cards + ["LJ"] * setup["little_jokers"] + ["BJ"] * setup["big_jokers"]


def shuffled(setup, seed, signed):
    """Return the deck as it was dealt, from the top."""
    deck, source = deck_of(setup), numbers(seed, signed)
    for top in range(len(deck) - 1, 0, -1):
        at = below(source, top + 1)
        deck[top], deck[at] = deck[at], deck[top]
    return deck


def check(told):
    """Return what is wrong, or None."""
    ended = next(event["data"] for event in told["events"] if event["type"] == "round_ended")
    opened = next(event["data"] for event in told["events"] if event["type"] == "round_opened")
    seed = bytes.fromhex(ended["server_seed"])
    if "sha256:" + hashlib.sha256(seed).hexdigest() != opened["commitment"]:
        return "the seed is not the one that was committed to"
    given = [f"{seat}={opened['entropy'][seat]}" for seat in sorted(opened["entropy"], key=int)]
    attempt, dealt, place, players = -1, 0, 0, told["players"]
    for event in told["events"]:
        data = event["data"]
        if event["type"] in ("round_opened", "redealt"):
            attempt, dealt, place = attempt + 1, 0, (told["seat"] - data["starter"]) % players
            signed = "|".join(["sj1", ended["shuffle_name"], str(opened["number"]), *given, f"deck:{attempt}"])
            deck = shuffled(told["setup"], seed, signed)
        elif event["type"] == "dealt":
            if data["cards"] != deck[dealt + place : data["count"] : players]:
                return f"event {event['seq']}: these cards do not follow from the seed"
            dealt = data["count"]
    return None


if __name__ == "__main__":
    wrong = check(json.loads(Path(sys.argv[1]).read_text("utf-8")))
    sys.stdout.write(f"{wrong or 'The shuffle is as it should be.'}\n")
    sys.exit(wrong is not None)
