"""The key space: every key and channel of the store in Redis, a row for each.

A row names the key and says what lies there, what limits it, and whether export, erasure, backup and the rights of an
account know it (`rows.Key`). From the rows follow the functions below, the table in `docs/architecture.md` (`make
tables`), what a backup leaves out, and what goes with a player. A new key is a new row, and what reads and writes it.

All keys of a table, and the indexes of its bucket, have the bucket's hash tag. So on a cluster a script finds them on
one node, and tables are spread over as many slots as there are buckets. `{players}` is one slot.
"""

import hashlib
import re
from functools import lru_cache
from typing import Final, NamedTuple

from service.store.keys.rows import (
    KEYS,
    USUAL_BUCKETS,
    Key,
    Personal,
    bucket_of,
    buckets,
    by_bucket,
    by_number,
    by_one,
    by_table,
    by_table_and_one,
    by_two,
    fixed,
    set_buckets,
)

__all__ = ["KEYS", "USUAL_BUCKETS", "Key", "Personal", "bucket_of", "buckets"]

_NOT_PERSONAL: Final = Personal(None, False, "not personal")
_OF_TABLE: Final = Personal(None, False, "of a table, which the player has left; goes with the table")
_HASHES: Final = Personal(None, True, "only hashes of secrets; what they stand for is exported as `tokens`")
_WAITING: Final = Personal(None, False, "while the player waits for a game: minutes; ends with the account")
_NOTHING: Final = Personal(None, False, "a channel; nothing is kept")


def _exported(member: str) -> Personal:
    return Personal(member, True)


def _erased(why: str) -> Personal:
    return Personal(None, True, why)


def _left(why: str) -> Personal:
    return Personal(None, False, why)


# --- tables -----------------------------------------------------------------------------------------------------------

head = by_table(
    "sj:{bNN}:<table>:head",
    "hash",
    "`v` version, `s` snapshot without `o`, `o` options and settings, `c` checksum of both, `q` the queue of its jobs; "
    "with subscribers `n`, the delay between an append and the look for notices (ms), and `k`, the last look; `r` the "
    "release that its events need, if later than 0.3. Of a sleeping table `v` is below zero, and `s` has all of it, "
    "compressed: also log, `old` and orders, which are not there",
    "expires with the table: a day, in a game a week, after it two days after the last event",
    _OF_TABLE,
)
log = by_table(
    "sj:{bNN}:<table>:log",
    "stream",
    "the latest events, ids `<seq>-0`, one field `e1`",
    "expires with the table",
    _OF_TABLE,
)
old = by_table(
    "sj:{bNN}:<table>:old",
    "stream",
    "the events before those, in compressed chunks, ids `<seq of the last>-0`, one field `c1`",
    "expires with the table",
    _OF_TABLE,
)
orders = by_table(
    "sj:{bNN}:<table>:orders",
    "hash",
    "standing orders at a table that takes days: seat → orders, whose they are and in which game; `<seat>:acts` → the "
    "latest acts; `<seat>:acting` → until when they may be about to act (ms)",
    "2 KB and 30 acts of a seat; expires 180 days after they were last set or read",
    _OF_TABLE,
)
due = by_bucket(
    "sj:{bNN}:due",
    "sorted set",
    "table → when it is due (ms): at its deadline, or when a lease ends",
    "",
    _NOT_PERSONAL,
)
owed = by_bucket(
    "sj:{bNN}:owed", "sorted set", "table → its deadline (ms), untouched by leases: what is overdue", "", _NOT_PERSONAL
)
lobby = by_bucket("sj:{bNN}:lobby", "sorted set", "table → since when it is listed (ms)", "", _NOT_PERSONAL)
watch = by_bucket("sj:{bNN}:watch", "sorted set", "table → since when it may be watched (ms)", "", _NOT_PERSONAL)
watchers = by_table_and_one(
    "sj:{bNN}:<table>:watchers:<code>",
    "set",
    "players who may watch a private table with this watch code",
    "expires a week after the last watcher came",
    _left("of a table; expires a week after the last watcher came"),
)
code = by_one(
    "sj:code:<code>",
    "string",
    "the table that a join code or a watch code opens",
    "expires a week after its last use",
    _NOT_PERSONAL,
)
long = by_bucket(
    "sj:{bNN}:long", "set", "tables whose log has events that the clock is to move to `old`", "", _NOT_PERSONAL
)
notify = by_bucket(
    "sj:{bNN}:notify",
    "sorted set",
    "table → when to look whether somebody is to be notified (ms); only tables with subscribers",
    "",
    _NOT_PERSONAL,
)

