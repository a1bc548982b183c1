"""All randomness at a table: seeds, decks and lots (docs/shuffle.md)."""

import hashlib

from service.game.commands.transaction import RandomBytes
from service.game.events.round_types import NewDeal
from service.game.events.types import NextSeed
from service.game.shuffle import SEED_BYTES, commitment, message, permutation, pick
from service.game.state.families import family_of
from service.game.state.queries import known_deals
from service.game.state.rules import composition_of, options_of
from service.game.state.table_types import KnownDeal
from service.game.state.types import Cards, State
from service.rules.options.rulesets import deck_of


def next_seed(practice_seed: str | None, before: str, random_bytes: RandomBytes) -> NextSeed:
    """Return a server seed and its commitment: a fresh seed, or at a practice table one derived from the last."""
    if practice_seed is None:
        seed = random_bytes(SEED_BYTES)
    else:
        seed = hashlib.sha256(f"practice|{practice_seed}|{before}".encode()).digest()
    return {"next_seed": seed.hex(), "next_commitment": commitment(seed)}


def shuffle_name(state: State) -> str:
    """Return the name of the table in the message of its shuffles.

    It is the table's id, one word for all practice tables, or the name with which a repeated deal was shuffled.
    """
    settings = state["settings"]
    if "deal" in settings:
        return settings["deal"]["shuffle_name"]
    return "practice" if settings["seed"] is not None else state["id"]


def signed_message(state: State, number: int, entropy: dict[str, str], purpose: str) -> bytes:
    """Return the message that a server seed signs for a purpose in round `number`."""
    return message(shuffle_name(state), number, {int(seat): value for seat, value in entropy.items()}, purpose)


def draw_lot(state: State, number: int, seed: str, entropy: dict[str, str], purpose: str, bound: int) -> int:
    """Return a number in 0…bound-1."""
    return pick(bytes.fromhex(seed), signed_message(state, number, entropy, purpose), bound)


def deck_for(deal: KnownDeal, starter: int) -> Cards:
    """Return the deck that deals these hands, starting with the first seat to draw, and leaves this kitty."""
    hands = [*deal["hands"][starter:], *deal["hands"][:starter]]
    return [*(card for circle in zip(*hands, strict=True) for card in circle), *deal["kitty"]]


def new_deal(state: State, number: int, seed: str, entropy: dict[str, str], attempt: int, starter: int) -> NewDeal:
    """Return the shuffled deck of a round, or a known one; `attempt` counts the deals before it in this round."""
    composition, options = composition_of(state), options_of(state)
    known = known_deals(state, number)[attempt : attempt + 1]
    if known:
        deck = deck_for(known[0], starter)
    else:
        cards = deck_of(composition)
        signed = signed_message(state, number, entropy, f"deck:{attempt}")
        deck = [cards[at] for at in permutation(bytes.fromhex(seed), signed, len(cards))]
    timed = options.get("deal_pace") == "timed"
    deal: NewDeal = {
        "attempt": attempt,
        "deck": deck,
        "of": composition.hand * state["players"],
        "pace": "timed" if timed else "instant",
        "interval": max(1, state["settings"]["clock"]["deal_interval_ms"]) if timed else 0,
        "ranks": [family_of(state).opening_rank(state, seat) for seat in range(state["players"])],
        "twos": bool(options.get("twos_always_trump")),
    }
    if options.get("red_fives"):
        deal["red_fives"] = True
    return deal
