"""The key space: every key of the store in Redis.

All keys of a table, and the indexes of its bucket, have the bucket's hash tag. So on a cluster a script finds them on
one node, and tables are spread over as many slots as there are buckets. `{players}` is one slot.

    sj:{bNN}:<table>:head    hash: v = version, s = snapshot without o, o = options and settings,
                                   c = checksum of both, q = the queue of its jobs,
                                   n = delay between an append and the look for notices (ms), k = last look,
                                   r = the release that its events need, if later than 0.3
    sj:{bNN}:<table>:log     stream: the latest events; ids <seq>-0, one field e1 = event
    sj:{bNN}:<table>:old     stream: the earlier events; ids <seq of the last event of a chunk>-0, one field c1 = chunk
    sj:{bNN}:due             sorted set: table -> when it is due (ms): at its deadline, or when a claim ends
    sj:{bNN}:owed            sorted set: table -> its deadline (ms), not changed by claims
    sj:{bNN}:lobby           sorted set: table -> when it was listed (ms)
    sj:{bNN}:watch           sorted set: table -> when it became watchable (ms)
    sj:{bNN}:<table>:watchers:<code> set: players who may watch a private table with this watch code; expires
    sj:buckets               string: number of buckets
    sj:{sj:clock}:needs      set: releases later than 0.3 that the events of some table have needed
    sj:code:<code>           string: the table that a join code or a watch code opens; expires
    sj:{bNN}:long            set: tables whose logs need compaction
    sj:{bNN}:notify          sorted set: table -> when to look for notices to send (ms)
    sj:{players}:record      hash: player -> record
    sj:{players}:token       hash: SHA-256 of an unrestricted token -> player
    sj:{players}:held        hash: player -> SHA-256 of an unrestricted token, for releases before 0.3
    sj:{players}:grant       hash: SHA-256 of a token -> its id, player, name, scopes and times
    sj:{players}:own:<player> hash: id of a token of the player -> its SHA-256; recovery -> SHA-256 of the code
    sj:{players}:recovery    hash: SHA-256 of a recovery code -> player
    sj:{players}:recovery-by hash: player -> id of the token that made the recovery code, and when (ms)
    sj:{players}:link:<sha256> string: SHA-256 of the token with which this link code was made; expires
    sj:{players}:app:<sha256> string: grant or request of an app, by the SHA-256 of its code; expires
    sj:{players}:app-code:<sha256> string: SHA-256 of the code of the device that shows this short code; expires
    sj:{players}:app-spent:<sha256> string: player and token for which this code of an app was used; expires
    sj:{players}:identity    hash: SHA-256 of an identity at an OpenID provider -> player
    sj:{players}:identities:<player> hash: SHA-256 of an identity of the player -> provider, issuer, time
    sj:{players}:sign-in:<sha256> string: a pending sign-in, by the SHA-256 of its state or its code; expires
    sj:{players}:games:<player> sorted set: finished game of the player -> when it ended (ms)
    sj:{players}:guest       sorted set: player without a finished game -> last activity (ms, to the day)
    sj:{players}:at:<player> sorted set: table -> when the player sat down (ms)
    sj:{players}:host:<player> sorted set: table -> when the player became its host (ms)
    sj:{players}:inbox:<player> stream: the latest events of the player's account; ids <seq>-0, one field n1; expires
    sj:{players}:notices:<player> hash: id of a subscription -> subscription; <id>:health -> its health;
                                   choice -> the player's choices; seq -> last processed event of the inbox
    sj:{players}:notify      sorted set: player -> when to check the inbox for events to send (ms)
    sj:{players}:outbox      sorted set: <subscription>/<delivery> -> when to send it (ms)
    sj:{players}:sent:<subscription> hash: id of a delivery -> delivery; expires
    sj:{players}:over:<delivery>  string: a notice to a device has been sent, and must not be again; expires
    sj:looks                 sorted set: process of the API with streams -> its last heartbeat (ms); expires
    sj:looks:<process>       set: "<table> <player>" whose stream the process has open; expires
    sj:{players}:block:<player> sorted set: blocked player -> when (ms)
    sj:{players}:friend:<player> hash: other player -> friend, asked (by this player) or asks, and time (ms)
    sj:{players}:here        sorted set: player who follows a table or the account -> when last noted (ms)
    sj:{players}:report      hash: id -> report of a player
    sj:{players}:reports     sorted set: id of a report -> when it was made (ms)
    sj:{players}:report-marks hash: id of a report -> who made it, and what it is about
    sj:{players}:deeds       stream: actions of operators, one field d
    sj:{players}:doors       hash: blocked network -> block; registration -> who may register
    sj:{players}:invites:<giver> sorted set: SHA-256 of a registration code of a player, or of operators -> until (ms)
    sj:{players}:invite:<sha256> hash: d = the registration code, left = how many may still use it; expires
    sj:{players}:origin-key  string: key of the hashes below; expires
    sj:{players}:origin:<mark> sorted set: player who comes from there -> when last (ms); expires
    sj:{players}:origins-of:<player> sorted set: keyed hash of an address or an identity -> when last (ms); expires
    sj:{quick}:of            hash: waiting player -> ticket
    sj:{quick}:tickets       hash: id -> ticket
    sj:{quick}:waiting       sorted set: ticket without a match -> start of waiting (ms)
    sj:{quick}:in            hash: ticket -> its match; empty: none
    sj:{quick}:due           sorted set: match -> when to check it (ms)
    sj:{quick}:match:<match> hash: m = the match, n = number of players, c:<player> = has confirmed
    sj:{quick}:seated:<player> string: table where a match has seated the player; expires
    sj:{quick}:challenge:<challenge> hash: c = the challenge, a = its answer; expires
    sj:{quick}:met:<player>  list: the last two matches of the player, with their players; expires
    sj:answer:<sha256>       string: the claim of a request, or its answer; expires
    sj:game:<game>           string: the log of a finished game, compressed
    sj:past:<game>           string: its entry in the lists of its players; expires with it
    sj:analysis:<game>:<n>   string: the analysis of its round n, compressed; expires with it, or in a week if the
                             game has no record yet
    sj:par:<game>:<n>        string: results of AI players in round n of a game; expires with its record, or in a week
    sj:events                sorted set: event of equal deals -> when it opens (ms)
    sj:{event:<event>}:head  string: the event with the secrets of its boards; expires, like all of its keys
    sj:{event:<event>}:entries   hash: player -> name and time of the entry
    sj:{event:<event>}:board:<n> hash: player, or room of a match -> result of board n
    sj:{event:<event>}:field     hash: <board>:<deal> -> results of AI players
    sj:{event:<event>}:marks     hash: player -> JSON, keyed hashes of address and browser; key -> their key; expires
    sj:{event:<event>}:standings string: the standings, after the event, or for teams after each round
    sj:team-events           sorted set: team event -> when it was created (ms)
    sj:{event:<event>}:play      string: teams, rounds and director's rulings of a team event
    sj:{players}:directs:<player> sorted set: team event that the player directs -> until when it counts (ms); expires
    sj:{results:<ruleset>}:players         hash: player -> result
    sj:{results:<ruleset>}:leaders         sorted set: player -> rating at one day for all
    sj:{results:<ruleset>}:course:<player> list: end of each rated game and the rating after it, at most 200
    sj:{results:<ruleset>}:met:<player>    string: JSON, other player -> rated games together, the last (ms); expires
    sj:{results:<ruleset>}:settled:<game>  string: exists if the game has been counted; expires
    sj:clock                 hash: last = server time of the last reading (ms), ahead = lead over it (ms),
                                   heard = last heartbeat of the API (ms), gaps = periods without, see clock.lua
    sj:{sj:clock}:mark       string: written to try whether Redis takes writes, as sj:{players}:mark; expires
    sj:{players}:mark        string: see sj:{sj:clock}:mark; expires
    sj:{bNN}:<table>:live    channel: "<table> <version>" after each append; sharded on a cluster (no key)
    sj:live                  channel: "<table> +<version>" for processes of releases before 0.3, which publish
                                   "<table> <version>" here (no key)
    sj:revoked               channel: "<player>" when a token becomes void, or the record changes (no key)
    sj:news                  channel: "<player>" when the inbox or the list of tables has news;
                                   "<player> <token> <number>" when a stream of the account opens (no key)
"""