# --- accounts ---------------------------------------------------------------------------------------------------------

RECORDS: Final = fixed("sj:{players}:record", "hash", "player → record", "", _exported("player"), ())
TOKENS: Final = fixed(
    "sj:{players}:token",
    "hash",
    "SHA-256 of a token with all rights, for ever → player",
    "20 tokens of a player",
    _HASHES,
    ("token",),
)
HELD: Final = fixed(
    "sj:{players}:held",
    "hash",
    "player → SHA-256 of one of these, the only one that releases before 0.3 replace",
    "",
    _HASHES,
    ("token",),
)
GRANTS: Final = fixed(
    "sj:{players}:grant",
    "hash",
    "SHA-256 of a token → its id, player, name, scopes and times",
    "20 tokens of a player",
    _exported("tokens"),
    ("token",),
)
tokens_of = by_one(
    "sj:{players}:own:<player>",
    "hash",
    "id of a token of the player → its SHA-256; `recovery` → that of the recovery code",
    "20 tokens",
    _exported("has_recovery_code"),
    ("token",),
)
RECOVERIES: Final = fixed(
    "sj:{players}:recovery", "hash", "SHA-256 of a recovery code → player", "", _HASHES, ("recovery_code",)
)
RECOVERY_GIVERS: Final = fixed(
    "sj:{players}:recovery-by",
    "hash",
    "player → id of the token that made the recovery code, and when (ms)",
    "",
    _erased("what made the recovery code; `GET /v1/me/rights` shows it"),
    ("recovery_code",),
)
link = by_one(
    "sj:{players}:link:<sha256>",
    "string",
    "SHA-256 of the token with which this link code was made",
    "expires within five minutes",
    _left("the hash of a token; expires within five minutes, void before"),
    ("link_code",),
)
app_grant = by_one(
    "sj:{players}:app:<sha256>",
    "string",
    "what an app is granted or asks for, by the SHA-256 of its code: its id, scopes, redirect URI, and SHA-256 of the "
    "token of the player who grants it",
    "expires within ten minutes",
    _left("the hash of a token; expires within ten minutes, void before"),
    ("app_code", "device_code"),
)
app_code = by_one(
    "sj:{players}:app-code:<sha256>",
    "string",
    "SHA-256 of the code of the device that shows this short code",
    "expires within ten minutes",
    _left("not personal; expires within ten minutes"),
    ("device_code",),
)
app_spent = by_one(
    "sj:{players}:app-spent:<sha256>",
    "string",
    "player and token for which this code of an app was used",
    "expires within ten minutes",
    _left("ids of player and token; expires within ten minutes"),
    ("token",),
)
IDENTITIES: Final = fixed(
    "sj:{players}:identity",
    "hash",
    "SHA-256 of an identity at an OpenID provider (`iss` and `sub`) → player",
    "",
    _erased("only hashes; exported as `identities`"),
    ("identity",),
)
identities_of = by_one(
    "sj:{players}:identities:<player>",
    "hash",
    "SHA-256 of an identity of the player → provider, issuer, since when",
    "at most 10",
    _exported("identities"),
    ("identity",),
)
sign_in = by_one(
    "sj:{players}:sign-in:<sha256>",
    "string",
    "a sign-in under way, by the SHA-256 of its state or of its code",
    "expires within a quarter of an hour",
    _left("the hash of an identity; expires within a quarter of an hour"),
    ("sign_in",),
)
GUESTS: Final = fixed(
    "sj:{players}:guest",
    "sorted set",
    "player without a finished game → when last heard of (ms, to the day)",
    "a week each",
    _exported("guest_last_seen_at"),
    (),
)

# --- players ----------------------------------------------------------------------------------------------------------

