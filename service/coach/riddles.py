"""Riddles: what do you play? Positions cut from analysed rounds, three a day for each player.

An analysed round waits until its game is over. Then workers look for positions in it in which one play is best beyond
doubt (`workers.riddles`). Nothing of a riddle tells whose it is. The first answer of each player counts.
"""

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from itertools import islice
from typing import Final, NamedTuple

from service.coach.positions import position_of
from service.game.errors import NotFound
from service.game.events.evolve import evolve
from service.game.ids import id_from, table_of_game
from service.game.records.decisions import Taken
from service.game.records.record import GameLog
from service.game.records.sittings import Sitting, sittings_of
from service.game.state.queries import is_practice
from service.game.state.rules import chosen_options
from service.game.state.types import State
from service.rules.options.rulesets import RULESETS
from service.store.coach.riddles import RIDDLE_MS, Answered, Known, Riddle, RiddlePlay, RiddleStore, Source
from service.store.port import ArchiveStore, PlayerStore
from service.tables import Tables

DAY_MS: Final = 24 * 3_600_000
#: Riddles of a player a day, and how many of them are cut from the player's own rounds if there are others.
A_DAY: Final = 3
OWN_A_DAY: Final = 1
#: One round is looked at in this time (ms), in all processes together.
EVERY_MS: Final = 120_000
#: After this time a round whose game goes on is looked at again (ms).
AGAIN_MS: Final = 6 * 3_600_000
#: For how many riddles people and blocks are looked up at a time.
_PART: Final = 12
#: Options that change no rule.
_NO_RULES: Final = frozenset({"deal_pace"})
#: Settings of tables whose cards others may get or know, or which were made for something else.
_NOT_FROM: Final = ("board", "sandbox", "known", "imported", "deal")


class SourceRound(NamedTuple):
    """A round from which riddles may be cut: seat -> the player who sat there, without AI players."""

    game: str
    number: int
    log: GameLog
    seated: Mapping[int, str]


class Asked(NamedTuple):
    """A riddle for a player, and the answer; None: not answered yet."""

    riddle: Riddle
    answered: Answered | None


