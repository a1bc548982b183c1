"""The end of a round and of a game, for all rulesets."""

from service.game.commands.round.shuffling import shuffle_name
from service.game.commands.transaction import Transaction
from service.game.events.round_types import GameEnded, NextRound, RoundEnded
from service.game.state.types import Ending


def end_round(tx: Transaction, following: NextRound) -> None:
    """End a round, and reveal what is needed to verify its shuffle, unless other tables get the same cards."""
    table_round = tx.round
    data: RoundEnded = {
        "server_seed": "" if "board" in tx.state["settings"] else table_round["server_seed"],
        "commitment": table_round["commitment"],
        "entropy": table_round["entropy"],
        "shuffle_name": shuffle_name(tx.state),
        "attempts": table_round["deal"]["attempt"] + 1,
        "next": following,
    }
    tx.emit("round_ended", data, "server")


def end_game(tx: Transaction, winners: list[int], reason: Ending) -> None:
    """End the game."""
    data: GameEnded = {"winners": winners, "reason": reason}
    settings = tx.state["settings"]
    if settings["seed"] is not None and "board" not in settings:
        data["practice_seed"] = settings["seed"]
    tx.emit("game_ended", data, "server")