past_games_of = by_one(
    "sj:{players}:games:<player>",
    "sorted set",
    "finished game that the player has played → when it ended (ms)",
    "at most 2,000; expires with the last of their records",
    _exported("games"),
    (),
)
past_rounds_of = by_one(
    "sj:{players}:rounds:<player>",
    "sorted set",
    "a round that the player has finished, as it is listed → when it was over (ms)",
    "at most 300; expires 400 days after the last",
    _exported("rounds"),
    (),
)
tables_of = by_one(
    "sj:{players}:at:<player>",
    "sorted set",
    "table → since when the player sits there (ms)",
    "at most 200; expires after 180 days without a look",
    _exported("tables"),
    (),
)
hosted_by = by_one(
    "sj:{players}:host:<player>",
    "sorted set",
    "table → since when the player hosts it (ms)",
    "expires 180 days after the last",
    _exported("hosted"),
    (),
)
# Names of other players are not kept there: they are read from `record`.
inbox = by_one(
    "sj:{players}:inbox:<player>",
    "stream",
    "the latest events of the player's account, ids `<seq>-0`, one field `n1`, without names of other players",
    "at most 500; expires a week after the last",
    _exported("events"),
    (),
)
notices_of = by_one(
    "sj:{players}:notices:<player>",
    "hash",
    "id of a subscription → subscription; `<id>:health` → its health; `choice` → the player's choices; `seq` → the "
    "last event of the inbox that was handled",
    "5 webhooks, and the devices",
    _exported("notices"),
    ("webhook", "device"),
)
NOTIFY: Final = fixed(
    "sj:{players}:notify",
    "sorted set",
    "player → when to look whether something in the inbox is to be sent (ms)",
    "",
    _erased("whose inbox is to be looked at; what is in it is exported as `events`"),
    (),
)
OUTBOX: Final = fixed(
    "sj:{players}:outbox",
    "sorted set",
    "`<subscription>/<delivery>` → when it is to be sent (ms)",
    "",
    _left("ids without content; goes when its time comes, unsent"),
    ("webhook",),
)
sent = by_one(
    "sj:{players}:sent:<subscription>",
    "hash",
    "id → delivery: those that wait, and the last 50 of a webhook",
    "at most 70; expires a week after the last",
    _exported("webhooks"),
    ("webhook",),
)
over = by_one(
    "sj:{players}:over:<delivery>",
    "string",
    "a delivery that is not kept is over, and must not be sent again",
    "expires within two minutes",
    _left("the hash of a notice; expires within two minutes"),
    (),
)
OPEN_STREAMS: Final = fixed(
    "sj:looks",
    "sorted set",
    "process of the API with streams → its last sign of life (ms)",
    "expires within a minute",
    _NOT_PERSONAL,
    is_saved=False,
)
open_streams_of = by_one(
    "sj:looks:<process>",
    "set",
    "`<table> <player>` whose stream the process has open",
    "expires within a minute",
    _left("whose streams are open, which erasure ends; expires within a minute"),
    is_saved=False,
)
blocks_of = by_one(
    "sj:{players}:block:<player>",
    "sorted set",
    "whom the player has blocked → since when (ms)",
    "at most 200",
    _exported("blocked"),
    (),
)
friends_of = by_one(
    "sj:{players}:friend:<player>",
    "hash",
    "other → `friend`, `asked` (by the player) or `asks`, and since when (ms)",
    "200 friends and asked, and 200 who ask",
    _exported("friends"),
    (),
)
HERE: Final = fixed(
    "sj:{players}:here",
    "sorted set",
    "player who follows a table or the account → when that was last noted (ms)",
    "half a minute each",
    _erased("when the player was last there, for half a minute"),
    (),
)

# --- circles, which players call rooms --------------------------------------------------------------------------------

circle = by_one(
    "sj:circle:<circle>",
    "hash",
    "`c` a room: its name, rules, members and links; `h` what has been played there",
    "expires 400 days after its last use",
    _exported("rooms"),
)
circle_link = by_one(
    "sj:circle-link:<code>",
    "string",
    "the room that a link opens, for those who play or for those who watch",
    "expires with the room",
    _NOT_PERSONAL,
)
circles_of = by_one(
    "sj:{players}:circles:<player>",
    "sorted set",
    "room to which the player belongs → since when (ms)",
    "at most 30; expires 400 days after a look",
    _exported("rooms"),
    (),
)