class Riddles:
    """See the module.

    Args:
        store: stores riddles.
        archive, tables, players: records of games, running tables, and who still exists.
        sent: returns the rounds (game and number) whose deals a player has sent to others.
        apart: returns those of some players (ids) between whom and a player there is a block.
        now: returns milliseconds since the epoch.
        random_bytes: for ids.
    """

    def __init__(
        self,
        store: RiddleStore,
        archive: ArchiveStore,
        tables: Tables,
        players: PlayerStore,
        sent: Callable[[str], Collection[tuple[str, int]]],
        apart: Callable[[str, Collection[str]], set[str]],
        now: Callable[[], int],
        random_bytes: Callable[[int], bytes],
    ) -> None:
        self._store: Final = store
        self._archive: Final = archive
        self._tables: Final = tables
        self._players: Final = players
        self._sent: Final = sent
        self._apart: Final = apart
        self._now: Final = now
        self._random_bytes: Final = random_bytes

    # --- making them --------------------------------------------------------------------------------------------------

    def wait(self, game: str, number: int) -> None:
        """Let a round wait that has just been analysed."""
        self._store.wait(game, number, self._now())

    def next_round(self) -> tuple[str, int] | None:
        """Return a round (game and number) to look at now; None: there is none, or one has just been looked at."""
        taken = self._store.take(self._now(), EVERY_MS)
        if taken is None or self._archive.load_archive(taken[0]) is not None:
            return taken
        # With its table, a game that is not over is forgotten.
        with suppress(NotFound):
            self._tables.stored(table_of_game(taken[0]))
            self._store.wait(*taken, self._now() + AGAIN_MS)
        return None

    def source_of(self, game: str, number: int) -> SourceRound | None:
        """Return a round from which riddles may be cut; None: they may not."""
        archived = self._archive.load_archive(game)
        if archived is None:
            return None
        log = GameLog(archived["base"], archived["events"])
        state = reduce(evolve, log.events, log.base)
        seated = {each.seat: player for each in sittings_in(state, number) if (player := each.occupant["player"])}
        source = SourceRound(game, number, log, seated)
        return source if is_eligible(state) and self._is_free(source) else None

    def _is_free(self, source: SourceRound) -> bool:
        """Return whether all people of a round still exist and nobody has sent its deal.

        Whoever gets the deal by a link would know cards of it before playing.
        """
        people = set(source.seated.values())
        place = (source.game, source.number)
        return self._players.existing(people) == people and not any(place in self._sent(each) for each in people)

    def add(self, source: SourceRound, taken: Taken, plays: Sequence[RiddlePlay]) -> None:
        """Store a riddle cut from a decision, unless there is one.

        Args:
            plays: those among which it asks to choose.
        """
        seq = taken.action["seq"]
        known = [each.source for each in self._store.known().values()]
        if any((each["game"], each["round"], each["seq"]) == (source.game, source.number, seq) for each in known):
            return
        riddle: Riddle = {
            "id": id_from("rd_", self._random_bytes(8)),
            "made_at": self._now(),
            "position": position_of(taken.view()),
            "plays": sorted(plays, key=lambda each: each["cards"]),
        }
        origin: Source = {
            "game": source.game,
            "round": source.number,
            "seq": seq,
            "owner": source.seated.get(taken.action["seat"]),
            "people": sorted(set(source.seated.values())),
        }
        self._store.add(riddle, origin)
        if not self._is_free(source):
            # Somebody was erased or has sent the deal meanwhile, perhaps before this was stored.
            self.drop_round(source.game, source.number)

    def drop_round(self, game: str, number: int) -> None:
        """Drop the riddles cut from a round, whose deal is sent to others."""
        self._store.drop_of(round_=(game, number))

    # --- for players --------------------------------------------------------------------------------------------------

    def today(self, player: str) -> list[Asked]:
        """Return the riddles of a player for today. Changes nothing; they stay the same during the day."""
        answers = self._store.answers_of(player)
        riddles = {each["id"]: each for each in self._store.load(self._choice(player, answers))}
        return [Asked(each, answers.get(name)) for name, each in riddles.items()]

    def answer(self, player: str, name: str, play: int) -> Asked:
        """Store what a player answers to a riddle of today, unless there is an answer, and return both.

        Raises:
            NotFound: it is none of today's riddles of the player, or has no such play.
        """
        asked = next((each for each in self.today(player) if each.riddle["id"] == name), None)
        if asked is None or play >= len(asked.riddle["plays"]):
            raise NotFound(what="riddle", id=name)
        if asked.answered is None:
            now = self._now()
            self._store.forget_answers(player, now - RIDDLE_MS)
            self._store.answer(player, name, {"play": play, "at": now})
            if not self._players.existing([player]):
                # Erased meanwhile, perhaps before this was stored.
                self._store.forget_answers(player, now + 1)
        return Asked(asked.riddle, self._store.answers_of(player).get(name))

    def counts(self, riddle: Riddle) -> list[int]:
        """Return how many people have chosen each play first."""
        return self._store.counts(riddle["id"], len(riddle["plays"]))

    def _choice(self, player: str, answers: Mapping[str, Answered]) -> list[str]:
        """Return the ids of today's riddles of a player: those answered today, then fresh ones."""
        now = self._now()
        began = now - now % DAY_MS
        known = {name: each for name, each in self._store.known().items() if _may_get(player, each, began)}
        done = [name for name, each in answers.items() if name in known and each["at"] >= began]
        fresh = sorted(known.keys() - answers.keys(), key=lambda name: _digest(began, player, name))
        own = [name for name in fresh if known[name].source["owner"] == player]
        others = [name for name in fresh if known[name].source["owner"] != player]
        done_own = sum(known[name].source["owner"] == player for name in done)
        first = own[: max(0, OWN_A_DAY - done_own)]
        wanted = [*done, *first, *others, *own[len(first) :]]
        chosen = list(islice(self._open(player, wanted, known), A_DAY))
        return sorted(chosen, key=lambda name: _digest(began, player, name))

    def _open(self, player: str, names: Sequence[str], known: Mapping[str, Known]) -> Iterator[str]:
        """Yield those of some riddles that a player may get because of who sat in their rounds.

        All of these people still exist, and there is no block between any of them and the player.
        """
        for start in range(0, len(names), _PART):
            people = {name: set(known[name].source["people"]) for name in names[start : start + _PART]}
            everybody = set().union(*people.values())
            welcome = self._players.existing(everybody) - self._apart(player, everybody)
            yield from (name for name, its in people.items() if its <= welcome)


def is_eligible(state: State) -> bool:
    """Return whether riddles may be cut from the rounds of a game that is over, as far as its table tells."""
    settings = state["settings"]
    return (
        state["game"] is not None
        and state["game"]["ended"] is not None
        and RULESETS[state["ruleset"]].teams == "fixed"
        and RULESETS[state["ruleset"]].family == "shengji"
        and not any(name in settings for name in _NOT_FROM)
        and not is_practice(state)
        and chosen_options(state).keys() <= _NO_RULES
    )


def sittings_in(state: State, number: int) -> list[Sitting]:
    """Return who sat where in a round of the game at a table."""
    return [each for each in sittings_of(state) if each.first <= number < each.first + each.rounds]


def _may_get(player: str, known: Known, began: int) -> bool:
    """Return whether a player may get a riddle on a day that began at a time (ms).

    Of those who sat in the round, only the seat whose riddle it is knew no more than it shows.
    """
    made_at, source = known
    is_fresh = began - RIDDLE_MS < made_at < began
    return is_fresh and (player not in source["people"] or source["owner"] == player)


def _digest(*of: object) -> bytes:
    return hashlib.sha256("|".join(map(str, of)).encode()).digest()