import hashlib
from functools import lru_cache
from itertools import count
from typing import Final, NamedTuple
from zlib import crc32

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

#: Default number of buckets, and the fixed number of releases before 0.3.
USUAL_BUCKETS: Final = 16
LIVE: Final = "sj:live"
REVOKED: Final = "sj:revoked"
NEWS: Final = "sj:news"
CLOCK: Final = "sj:clock"
BUCKETS: Final = "sj:buckets"
#: Written to try whether Redis takes writes: on a cluster, at the two nodes that every request needs.
MARKS: Final = ("sj:{sj:clock}:mark", "sj:{players}:mark")
#: In the slot of the clock: a process that starts while another node hangs does not ask that one.
NEEDS: Final = "sj:{sj:clock}:needs"
RECORDS: Final = "sj:{players}:record"
TOKENS: Final = "sj:{players}:token"
HELD: Final = "sj:{players}:held"
GRANTS: Final = "sj:{players}:grant"
RECOVERIES: Final = "sj:{players}:recovery"
RECOVERY_GIVERS: Final = "sj:{players}:recovery-by"
IDENTITIES: Final = "sj:{players}:identity"
EVENTS: Final = "sj:events"
TEAM_EVENTS: Final = "sj:team-events"
GUESTS: Final = "sj:{players}:guest"
NOTIFY: Final = "sj:{players}:notify"
OUTBOX: Final = "sj:{players}:outbox"
LOOKS: Final = "sj:looks"
HERE: Final = "sj:{players}:here"
REPORTS: Final = "sj:{players}:report"
REPORT_ORDER: Final = "sj:{players}:reports"
REPORT_MARKS: Final = "sj:{players}:report-marks"
DEEDS: Final = "sj:{players}:deeds"
DOORS: Final = "sj:{players}:doors"
ORIGIN_KEY: Final = "sj:{players}:origin-key"
TICKET_OF: Final = "sj:{quick}:of"
TICKETS: Final = "sj:{quick}:tickets"
WAITING: Final = "sj:{quick}:waiting"
MATCH_OF: Final = "sj:{quick}:in"
MATCHES_DUE: Final = "sj:{quick}:due"