# --- clubs ------------------------------------------------------------------------------------------------------------

club = by_one(
    "sj:club:<club>",
    "hash",
    "`c` a club: its name, description, members, requests and link",
    "expires 400 days after its last change",
    _exported("clubs"),
)
club_link = by_one(
    "sj:club-link:<code>",
    "string",
    "the club that a link opens",
    "expires with the club",
    _NOT_PERSONAL,
)
CLUBS: Final = fixed(
    "sj:clubs",
    "sorted set",
    "club that everybody finds → its place in the list, by size",
    "",
    _NOT_PERSONAL,
)
club_tables = by_one(
    "sj:club-tables:<club>",
    "sorted set",
    "table of a club → since when (ms)",
    "at most 100, 50 after each new one; expires a week after the last",
    _NOT_PERSONAL,
)
club_events = by_one(
    "sj:club-events:<club>",
    "sorted set",
    "event of teams of a club → since when (ms)",
    "the latest 200; expires 400 days after the last",
    _NOT_PERSONAL,
)
club_seasons = by_one(
    "sj:club-seasons:<club>",
    "hash",
    "season of a club → its name, and what counts in it",
    "at most 12; expires with the club",
    _NOT_PERSONAL,
)
club_season = by_one(
    "sj:club-season:<season>",
    "hash",
    "event of teams in a season → who has played it, by ids, and with what result, compressed",
    "at most 100; expires with the club",
    Personal("clubs", False, "ids and places, without names; nothing tells whose the id of a deleted player was"),
)
clubs_of = by_one(
    "sj:{players}:clubs:<player>",
    "sorted set",
    "club to which the player belongs or asks to belong → since when (ms)",
    "at most 30; expires 400 days after a look",
    _exported("clubs"),
    (),
)

# --- deals that players have sent -------------------------------------------------------------------------------------

deal_link = by_one(
    "sj:deal:<code>",
    "hash",
    "`l` a deal that a player has sent: its secrets, and the lines of who has played it; `f` results of AI players",
    "expires 30 days after it was sent",
    _exported("deal_links"),
)
deal_links_of = by_one(
    "sj:{players}:deals-sent:<player>",
    "sorted set",
    "code of a link with which the player has sent a deal → when it expires (ms)",
    "at most 20; expires 30 days after the last",
    _exported("deal_links"),
    (),
)
deals_entered_by = by_one(
    "sj:{players}:deals-entered:<player>",
    "sorted set",
    "code of a link whose deal the player has opened → when it expires (ms)",
    "expires 30 days after the last",
    _exported("deal_links"),
    (),
)

# --- riddles ----------------------------------------------------------------------------------------------------------

RIDDLE_ROUNDS: Final = fixed(
    "sj:{riddles}:rounds",
    "sorted set",
    "analysed round `<game>/<n>` from which riddles may be cut → when to look at it (ms)",
    "at most 1,000",
    _left("ids of games, until they are looked at: a week after the last event of a game at most"),
)
RIDDLE_PACE: Final = fixed(
    "sj:{riddles}:pace", "string", "a round has just been looked at", "expires within minutes", _NOT_PERSONAL
)
RIDDLES: Final = fixed(
    "sj:{riddles}:riddle",
    "hash",
    "riddle → its position and plays, compressed, which tell nothing of whose it is",
    "at most 400, of 30 days",
    _left("positions that name nobody; those of an account's rounds are dropped with it"),
)
RIDDLE_SOURCES: Final = fixed(
    "sj:{riddles}:sources",
    "hash",
    "riddle → the round that it was cut from, and who sat there",
    "as the riddles",
    _erased("ids; the rounds are exported as `rounds`"),
)
RIDDLE_ORDER: Final = fixed(
    "sj:{riddles}:order", "sorted set", "riddle → when it was made (ms)", "as the riddles", _NOT_PERSONAL
)
RIDDLE_ANSWERS: Final = fixed(
    "sj:{riddles}:answers",
    "hash",
    "`<riddle>/<play>` → how many people have chosen the play first",
    "as the riddles",
    _NOT_PERSONAL,
)
riddles_of = by_one(
    "sj:{players}:riddles:<player>",
    "hash",
    "riddle → what the player has answered first, and when (ms)",
    "3 a day; expires 31 days after the last",
    _exported("riddles"),
    (),
)

