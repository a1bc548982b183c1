"""The end of a round and of a game, whatever the game."""

from service.game.commands.round.shuffling import shuffle_name
from service.game.commands.transaction import Transaction
from service.game.events.round_types import GameEnded, NextRound, RoundEnded
from service.game.state.types import Ending


def end_round(tx: Transaction, following: NextRound) -> None:
    """End a round, and reveal all that anybody needs to check its shuffle."""
    table_round = tx.round
    data: RoundEnded = {
        "server_seed": table_round["server_seed"],
        "commitment": table_round["commitment"],
        "entropy": table_round["entropy"],
        "shuffle_name": shuffle_name(tx.state),
        "attempts": table_round["deal"]["attempt"] + 1,
        "next": following,
    }
    tx.emit("round_ended", data, "server")


def end_game(tx: Transaction, winners: list[int], reason: Ending) -> None:
    """End the game; no milestone follows."""
    data: GameEnded = {"winners": winners, "reason": reason}
    seed = tx.state["settings"]["seed"]
    if seed is not None:
        data["practice_seed"] = seed
    tx.emit("game_ended", data, "server")