class TableKeys(NamedTuple):
    """The keys and the channel of a table, in the order that all scripts expect."""

    head: str
    log: str
    old: str
    due: str
    lobby: str
    long: str
    owed: str
    watch: str
    notify: str
    live: str


def _tags_of(number: int) -> tuple[str, ...]:
    """Return the hash tags of the buckets, one in each of as many equal ranges of slots, to balance the nodes."""
    if number == USUAL_BUCKETS:
        # The tags of all earlier releases.
        return tuple(f"b{bucket:02d}" for bucket in range(number))
    tags: dict[int, str] = {}
    for candidate in count():
        tag = f"b{candidate:02d}"
        tags.setdefault(key_slot(tag.encode()) * number // REDIS_CLUSTER_HASH_SLOTS, tag)
        if len(tags) == number:
            break
    return tuple(tags[bucket] for bucket in range(number))


#: See `use_buckets`.
_tags = _tags_of(USUAL_BUCKETS)


def use_buckets(number: int) -> None:
    """Set the number of buckets of this process, which must match the data (`connections/opening.py`)."""
    global _tags  # noqa: PLW0603 - set once, at the start of the process
    _tags = _tags_of(number)
    of_table.cache_clear()


def buckets() -> int:
    """Return the number of buckets."""
    return len(_tags)


def bucket_of(table: str) -> int:
    """Return the bucket of a table: 0 … `buckets()` - 1."""
    return crc32(table.encode()) % len(_tags)


def due(bucket: int) -> str:
    """Return the key of a bucket's due times."""
    return f"sj:{{{_tags[bucket]}}}:due"


def lobby(bucket: int) -> str:
    """Return the key of a bucket's share of the lobby."""
    return f"sj:{{{_tags[bucket]}}}:lobby"


def watch(bucket: int) -> str:
    """Return the key of a bucket's watchable tables."""
    return f"sj:{{{_tags[bucket]}}}:watch"


def watchers(table: str, code: str) -> str:
    """Return the key of the players who may watch a private table with a watch code."""
    return f"sj:{{{_tags[bucket_of(table)]}}}:{table}:watchers:{code}"


def code(code: str) -> str:
    """Return the key of the table that a code opens."""
    return f"sj:code:{code}"


def long(bucket: int) -> str:
    """Return the key of a bucket's tables with long logs."""
    return f"sj:{{{_tags[bucket]}}}:long"


def owed(bucket: int) -> str:
    """Return the key of a bucket's deadlines, untouched by claims."""
    return f"sj:{{{_tags[bucket]}}}:owed"


def notify(bucket: int) -> str:
    """Return the key of a bucket's tables whose players may have to be notified."""
    return f"sj:{{{_tags[bucket]}}}:notify"


def head(table: str) -> str:
    """Return the key of a table's version and snapshot."""
    return f"sj:{{{_tags[bucket_of(table)]}}}:{table}:head"


def log(table: str) -> str:
    """Return the key of a table's log."""
    return f"sj:{{{_tags[bucket_of(table)]}}}:{table}:log"


def old(table: str) -> str:
    """Return the key of a table's older events."""
    return f"sj:{{{_tags[bucket_of(table)]}}}:{table}:old"


def live(table: str) -> str:
    """Return the channel of a table."""
    return f"sj:{{{_tags[bucket_of(table)]}}}:{table}:live"


def table_of_channel(channel: str) -> str | None:
    """Return the table of a channel; None if it belongs to no table."""
    _, _, rest = channel.partition("}:")
    return rest.removesuffix(":live") or None


@lru_cache(maxsize=1_000)
def of_table(table: str) -> TableKeys:
    """Return all keys of a table."""
    bucket = bucket_of(table)
    return TableKeys(
        head(table),
        log(table),
        old(table),
        due(bucket),
        lobby(bucket),
        long(bucket),
        owed(bucket),
        watch(bucket),
        notify(bucket),
        live(table),
    )


def tables_of(player: str) -> str:
    """Return the key of the tables at which a player sits."""
    return f"sj:{{players}}:at:{player}"


def hosted_by(player: str) -> str:
    """Return the key of the tables that a player hosts."""
    return f"sj:{{players}}:host:{player}"


def past_games_of(player: str) -> str:
    """Return the key of the finished games that a player has played."""
    return f"sj:{{players}}:games:{player}"


def tokens_of(player: str) -> str:
    """Return the key of a player's tokens and recovery code."""
    return f"sj:{{players}}:own:{player}"


def inbox(player: str) -> str:
    """Return the key of the latest events of a player's account."""
    return f"sj:{{players}}:inbox:{player}"


def notices_of(player: str) -> str:
    """Return the key of a player's subscriptions and choices."""
    return f"sj:{{players}}:notices:{player}"


def sent(subscription: str) -> str:
    """Return the key of the deliveries of a subscription."""
    return f"sj:{{players}}:sent:{subscription}"


def over(delivery: str) -> str:
    """Key that says of a delivery that is not kept that it is over."""
    return f"sj:{{players}}:over:{delivery}"


def looks_of(process: str) -> str:
    """Return the key of the open streams of an API process."""
    return f"sj:looks:{process}"


def blocks_of(player: str) -> str:
    """Return the key of the players that a player has blocked."""
    return f"sj:{{players}}:block:{player}"


def friends_of(player: str) -> str:
    """Return the key of a player's friends and friend requests."""
    return f"sj:{{players}}:friend:{player}"


def invites_of(giver: str) -> str:
    """Return the key of the registration codes that a player has made, or operators."""
    return f"sj:{{players}}:invites:{giver}"


def invite(code_hash: str) -> str:
    """Return the key of a registration code, by its SHA-256."""
    return f"sj:{{players}}:invite:{code_hash}"


def origin(mark: str) -> str:
    """Return the key of the players who share an address or an identity, by its keyed hash."""
    return f"sj:{{players}}:origin:{mark}"


def origins_of(player: str) -> str:
    """Return the key of the keyed hashes that are kept of a player."""
    return f"sj:{{players}}:origins-of:{player}"


def match(match_id: str) -> str:
    """Return the key of a match."""
    return f"sj:{{quick}}:match:{match_id}"


def challenge(challenge_id: str) -> str:
    """Return the key of a challenge."""
    return f"sj:{{quick}}:challenge:{challenge_id}"


def seated(player: str) -> str:
    """Return the key of the table where a match has seated a player."""
    return f"sj:{{quick}}:seated:{player}"


def met(player: str) -> str:
    """Return the key of the last matches of a player."""
    return f"sj:{{quick}}:met:{player}"


def link(code_hash: str) -> str:
    """Return the key of a link code, by its SHA-256."""
    return f"sj:{{players}}:link:{code_hash}"


def app_grant(code_hash: str) -> str:
    """Return the key of a grant of an app, by the SHA-256 of its code."""
    return f"sj:{{players}}:app:{code_hash}"


def app_code(short_hash: str) -> str:
    """Return the key of the short code that a device shows, by its SHA-256."""
    return f"sj:{{players}}:app-code:{short_hash}"


def identities_of(player: str) -> str:
    """Return the key of the identities that a player has linked."""
    return f"sj:{{players}}:identities:{player}"


def sign_in(secret_hash: str) -> str:
    """Return the key of a pending sign-in, by the SHA-256 of its state or its code."""
    return f"sj:{{players}}:sign-in:{secret_hash}"


def app_spent(code_hash: str) -> str:
    """Return the key of the token for which the code of an app was used, by the SHA-256 of the code."""
    return f"sj:{{players}}:app-spent:{code_hash}"


def answer(scope: str, key: str) -> str:
    """Return the key of an answer, hashed since an idempotency key may have any length and characters."""
    return f"sj:answer:{hashlib.sha256(f'{len(scope)}:{scope}:{key}'.encode('utf-8', 'surrogatepass')).hexdigest()}"


def game(game_id: str) -> str:
    """Return the key of a finished game's record."""
    return f"sj:game:{game_id}"


def past_game(game_id: str) -> str:
    """Return the key of a finished game's list entry."""
    return f"sj:past:{game_id}"


def analysis(game_id: str, number: int) -> str:
    """Return the key of the analysis of a round."""
    return f"sj:analysis:{game_id}:{number}"


def par(game_id: str, number: int) -> str:
    """Return the key of the par of a round."""
    return f"sj:par:{game_id}:{number}"


def event(event_id: str) -> str:
    """Return the key of an event of equal deals."""
    return f"sj:{{event:{event_id}}}:head"


def event_entries(event_id: str) -> str:
    """Return the key of the entries of an event."""
    return f"sj:{{event:{event_id}}}:entries"


def event_board(event_id: str, number: int) -> str:
    """Return the key of the results of a board."""
    return f"sj:{{event:{event_id}}}:board:{number}"


def event_field(event_id: str) -> str:
    """Return the key of the AI results on the boards of an event."""
    return f"sj:{{event:{event_id}}}:field"


def event_standings(event_id: str) -> str:
    """Return the key of the standings of an event."""
    return f"sj:{{event:{event_id}}}:standings"


def event_play(event_id: str) -> str:
    """Return the key of the state of an event of teams."""
    return f"sj:{{event:{event_id}}}:play"


def directed_by(player: str) -> str:
    """Return the key of the events that a player directs."""
    return f"sj:{{players}}:directs:{player}"


def results(ruleset: str) -> str:
    """Return the key of the players' results in a ruleset."""
    return f"sj:{{results:{ruleset}}}:players"


def leaders(ruleset: str) -> str:
    """Return the key of a ruleset's leaderboard."""
    return f"sj:{{results:{ruleset}}}:leaders"


def course(ruleset: str, player: str) -> str:
    """Return the key of a player's rating history in a ruleset."""
    return f"sj:{{results:{ruleset}}}:course:{player}"


def event_marks(event: str) -> str:
    """Return the key that holds from where the players of an event play."""
    return f"sj:{{event:{event}}}:marks"


def meetings(ruleset: str, player: str) -> str:
    """Return the key that holds whom a player has met lately in rated games of a ruleset."""
    return f"sj:{{results:{ruleset}}}:met:{player}"


def settled(ruleset: str, game_id: str) -> str:
    """Return the key that marks a game as counted."""
    return f"sj:{{results:{ruleset}}}:settled:{game_id}"
