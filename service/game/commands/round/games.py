"""The start of a game and of its rounds: who sits where, who draws first, the deck."""

from service.game.commands.milestones import Milestone
from service.game.commands.round import shuffling
from service.game.commands.round.shuffling import draw_lot, next_seed, signed_message
from service.game.commands.table.moves import reseat
from service.game.commands.transaction import Transaction
from service.game.events.round_types import GameStarted, LevelChange, LevelsChanged, RoundOpened
from service.game.events.types import NextSeed
from service.game.ids import game_id
from service.game.shuffle import commitment, permutation
from service.game.state.rules import options_of
from service.game.state.settings import MINUTE_MS, length_of, listed_level
from service.game.state.table_types import RepeatedDeal
from service.game.state.types import State
from service.rules.versions import RULES


def start_game(tx: Transaction) -> Milestone:
    """Begin a game: all seats on the start level, or each on its own; the first to draw is chosen by lot."""
    if tx.state["settings"].get("random_seats"):
        _draw_seats(tx)
    state, levels = tx.state, tx.state["settings"].get("start_levels")
    number = state["game"]["number"] + 1 if state["game"] else 1
    deal = _repeated(state)
    # Drawing the high card and counting from a cut card both choose a seat by lot (docs/rules.md §4.1).
    entropy = state["entropy"] if deal is None else deal["entropy"]
    starter = draw_lot(state, 1, state["next_seed"], entropy, "starter", state["players"])
    data: GameStarted = {
        "game": game_id(state["id"], number),
        "number": number,
        "level": listed_level(state) or options_of(state).get("start_level", "2"),
        "starter": starter,
        "rules": RULES,
    }
    minutes = length_of(state).get("minutes")
    if minutes is not None:
        data["game_ends_at"] = tx.now + minutes * MINUTE_MS
    if deal is not None:
        data |= {"rounds_before": deal["round"] - 1, "declarer": deal["declarer"]}
        if deal["starter"] is not None:
            data["starter"] = deal["starter"]
    tx.emit("game_started", data, "server")
    if levels is not None:
        _set_levels(tx, levels)
    return "round_due"


def _repeated(state: State) -> RepeatedDeal | None:
    """Return the deal that the next round repeats, or None; only the first round of a table may repeat one."""
    game, deal = state["game"], state["settings"].get("deal")
    first = game is None or (game["number"] == 1 and state["round"] is None)
    return deal if first else None


def _next_seed(tx: Transaction, deal: RepeatedDeal | None) -> NextSeed:
    """Return the server seed of the round after the one to be opened."""
    seed = deal.get("next_seed") if deal is not None else None
    if seed is not None:
        return {"next_seed": seed, "next_commitment": commitment(bytes.fromhex(seed))}
    return next_seed(tx.state["settings"]["seed"], tx.state["next_seed"], tx.random_bytes)


def _draw_seats(tx: Transaction) -> None:
    """Draw the seats from the shuffle of the first round (docs/shuffle.md); players on autopilot keep theirs."""
    state = tx.state
    drawn = [number for number, seat in enumerate(state["seats"]) if seat["autopilot"] is None]
    signed = signed_message(state, 1, state["entropy"], "seats")
    order = permutation(bytes.fromhex(state["next_seed"]), signed, len(drawn))
    reseat(tx, [(number, drawn[at]) for number, at in zip(drawn, order, strict=True) if number != drawn[at]], "drawn")


def _set_levels(tx: Transaction, levels: list[str]) -> None:
    """Set the levels of the seats, given for each seat or for each of two sides."""
    seats = tx.state["seats"]
    changes: list[LevelChange] = [
        {
            "seat": number,
            "from": seat["level"],
            "to": levels[number % len(levels)],
            "active": True,
            "attempted": [],
            "penalty": 0,
            "won": False,
        }
        for number, seat in enumerate(seats)
        if levels[number % len(levels)] != seat["level"]
    ]
    if changes:
        data: LevelsChanged = {"seats": changes}
        tx.emit("levels_changed", data, "server")


def open_round(tx: Transaction) -> Milestone:
    """Open a round with a shuffled deck."""
    state, game = tx.state, tx.game
    number, declarer, deal = game["round"] + 1, game["declarer"], _repeated(state)
    entropy = state["entropy"] if deal is None else deal["entropy"]
    data: RoundOpened = {
        "number": number,
        "starter": game["starter"],
        "declarer": declarer,
        "level": state["seats"][game["starter"] if declarer is None else declarer]["level"],
        "commitment": state["next_commitment"],
        "server_seed": state["next_seed"],
        "entropy": entropy,
        "sides": ["unknown"] * state["players"],
        **_next_seed(tx, deal),
        **shuffling.new_deal(state, number, state["next_seed"], entropy, 0, game["starter"]),
    }
    tx.emit("round_opened", data, "server")
    return "deck_shuffled"