# --- operators, and who may come in -----------------------------------------------------------------------------------

REPORTS: Final = fixed(
    "sj:{players}:report",
    "hash",
    "report of a player, an event or a team → its content, with what was said",
    "at most 1,000",
    Personal("reports", False, "for operators, until there are 1,000 newer ones: a report outlives both"),
    (),
)
REPORT_ORDER: Final = fixed(
    "sj:{players}:reports", "sorted set", "report → when it was made last (ms)", "as the reports", _NOT_PERSONAL, ()
)
REPORT_MARKS: Final = fixed(
    "sj:{players}:report-marks",
    "hash",
    "report → who made it, and what it is about",
    "as the reports",
    _left("ids of who reported whom, as long as the report"),
    (),
)
OBJECTIONS: Final = fixed(
    "sj:{players}:objection",
    "hash",
    "`<player>/<game>/<round>/<seq>` → objection of the player to a play of an AI player, and its position, compressed",
    "at most 1,000, 50 of a player",
    _exported("objections"),
    (),
)
OBJECTION_ORDER: Final = fixed(
    "sj:{players}:objections",
    "sorted set",
    "objection → when it was made (ms)",
    "as the objections",
    _erased("ids; exported as `objections`"),
    (),
)
OBJECTION_MARKS: Final = fixed(
    "sj:{players}:objection-marks",
    "hash",
    "objection → player and game",
    "as the objections",
    _erased("ids; exported as `objections`"),
    (),
)
DEEDS: Final = fixed(
    "sj:{players}:deeds",
    "stream",
    "what operators did, one field `d`",
    "at most 2,000",
    _left("what operators did, by id, until there are 2,000 newer ones"),
    (),
)
DOORS: Final = fixed(
    "sj:{players}:doors",
    "hash",
    "blocked network → block; `registration` → who may register; each process of the API has a copy",
    "1,000 blocks",
    _left("not personal, unless an operator blocks a single address"),
    (),
)
invites_of = by_one(
    "sj:{players}:invites:<giver>",
    "sorted set",
    "SHA-256 of a registration code that a player, or operators, have made → until when it counts (ms)",
    "`INVITES` of a player, 500 of operators; expires with the last",
    _left("hashes; void with the account; expires within 30 days"),
    (),
)
invite = by_one(
    "sj:{players}:invite:<sha256>",
    "hash",
    "`d` a registration code, by its SHA-256, and `left`, how many players may still register with it",
    "expires when it counts no more",
    _left("`GET /v1/me/registration-codes` shows it; void with the account; expires within 30 days"),
    (),
)
ORIGIN_KEY: Final = fixed(
    "sj:{players}:origin-key",
    "string",
    "key of the two next rows",
    "expires a week after the last note",
    _left("not personal; expires a week after the last note"),
    (),
)
origin = by_one(
    "sj:{players}:origin:<mark>",
    "sorted set",
    "player → when last heard of from there (ms), by a keyed hash of an address or an identity",
    "at most 200; expires within a week",
    _left("ids under a keyed hash; expires within a week"),
    (),
)
origins_of = by_one(
    "sj:{players}:origins-of:<player>",
    "sorted set",
    "keyed hash of an address or an identity of the player → when last (ms)",
    "at most 20; expires within a week",
    _left("keyed hashes that say nothing alone; expire within a week"),
    (),
)

# --- quick play -------------------------------------------------------------------------------------------------------

