"""The end of a round and of a game, for all rulesets."""

from service.game.commands.milestones import Milestone
from service.game.commands.round.shuffling import shuffle_name
from service.game.commands.transaction import Transaction
from service.game.events.round_types import GameEnded, NextRound, RoundEnded
from service.game.state.families import family_of
from service.game.state.settings import is_game_time_up, rounds_of
from service.game.state.types import DecidedBy, Ending


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


def go_on_or_end(tx: Transaction) -> Milestone | None:
    """Go on after a round, unless the length of the game is over with it."""
    rounds = rounds_of(tx.state)
    if rounds is not None and len(tx.game["results"]) >= rounds:
        end_by_length(tx, "rounds_played")
        return None
    if is_game_time_up(tx.state, tx.now):
        end_by_length(tx, "time_up")
        return None
    return "round_over"


def end_by_length(tx: Transaction, reason: Ending) -> None:
    """End a game whose length is over; a round that has begun is dropped."""
    winners, decided_by = family_of(tx.state).verdict(tx.state)
    end_game(tx, winners, reason, decided_by)


def end_game(tx: Transaction, winners: list[int], reason: Ending, decided_by: DecidedBy | None = None) -> None:
    """End the game."""
    data: GameEnded = {"winners": winners, "reason": reason}
    if decided_by is not None:
        data["decided_by"] = decided_by
    if "time" in tx.game:
        data["game_ends_at"] = None
    settings = tx.state["settings"]
    if settings["seed"] is not None and "board" not in settings:
        data["practice_seed"] = settings["seed"]
    tx.emit("game_ended", data, "server")
