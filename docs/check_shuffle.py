"""`python check_shuffle.py < round.json` verifies the shuffle of a round; see shuffle.md."""

import hashlib
import hmac
import json
import sys

record, attempt = json.load(sys.stdin), -1
setup, data_of = record["setup"], {event["type"]: event["data"] for event in record["events"]}
opened, ended = data_of["round_opened"], data_of["round_ended"]
seed, removed = bytes.fromhex(ended["server_seed"]), list(setup.get("removed", []))
for lowest in (deck.get("from", "2") for deck in record.get("special_decks", [])):
    removed += [rank + suit for rank in "23456789TJQKA".partition(lowest)[0] for suit in "SHDC"]
if "sha256:" + hashlib.sha256(seed).hexdigest() != opened["commitment"]:
    sys.exit("The seed does not match the commitment.")
given = [f"{seat}={opened['entropy'][seat]}" for seat in sorted(opened["entropy"], key=int)]
suited = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]
cards = [card for card in suited for _ in range(setup["decks"] - removed.count(card))]
cards += ["LJ"] * setup["little_jokers"] + ["BJ"] * setup["big_jokers"]
for event in record["events"]:
    if event["type"] in ("round_opened", "redealt"):
        attempt, deck = attempt + 1, list(cards)
        signed = "|".join(["sj1", ended["shuffle_name"], str(opened["number"]), *given, f"deck:{attempt}"])
        blocks = [hmac.digest(seed, f"{signed}|{counter}".encode(), "sha256") for counter in range(99)]
        numbers = (int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4))
        for size in range(len(deck), 1, -1):
            at = next(number for number in numbers if number < 2**32 // size * size) % size
            deck[size - 1], deck[at] = deck[at], deck[size - 1]
        mine = iter(deck[(record["seat"] - event["data"]["starter"]) % record["players"] :: record["players"]])
    elif event["type"] == "dealt" and any(card != next(mine, None) for card in event["data"]["cards"]):
        sys.exit(f"Event {event['seq']}: these cards do not follow from the seed.")
sys.stdout.write("The shuffle is correct.\n")
