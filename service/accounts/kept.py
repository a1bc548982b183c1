"""Which keys of the store hold data of a player, and whether export and erasure cover them.

Add a row for each new key. `tests/api/test_export.py` compares the rows with the keys, and with the contents of an
export and the remains of an erasure.
"""

from typing import Final, NamedTuple


class Key(NamedTuple):
    """A row of `KEPT`.

    Attributes:
        exported: member of the export that contains it; None: see `why`.
        is_erased: whether erasing the player removes it.
        why: why it is not exported or not erased; "" if it is both.
    """

    exported: str | None
    is_erased: bool
    why: str = ""


_OF_TABLES: Final = Key(None, False, "of a table, which the player has left; goes with the table")
_HASH: Final = Key(None, True, "only hashes of secrets; what they stand for is exported as `tokens`")

#: Key, as in `service.store.keys` -> its treatment.
KEPT: Final[dict[str, Key]] = {
    "sj:{bNN}:<table>:head": _OF_TABLES,
    "sj:{bNN}:<table>:log": _OF_TABLES,
    "sj:{bNN}:<table>:old": _OF_TABLES,
    "sj:{bNN}:due": Key(None, False, "not personal"),
    "sj:{bNN}:owed": Key(None, False, "not personal"),
    "sj:{bNN}:lobby": Key(None, False, "not personal"),
    "sj:{bNN}:watch": Key(None, False, "not personal"),
    "sj:{bNN}:<table>:watchers:<code>": Key(None, False, "of a table; expires a week after the last watcher came"),
    "sj:code:<code>": Key(None, False, "not personal"),
    "sj:{bNN}:long": Key(None, False, "not personal"),
    "sj:{bNN}:notify": Key(None, False, "not personal"),
    "sj:{players}:record": Key("player", True),
    "sj:{players}:token": _HASH,
    "sj:{players}:held": _HASH,
    "sj:{players}:grant": Key("tokens", True),
    "sj:{players}:own:<player>": Key("has_recovery_code", True),
    "sj:{players}:recovery": _HASH,
    "sj:{players}:recovery-by": Key(None, True, "what made the recovery code; `GET /v1/me/rights` shows it"),
    "sj:{players}:link:<sha256>": Key(None, False, "the hash of a token; expires within five minutes, void before"),
    "sj:{players}:app:<sha256>": Key(None, False, "the hash of a token; expires within ten minutes, void before"),
    "sj:{players}:app-code:<sha256>": Key(None, False, "not personal; expires within ten minutes"),
    "sj:{players}:app-spent:<sha256>": Key(None, False, "ids of player and token; expires within ten minutes"),
    "sj:{players}:identity": Key(None, True, "only hashes; exported as `identities`"),
    "sj:{players}:identities:<player>": Key("identities", True),
    "sj:{players}:sign-in:<sha256>": Key(None, False, "the hash of an identity; expires within a quarter of an hour"),
    "sj:{players}:guest": Key("guest_last_seen_at", True),
    "sj:{players}:at:<player>": Key("tables", True),
    "sj:{players}:host:<player>": Key("hosted", True),
    # Names of other players are not kept there: they are read from `record`.
    "sj:{players}:inbox:<player>": Key("events", True),
    "sj:{players}:notices:<player>": Key("notices", True),
    "sj:{players}:notify": Key(None, True, "whose inbox is to be looked at; what is in it is exported as `events`"),
    "sj:{players}:outbox": Key(None, False, "ids without content; goes when its time comes, unsent"),
    "sj:{players}:sent:<subscription>": Key("webhooks", True),
    "sj:{players}:over:<delivery>": Key(None, False, "the hash of a notice; expires within two minutes"),
    "sj:looks": Key(None, False, "not personal"),
    "sj:looks:<process>": Key(None, False, "whose streams are open, which erasure ends; expires within a minute"),
    "sj:{players}:block:<player>": Key("blocked", True),
    "sj:{players}:friend:<player>": Key("friends", True),
    "sj:{players}:here": Key(None, True, "when the player was last there, for half a minute"),
    "sj:{players}:report": Key(
        "reports", False, "for operators, until there are 1,000 newer ones: a report outlives both"
    ),
    "sj:{players}:reports": Key(None, False, "not personal"),
    "sj:{players}:report-marks": Key(None, False, "ids of who reported whom, as long as the report"),
    "sj:{players}:deeds": Key(None, False, "what operators did, by id, until there are 2,000 newer ones"),
    "sj:{players}:doors": Key(None, False, "not personal, unless an operator blocks a single address"),
    "sj:{players}:invites:<giver>": Key(None, False, "hashes; void with the account; expires within 30 days"),
    "sj:{players}:invite:<sha256>": Key(
        None, False, "`GET /v1/me/registration-codes` shows it; void with the account; expires within 30 days"
    ),
    "sj:{players}:origin-key": Key(None, False, "not personal; expires a week after the last note"),
    "sj:{players}:origin:<mark>": Key(None, False, "ids under a keyed hash; expires within a week"),
    "sj:{players}:origins-of:<player>": Key(None, False, "keyed hashes that say nothing alone; expire within a week"),
    **dict.fromkeys(
        (f"sj:{{quick}}:{name}" for name in ("of", "tickets", "waiting", "in", "due", "match:<match>")),
        Key(None, False, "while the player waits for a game: minutes; ends with the account"),
    ),
    "sj:{quick}:seated:<player>": Key(None, False, "expires within a minute; ends with the account"),
    "sj:{quick}:challenge:<challenge>": Key(None, False, "ids of who challenged whom; expires within ten minutes"),
    "sj:{quick}:met:<player>": Key(None, False, "ids of who was matched; expires within a day, ends with the account"),
    "sj:answer:<sha256>": Key(None, False, "what a request was answered, under a hash; expires within a day"),
    "sj:{players}:games:<player>": Key("games", True),
    "sj:game:<game>": Key("games", False, "of all who played; shows a deleted player without name; expires"),
    "sj:past:<game>": Key("games", False, "as the record, with which it expires"),
    "sj:analysis:<game>:<n>": Key(None, False, "of seats, without names; expires with the game"),
    "sj:par:<game>:<n>": Key(None, False, "not personal"),
    "sj:events": Key(None, False, "not personal"),
    "sj:team-events": Key(None, False, "not personal"),
    "sj:{event:<event>}:play": Key("boards", True),
    "sj:{players}:directs:<player>": Key("directed", True),
    "sj:{event:<event>}:head": Key(None, False, "not personal"),
    "sj:{event:<event>}:entries": Key("boards", True),
    "sj:{event:<event>}:board:<n>": Key("boards", True),
    "sj:{event:<event>}:field": Key(None, False, "not personal"),
    "sj:{event:<event>}:marks": Key(None, True, "hashes that say nothing without each other; expire within a week"),
    "sj:{event:<event>}:standings": Key(None, True, "made of entries and results, which are exported"),
    "sj:{results:<ruleset>}:players": Key("results", True),
    "sj:{results:<ruleset>}:leaders": Key("results", True),
    "sj:{results:<ruleset>}:course:<player>": Key("ratings", True),
    "sj:{results:<ruleset>}:met:<player>": Key(None, True, "made of the games, which are exported; expires"),
    "sj:{results:<ruleset>}:settled:<game>": Key(None, False, "not personal"),
    "sj:buckets": Key(None, False, "not personal"),
    "sj:{sj:clock}:needs": Key(None, False, "not personal"),
    "sj:clock": Key(None, False, "not personal"),
    "sj:{sj:clock}:mark": Key(None, False, "not personal"),
    "sj:{players}:mark": Key(None, False, "not personal"),
    "sj:{bNN}:<table>:live": Key(None, False, "not personal"),
    "sj:live": Key(None, False, "not personal"),
    "sj:revoked": Key(None, False, "a channel; nothing is kept"),
    "sj:news": Key(None, False, "a channel; nothing is kept"),
}