TICKET_OF: Final = fixed("sj:{quick}:of", "hash", "player who waits for a game → ticket", "", _WAITING)
TICKETS: Final = fixed("sj:{quick}:tickets", "hash", "ticket → its content", "", _WAITING)
WAITING: Final = fixed(
    "sj:{quick}:waiting", "sorted set", "ticket without a match → since when it waits (ms)", "", _WAITING
)
MATCH_OF: Final = fixed("sj:{quick}:in", "hash", "ticket → its match; empty: none", "", _WAITING)
MATCHES_DUE: Final = fixed("sj:{quick}:due", "sorted set", "match → when to look at it (ms)", "", _WAITING)
match = by_one(
    "sj:{quick}:match:<match>",
    "hash",
    "`m` the match, `n` how many people it has, `c:<player>` who has confirmed",
    "",
    _WAITING,
)
seated = by_one(
    "sj:{quick}:seated:<player>",
    "string",
    "the table where a match has seated the player",
    "expires within a minute",
    _left("expires within a minute; ends with the account"),
)
challenge = by_one(
    "sj:{quick}:challenge:<challenge>",
    "hash",
    "`c` a challenge, and `a`, its answer",
    "expires within ten minutes, for a game of days within four days",
    _left("ids of who challenged whom; expires within ten minutes, for a game of days within four days"),
)
met = by_one(
    "sj:{quick}:met:<player>",
    "list",
    "the last two matches of the player, with their people",
    "expires within a day",
    _left("ids of who was matched; expires within a day, ends with the account"),
)

# --- requests and games -----------------------------------------------------------------------------------------------

_answer = by_one(
    "sj:answer:<sha256>",
    "string",
    "the lock of a request that creates something, or its answer, for retries",
    "expires within a day",
    _left("what a request was answered, under a hash; expires within a day"),
    ("stream_ticket",),
)
game = by_one(
    "sj:game:<game>",
    "string",
    "record of a finished game, compressed",
    "expires after `RECORD_DAYS`",
    Personal("games", False, "of all who played; shows a deleted player without name; expires"),
)
past_game = by_one(
    "sj:past:<game>",
    "string",
    "how a finished game appears in the lists of its players",
    "expires with its record",
    Personal("games", False, "as the record, with which it expires"),
)
analysis = by_number(
    "sj:analysis:<game>:<n>",
    "string",
    "analysis of round n of a game, compressed",
    "expires with its record, or in a week if it has none yet",
    _left("of seats, without names; expires with the game"),
)
par = by_number(
    "sj:par:<game>:<n>",
    "string",
    "what AI players scored in round n of a game",
    "expires with its record, or in a week if it has none yet",
    _NOT_PERSONAL,
)

# --- events of equal deals --------------------------------------------------------------------------------------------

EVENTS: Final = fixed("sj:events", "sorted set", "event of equal deals → when it opens (ms)", "", _NOT_PERSONAL)
event = by_one(
    "sj:{event:<event>}:head",
    "string",
    "the event with the secrets of its boards",
    "expires `RECORD_DAYS` after the event",
    _NOT_PERSONAL,
)
event_entries = by_one(
    "sj:{event:<event>}:entries",
    "hash",
    "player → name and time of the entry",
    "expires with the event",
    _exported("boards"),
)
event_board = by_number(
    "sj:{event:<event>}:board:<n>",
    "hash",
    "player, or room of a match → result of board n",
    "expires with the event",
    _exported("boards"),
)
event_field = by_one(
    "sj:{event:<event>}:field",
    "hash",
    "`<board>:<deal>` → results of AI players",
    "expires with the event",
    _NOT_PERSONAL,
)
event_marks = by_one(
    "sj:{event:<event>}:marks",
    "hash",
    "player → keyed hashes of address and browser, as JSON; `key` → their key",
    "expires within a week",
    _erased("hashes that say nothing without each other; expire within a week"),
)
event_comments = by_one(
    "sj:{event:<event>}:comments",
    "hash",
    "player who comments or has commented → the comments, as JSON",
    "expires with the event",
    _exported("comments"),
)
event_standings = by_one(
    "sj:{event:<event>}:standings",
    "string",
    "the standings of an event of single players, once it is over",
    "expires with the event",
    _erased("made of entries and results, which are exported"),
)
TEAM_EVENTS: Final = fixed("sj:team-events", "sorted set", "event of teams → when it was made (ms)", "", _NOT_PERSONAL)
TEAM_ROUNDS: Final = fixed(
    "sj:team-rounds",
    "sorted set",
    "event of teams with a round that is not scored → when a clock examines it (ms)",
    "",
    _NOT_PERSONAL,
)
event_progress = by_one(
    "sj:{event:<event>}:play",
    "string",
    "of an event of teams: the teams, the rounds and the director's rulings",
    "expires with the event",
    _exported("boards"),
)
directed_by = by_one(
    "sj:{players}:directs:<player>",
    "sorted set",
    "event of teams that the player directs, or has directed → until when it counts (ms)",
    "expires with the last",
    _exported("directed"),
    (),
)

