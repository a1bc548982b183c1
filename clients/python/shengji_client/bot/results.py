"""The results of a bot's games, in its log."""

import logging
from typing import Final

from shengji_client.bot.chores import Chores
from shengji_client.client import Client
from shengji_client.protocol import Json

#: Most pages of past games that are read for those not told of yet, and games on each.
PAGES: Final = 10
PAGE: Final = 100
#: Number of games remembered as told.
REMEMBERED: Final = 5_000
NAME: Final = "the results of games"

log = logging.getLogger(__name__)


class Results:
    """Logs the result of every game that ends while the bot runs, once, also of one that ended during an outage."""

    def __init__(self, client: Client, chores: Chores) -> None:
        self._client = client
        self._chores = chores
        #: Games told of; None until those of earlier runs are known.
        self._reports: dict[str, None] | None = None

    def look(self) -> None:
        """Tell of the games that are not told of yet."""
        self._chores.add(NAME, self._tell, lasting=True)

    def _tell(self) -> None:
        reported = self._reports
        new: list[Json] = []
        cursor: str | None = None
        for _ in range(PAGES):
            query = {"limit": PAGE} | ({"cursor": cursor} if cursor else {})
            page = self._client.request("GET", "/v1/me/games", query=query)
            unknown = [game for game in page["items"] if reported is None or game["game"] not in reported]
            new += unknown
            cursor = page.get("next_cursor")
            if reported is None or cursor is None or len(unknown) < len(page["items"]):
                break
        known = {} if reported is None else reported
        for game in reversed(new):
            if reported is not None:
                log.info("table %s: game %s is over: %s", game["table"], game["game"], text_of(game))
            known[game["game"]] = None
        for old in list(known)[:-REMEMBERED]:
            del known[old]
        self._reports = known


def text_of(game: Json) -> str:
    """Return a past game's result in words."""
    how = {"won": "won", "lost": "lost"}.get(str(game["result"]), "nobody has won")
    if game["result"] is None and game["winners"]:
        how = "won" if game["seat"] in game["winners"] else "lost"
        how += ", hardly played by the bot"
    standing = ""
    if game.get("levels"):
        standing = f", levels {' '.join(str(level) for level in game['levels'])}"
    elif game.get("scores"):
        standing = f", scores {' : '.join(str(score) for score in game['scores'])}"
    rounds = f"{game['rounds']} round" + ("" if game["rounds"] == 1 else "s")
    return f"{game['ruleset']}, {rounds} on seat {game['seat']}: {how}{standing} ({game['ended']})"
