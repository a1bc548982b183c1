"""The start of a game and of its rounds."""

from service.game.commands.milestones import Milestone
from service.game.commands.round import shuffling
from service.game.commands.round.shuffling import draw_lot, next_seed
from service.game.commands.transaction import Transaction
from service.game.events.round_types import GameStarted, RoundOpened
from service.game.ids import game_id
from service.game.state.rules import options_of


def start_game(tx: Transaction) -> Milestone:
    """Begin a game: everybody on the start level, the first to draw chosen by lot."""
    state = tx.state
    number = state["game"]["number"] + 1 if state["game"] else 1
    # Drawing the high card and counting from a cut card both choose a seat by lot (docs/rules.md §4.1).
    starter = draw_lot(state, 1, state["next_seed"], state["entropy"], "starter", state["players"])
    data: GameStarted = {
        "game": game_id(state["id"], number),
        "number": number,
        "level": options_of(state).get("start_level", "2"),
        "starter": starter,
    }
    tx.emit("game_started", data, "server")
    return "round_due"


def open_round(tx: Transaction) -> Milestone:
    """Open a round with a shuffled deck."""
    state, game = tx.state, tx.game
    number, declarer = game["round"] + 1, game["declarer"]
    data: RoundOpened = {
        "number": number,
        "starter": game["starter"],
        "declarer": declarer,
        "level": state["seats"][game["starter"] if declarer is None else declarer]["level"],
        "commitment": state["next_commitment"],
        "server_seed": state["next_seed"],
        "entropy": state["entropy"],
        "sides": ["unknown"] * state["players"],
        **next_seed(state["settings"]["seed"], state["next_seed"], tx.random_bytes),
        **shuffling.new_deal(state, number, state["next_seed"], state["entropy"], 0),
    }
    tx.emit("round_opened", data, "server")
    return "deck_shuffled"