# --- results ----------------------------------------------------------------------------------------------------------

results = by_one("sj:{results:<ruleset>}:players", "hash", "player → result", "", _exported("results"))
leaders = by_one(
    "sj:{results:<ruleset>}:leaders",
    "sorted set",
    "player → rating on one day, the same for all",
    "",
    _exported("results"),
)
course = by_two(
    "sj:{results:<ruleset>}:course:<player>",
    "list",
    "when a rated game of the player ended, and the rating then",
    "at most 200",
    _exported("ratings"),
)
meetings = by_two(
    "sj:{results:<ruleset>}:met:<player>",
    "string",
    "JSON, other player → how many rated games together, and the last (ms)",
    "expires 30 days after the last",
    _erased("made of the games, which are exported; expires"),
)
settled = by_two(
    "sj:{results:<ruleset>}:settled:<game>", "string", "the game has been counted", "expires in 30 days", _NOT_PERSONAL
)

# --- how cards were dealt ---------------------------------------------------------------------------------------------

deals = by_number(
    "sj:{deals:<ruleset>}:<players>",
    "hash",
    "`<seat or kind of player>:<measure>:<value>` → how many hands of finished rounds had it",
    "some hundred counters",
    _NOT_PERSONAL,
)
deals_counted = by_two(
    "sj:{deals:<ruleset>}:counted:<game>",
    "string",
    "the deals of the game have been counted",
    "expires in 30 days",
    _NOT_PERSONAL,
)

# --- the store itself -------------------------------------------------------------------------------------------------

BUCKETS: Final = fixed(
    "sj:buckets",
    "string",
    "how many buckets the tables are sorted into; a process with another setting does not start",
    "",
    _NOT_PERSONAL,
    is_saved=False,
)
#: In the slot of the clock: a process that starts while another node hangs does not ask that one.
NEEDS: Final = fixed(
    "sj:{sj:clock}:needs",
    "set",
    "the releases after 0.3 that the events of some table have needed; a process of an earlier one tells at its start",
    "",
    _NOT_PERSONAL,
)
SLEEP_LOOK: Final = fixed(
    "sj:{sj:clock}:sleep",
    "string",
    "a clock has begun to look which tables may sleep; the others do not look until it expires",
    "expires within `SLEEP_AFTER_S`",
    _NOT_PERSONAL,
    is_saved=False,
)
CLOCK: Final = fixed(
    "sj:clock",
    "hash",
    "the clock of the service: `last`, the server's time when last read (ms), `ahead`, how far the service is ahead of "
    "it, `heard`, when the API last gave a sign of life, and `gaps`, the times without one",
    "",
    _NOT_PERSONAL,
)
#: Written to try whether Redis takes writes: on a cluster, at the two nodes that every request needs.
MARKS: Final = (
    fixed(
        "sj:{sj:clock}:mark",
        "string",
        "written to try whether Redis takes writes; the Redis of the queues have it too",
        "expires within a minute",
        _NOT_PERSONAL,
        is_saved=False,
    ),
    fixed(
        "sj:{players}:mark",
        "string",
        "the same, at the other node of a cluster that every request needs",
        "expires within a minute",
        _NOT_PERSONAL,
        (),
        is_saved=False,
    ),
)

# --- the Redis of the queues ------------------------------------------------------------------------------------------
# It may be that of the tables.

