"""`python check_deals.py ruleset.json record.json …` counts how the cards of records were dealt; see shuffle.md.

`ruleset.json` is the response of `GET /v1/rulesets/{ruleset}`, which says which cards are in the game, and each record
that of `GET /v1/games/{game}/record`. With `--json` the counters are printed by name, as the service keeps them. It
needs Python 3.9 and no library.
"""

import hashlib
import hmac
import json
import sys
from collections import Counter
from math import comb, sqrt
from pathlib import Path

OF_CARDS = {"joker_policy": "table", "decks": None, "special_decks": [], "kitty_size": None}
SUITED = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]


def deck_of(cards):
    """Return all cards of a game in the order before the shuffle."""
    removed = cards.get("removed", [])
    deck = [card for card in SUITED for _ in range(cards["decks"] - removed.count(card))]
    return deck + ["LJ"] * cards["little_jokers"] + ["BJ"] * cards["big_jokers"]


def shuffled(deck, seed, signed):
    """Return the deck in the order that follows from seed and message (shuffle.md)."""
    deck, block, counter = list(deck), b"", 0
    for size in range(len(deck), 1, -1):
        number = limit = 2**32 // size * size
        while number >= limit:
            if not block:
                block, counter = hmac.digest(seed, f"{signed}|{counter}".encode(), "sha256"), counter + 1
            number, block = int.from_bytes(block[:4], "big"), block[4:]
        deck[size - 1], deck[number % size] = deck[number % size], deck[size - 1]
    return deck


def hands_of(record, played, cards):
    """Return the hands of the first deal of a round.

    Raises:
        ValueError: the seed does not match the commitment, or somebody showed a card that was not dealt there.
    """
    shuffle, players = played["shuffle"], record["players"]
    seed = bytes.fromhex(shuffle["server_seed"])
    if "sha256:" + hashlib.sha256(seed).hexdigest() != shuffle["commitment"]:
        raise ValueError("the seed does not match the commitment")
    given = [f"{seat}={shuffle['entropy'][seat]}" for seat in sorted(shuffle["entropy"], key=int)]
    signed = "|".join(["sj1", shuffle["shuffle_name"], str(played["round"]), *given, "deck:0"])
    deck, out = shuffled(deck_of(cards), seed, signed), cards["hand"] * players
    hands = [deck[(seat - played["starter"]) % players : out : players] for seat in range(players)]
    held = [Counter(hand) for hand in hands]
    kitty = Counter(deck[out:])
    for action in played["actions"] if shuffle["attempts"] == 1 else []:
        seat, shown = action["seat"], Counter(action.get("cards", []))
        if action["type"] == "discard":
            held[seat] += kitty
        if shown - held[seat]:
            raise ValueError(f"seat {seat} showed {' '.join(shown - held[seat])}, which was not dealt there")
        if action["type"] == "discard":
            held[seat], kitty = held[seat] - shown, shown
    return hands


def measured(hand):
    """Return what is counted in a hand: kinds that it has at least twice, jokers, cards of its longest suit."""
    suits = Counter(card[1] for card in hand if card not in ("LJ", "BJ"))
    pairs = sum(count > 1 for count in Counter(hand).values())
    return {"pairs": pairs, "jokers": len(hand) - sum(suits.values()), "longest": max(suits.values(), default=0)}


def chances(cards):
    """Return measure -> exact probability of each value: hands with it among all hands."""
    deck, hand = deck_of(cards), cards["hand"]
    copies, suits = Counter(deck), Counter(card[1] for card in deck if card not in ("LJ", "BJ"))
    jokers = len(deck) - sum(suits.values())
    pairs = Counter({(0, 0): 1})
    for number in copies.values():
        pairs, before = Counter(), pairs
        for (size, doubles), ways in before.items():
            for taken in range(min(number, hand - size) + 1):
                pairs[size + taken, doubles + (taken > 1)] += ways * comb(number, taken)
    at_most = []
    for most in range(hand + 1):
        ways = Counter({0: 1})
        for size, limit in [*((size, most) for size in suits.values()), (jokers, jokers)]:
            ways, before = Counter(), ways
            for total, number in before.items():
                for taken in range(min(size, limit, hand - total) + 1):
                    ways[total + taken] += number * comb(size, taken)
        at_most.append(ways[hand])
    counted = {
        "pairs": [pairs[hand, doubles] for doubles in range(hand // 2 + 1)],
        "jokers": [comb(jokers, held) * comb(len(deck) - jokers, hand - held) for held in range(min(jokers, hand) + 1)],
        "longest": [number - sum(at_most[most - 1 : most]) for most, number in enumerate(at_most)],
    }
    return {measure: [number / comb(len(deck), hand) for number in numbers] for measure, numbers in counted.items()}


def count(record, cards, counts):
    """Add the first deals of a record that were shuffled for its table alone, with the ruleset's own cards."""
    if any(record["options"].get(name, default) != default for name, default in OF_CARDS.items()):
        return
    for played in record["rounds"]:
        if "deals" in played or played["shuffle"]["shuffle_name"] != record["table"]:
            continue
        kinds = {each["seat"]: each["occupant"] for each in record["seats"]}
        kinds.update(
            (each["seat"], each["occupant"]) for each in record.get("changes", []) if each["round"] <= played["round"]
        )
        try:
            hands = hands_of(record, played, cards)
        except ValueError as error:
            sys.exit(f"{record['game']}, round {played['round']}: {error}.")
        for seat, hand in enumerate(hands):
            for measure, value in measured(hand).items():
                for who in (seat, (kinds[seat] or {"kind": "ai"})["kind"]):
                    counts[f"{who}:{measure}:{value}"] += 1


def report(counts, chance):
    """Yield a line for each seat and kind of players: means, and how far they are from what chance gives."""
    for who in sorted({name.partition(":")[0] for name in counts}):
        for measure, probabilities in chance.items():
            hands = sum(counts[f"{who}:{measure}:{value}"] for value in range(len(probabilities)))
            mean = sum(value * counts[f"{who}:{measure}:{value}"] for value in range(len(probabilities))) / hands
            expected = sum(value * each for value, each in enumerate(probabilities))
            spread = sqrt(sum((value - expected) ** 2 * each for value, each in enumerate(probabilities)) / hands)
            off = (mean - expected) / spread if spread else 0.0
            yield f"{who:>6} {measure:8} {hands:7} hands  {mean:6.3f}, by chance {expected:6.3f} ({off:+.1f} sd)"


def main(arguments):
    """Count the records, and print the outcome."""
    ruleset, *records = [json.loads(Path(each).read_text("utf-8")) for each in arguments if each != "--json"]
    counted = {}
    for record in records:
        if record["ruleset"] != ruleset["id"]:
            sys.exit(f"{record['game']} was played by the rules of {record['ruleset']}, not of {ruleset['id']}.")
        count(record, cards_of(ruleset, record["players"]), counted.setdefault(record["players"], Counter()))
    if "--json" in arguments:
        print(json.dumps(counted))
        return
    for players, counts in counted.items():
        print(f"{ruleset['id']}, {players} players")
        print(*report(counts, chances(cards_of(ruleset, players))), sep="\n")


def cards_of(ruleset, players):
    """Return the cards of a ruleset."""
    return ruleset["games"][str(players)]["composition"]


if __name__ == "__main__":
    main(sys.argv[1:])