alive = by_one(
    "sj:alive:<role>",
    "sorted set",
    "process → its last heartbeat (ms)",
    "expires with the last",
    _NOT_PERSONAL,
    is_saved=False,
    is_of_queues=True,
)
job_counts = by_one(
    "sj:jobs:<queue>",
    "hash",
    "`<metric>:<bound>` → jobs in the histogram bucket up to so many seconds; `<metric>:sum` → seconds of all jobs; "
    "`reduced`, `failed` → moves of AI seats; of `notices`: `<carrier>:<outcome>` → attempts to tell somebody; of "
    "`backup`: `at` → when the last backup that was checked was begun (ms)",
    "",
    _NOT_PERSONAL,
    is_saved=False,
    is_of_queues=True,
)
ASKED: Final = fixed(
    "sj:asked",
    "sorted set",
    "client, told by its address, with a question about a round → seconds of searchers used",
    "at most 1,000",
    _left("addresses, while a question waits"),
    is_saved=False,
    is_of_queues=True,
)
ASKED_SECONDS: Final = fixed(
    "sj:asked-seconds",
    "hash",
    "`<kind> <players>` → seconds of a step, an average",
    "",
    _NOT_PERSONAL,
    is_saved=False,
    is_of_queues=True,
)
asked_hint = by_one(
    "sj:asked-hint:<client>",
    "string",
    "a hint has just been enqueued for the client",
    "expires within seconds",
    _left("an address; expires within seconds"),
    is_saved=False,
    is_of_queues=True,
)
asked_by = by_one(
    "sj:asked:<client>",
    "sorted set",
    "player with a question → seconds of searchers used",
    "at most 100; expires within a day",
    _left("ids, while a question waits; expires within a day"),
    is_saved=False,
    is_of_queues=True,
)
asked_of = by_two(
    "sj:asked:<client>:<player>",
    "list",
    "questions `<kind> <game> <round> <players>`",
    "at most 20; expires within a day",
    _left("questions about games, until they are answered; expires within a day"),
    is_saved=False,
    is_of_queues=True,
)

# --- channels ---------------------------------------------------------------------------------------------------------

live = by_table(
    "sj:{bNN}:<table>:live",
    "channel",
    "`<table> <version>` after each append; on a cluster a channel of the table's slot",
    "",
    _NOTHING,
)
REVOKED: Final = fixed(
    "sj:revoked", "channel", "`<player>` when a token becomes void or the record changes", "", _NOTHING
)
NEWS: Final = fixed(
    "sj:news",
    "channel",
    "`<player>` when the inbox or the list of tables has news; `<player> <token> <number>` when a stream of the "
    "account opens",
    "",
    _NOTHING,
)
SIGNALS: Final = fixed(
    "sj:signals",
    "channel",
    "`<player> <message>` from a page of a player to those of another, as JSON; kept nowhere",
    "",
    _NOTHING,
)

# --- what follows from the rows ---------------------------------------------------------------------------------------

#: Rows of what a check of a backup looks for.
TABLES: Final = KEYS["sj:{bNN}:<table>:head"]
#: Row of what only tables have that are awake.
LOGS: Final = KEYS["sj:{bNN}:<table>:log"]
GAMES: Final = KEYS["sj:game:<game>"]
PAST_GAMES: Final = KEYS["sj:past:<game>"]
#: Keys with all that is known of a player under their name, which go with the player.
_OF_PLAYER: Final = tuple(
    key.pattern.removesuffix("<player>")
    for key in KEYS.values()
    if re.fullmatch(r"sj:\{players\}:[^:]+:<player>", key.pattern) and key.personal.is_erased
)
_UNSAVED: Final = re.compile("|".join(key.matching().pattern for key in KEYS.values() if not key.is_saved))


def all_of(player: str) -> tuple[str, ...]:
    """Return the keys of the slot of players that belong to one player alone, and go with this player."""
    return tuple(f"{before}{player}" for before in _OF_PLAYER)


def is_saved(name: str) -> bool:
    """Return whether a key is part of a backup. One that is not known is."""
    return _UNSAVED.fullmatch(name) is None


def answer(scope: str, key: str) -> str:
    """Return the key of an answer, hashed since an idempotency key may have any length and characters."""
    return _answer(hashlib.sha256(f"{len(scope)}:{scope}:{key}".encode("utf-8", "surrogatepass")).hexdigest())


def table_of_channel(channel: str) -> str | None:
    """Return the table of a channel; None if it belongs to no table."""
    _, _, rest = channel.partition("}:")
    return rest.removesuffix(":live") or None


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


def use_buckets(number: int) -> None:
    """Set the number of buckets of this process, which must match the data (`connections/opening.py`)."""
    set_buckets(number)
    of_table.cache_clear()
