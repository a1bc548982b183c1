"""What a link, another page or a stranger can write is read only where it has been thought through.

Each table below says, for each place, who could have written what is read there and what it can do. A new place fails
a test until somebody has answered both questions and added it.
"""

import re
from collections import defaultdict
from pathlib import Path

from harness.client import CLIENT
from tools.clients.toolchain import ROOT

MODULES = [*sorted(CLIENT.glob("app/**/*.js")), CLIENT / "alone" / "worker.js", CLIENT / "service-worker.js"]

#: What reads or writes something outside of the module: addresses, storage, messages, requests, markup.
OUTSIDE = re.compile(
    r"\blocation\.\w+|\b(?:local|session)Storage\b|\bpostMessage\b|\bdocument\.(?:referrer|cookie|URL|baseURI|domain)\b"
    r'|addEventListener\("(?:message|storage|push|notificationclick)"|\bwindow\.(?:name|opener|parent|top|open|location)\b'
    r"|\bBroadcastChannel\b|\bcaches\b|\bhistory\.\w+|\bclipboard\.read\w*|\bBarcodeDetector\b|\bmediaDevices\b|\bopenWindow\b"
    r"|\binnerHTML\b|\bouterHTML\b|\binsertAdjacentHTML\b|\bdangerouslySetInnerHTML\b|\bsrcdoc\b|\bdocument\.write|\beval\("
    r"|\bnew Function\b|\bnew URL\(|\bfetch\(|\bWebSocket\b|\bEventSource\b|\bsendBeacon\b|\bXMLHttpRequest\b"
)
HASH = "location.hash"
#: Screens that only set the address: its text begins with `#/`, and its ids come from the service or a menu.
SETS_HASH = "sets the address to a screen of this page"
READ = {
    "alone/worker.js": {
        'addEventListener("message"': "a page of this origin: requests about its own tables in the page",
        "fetch(": "a file of this folder, by a constant",
        "location.href": "the worker's own address",
        "new URL(": "the worker's own folder",
        "postMessage": "to the page that has started it: its own tables",
    },
    "app/alone/alone.js": {HASH: SETS_HASH},
    "app/alone/files.js": {
        "caches": "this page: files of this origin that the service lists",
        "fetch(": "the list of these files, by a constant",
    },
    "app/api/account.js": {
        "localStorage": "this page, for one service; a person at the device. Tokens and codes go to that service alone",
        'addEventListener("storage"': "another tab of this page; read for the same service only",
    },
    "app/api/alone.js": {"postMessage": "to the worker of tables in the page: requests of this page, never a token"},
    "app/api/kept.js": {
        "caches": "the service worker; names only, to delete them",
        "postMessage": "to our own service worker: the token, which it sees in each request",
    },
    "app/api/network.js": {"fetch(": "the only request of the page; URLs begin with API, and redirects are errors"},
    "app/api/news.js": {HASH: SETS_HASH},
    "app/api/operator.js": {"sessionStorage": "this page in this tab, for one service; the token goes there alone"},
    "app/api/push.js": {
        'addEventListener("message"': "our own service worker: opens a screen, or renews the subscription",
        HASH: "sets the address to a screen: whatever it is, it is behind the #",
    },
    "app/api/quickplay.js": {
        "sessionStorage": "this page in this tab, for one service: the id of the player who looks for a game",
        HASH: "a link: reads the player's own ticket; sets the address to the table of a match",
    },
    "app/api/service.js": {
        "location.search": "a link: `api` chooses one of the services that the host of the page has listed, or nothing",
        "sessionStorage": "this page in this tab: a service; taken only if it is listed",
        "location.origin": "the browser; where the page comes from",
        "location.pathname": "a link, as far as the host answers with this page there: the page in links and "
        "in return_to, and the path of a service that has served it",
        "new URL(": "parses the two above; only http and https are origins",
    },
    "app/ui/dialog.js": {
        "history.pushState": "this page",
        "history.state": "this page: whether a dialog is open",
        "history.back": "closes a dialog",
    },
    "app/live/voice.js": {"mediaDevices": "the microphone, once the player has tapped; the browser asks"},
    "app/sitting/menu.js": {HASH: SETS_HASH},
    "app/sitting/door.js": {HASH: "what a person types there: the code of a room, encoded, behind the #"},
    "app/main.js": {
        HASH: "a link: the screen and its parameters (see PARAMETERS); parts cannot leave their place in a path",
        "location.reload": "loads the same page",
        "location.search": "another app or a link: a screen of a list, or the field for codes, filled; behind the #",
        "location.pathname": "this page, without what was asked of it",
        "history.replaceState": "this page, at that screen",
    },
    "app/sitting/again.js": {HASH: "a link: `from`, the screen of the button after a board; always behind the #"},
    "app/ui/host.js": {
        "new URL(": "shows the host of a listed service",
    },
    "app/operator/judged.js": {HASH: SETS_HASH},
    "app/people/person.js": {HASH: "a link: the table where somebody is reported, which the service checks"},
    "app/people/player.js": {HASH: "a link: the way back from a profile; always behind the #"},
    "app/operator/reports.js": {HASH: SETS_HASH},
    "app/account/signin.js": {HASH: "a link: the way on after signing in; always behind the #"},
    "app/account/comeback.js": {"location.replace": "a link: the screen after signing in; always behind the #"},
    "app/account/consent.js": {
        HASH: "an app: its request, which the service checks; a device code, which the player confirms",
        "location.replace": "the service: the redirect URI of the app, web or private scheme, after the answer",
    },
    "app/start/create.js": {HASH: SETS_HASH},
    "app/start/days.js": {HASH: SETS_HASH},
    "app/sitting/orders.js": {HASH: SETS_HASH},
    "app/sitting/seen.js": {HASH: SETS_HASH, "location.replace": "what has happened at a table; always behind the #"},
    "app/sitting/since.js": {"location.replace": "the table, if nothing has happened; always behind the #"},
    "app/start/doors.js": {HASH: SETS_HASH},
    "app/account/devices.js": {HASH: SETS_HASH},
    "app/events/event.js": {HASH: SETS_HASH},
    "app/deals/sentdeal.js": {HASH: SETS_HASH},
    "app/people/friends.js": {HASH: SETS_HASH},
    "app/people/pastgamespage.js": {HASH: SETS_HASH},
    "app/events/leaderboard.js": {HASH: SETS_HASH},
    "app/start/lobby.js": {HASH: SETS_HASH},
    "app/start/refused.js": {"location.pathname": "the page itself, without what was asked of it"},
    "app/review/replay.js": {
        "history.replaceState": "the address of the position that is shown",
        HASH: SETS_HASH,
    },
    "app/teamevents/teams.js": {HASH: SETS_HASH},
    "app/teams/arena.js": {HASH: SETS_HASH},
    "app/clubs/entry.js": {
        HASH: "the code of a club that was typed, encoded; always behind the #",
        "location.replace": "the club that was made or joined; always behind the #",
    },
    "app/clubs/season.js": {"location.replace": "the club of a season that was deleted; always behind the #"},
    "app/clubs/seasons.js": {HASH: "the season that was made, with ids of the service; always behind the #"},
    "app/clubs/settings.js": {"location.replace": "the list of clubs, after leaving"},
    "app/rooms/entry.js": {"location.replace": "the room that was made or joined; always behind the #"},
    "app/rooms/people.js": {"location.replace": "the start page, after leaving"},
    "app/rooms/table.js": {HASH: SETS_HASH},
    "app/account/ways.js": {
        HASH: "a link: a code, which is worth nothing without the verifier of this device, and the screen after it",
        "location.href": "to the service alone: the sign-in with a provider that it names",
        "location.replace": "the screen after signing in; always behind the #",
    },
    "app/texts/texts.js": {"location.search": "a link: `lang` chooses one of two languages"},
    "service-worker.js": {
        'addEventListener("message"': "a page of this origin: which caches of records are to be deleted",
        'addEventListener("notificationclick"': "a notice that this worker has shown: a screen of this page",
        'addEventListener("push"': "the service, encrypted to this browser: texts, and the id of a table or a room",
        "caches": "this worker: files of the page; records by the hash of their token",
        "fetch(": "requests that the page makes, and its own files, from this origin",
        "location.href": "the worker's own address",
        "location.origin": "the worker's own address",
        "new URL(": "requests of the page; files that its own files name, on this origin only",
        "openWindow": "a screen of this page; always behind the #",
        "postMessage": "to pages of this origin: the screen of a notice that was tapped",
    },
}

#: Parameters of addresses: what a link can do with each of them.
PARAMETERS = {
    "allows": "not from the address: an answer of the service, shown as text",
    "analysis": "opens the panel of the analysis, which only those who played may ask for",
    "api": "chooses one of the listed services",
    "at": "a step of a replay, as a number",
    "client": "not from the address: an answer of the service, shown as text",
    "code": "a code that somebody gives away: to sit down or watch, of a shared round, of a room; encoded",
    "from": "a screen to go back to, behind the #; in an invitation, a name shown as text",
    "game": "the game of an invitation: shown only if the catalogue has it",
    "hands": "shows all hands, where the service allows it",
    "shown": "a board of an event that is shown: its parts are encoded, and the service checks them",
    "lang": "one of two languages",
    "leads_to": "not from the address: an answer of the service, one of a few words",
    "name": "a name that the operator looks up; encoded",
    "of": "the number of players of an invitation, shown as text",
    "options": "options of which the rules are shown; checked by the service",
    "place": "not from the address: an answer of the service, shown as text",
    "place_reads": "not from the address: an answer of the service, shown as text",
    "players": "a number of players of which the rules are shown",
    "rated": "a filter; encoded",
    "refusal": "not from the address: an answer of the service, the redirect URI of an app",
    "ruleset": "a game; encoded, or compared with the catalogue",
    "scopes": "not from the address: an answer of the service, shown as text",
    "seat": "a seat, digits only",
    "seq": "the event of a step of a replay, as a number",
    "sign_in": "a code of the service, worth nothing without the verifier of this device",
    "sign_in_error": "one of four reasons",
    "status": "a filter; encoded",
    "table": "a table to go back to; encoded",
    "text": "another app: a link to one of a few screens, or a code for the field, which nobody sends by itself",
    "title": "like `text`",
    "to": "a screen to go on to, behind the #",
    "until": "a filter; encoded",
    "url": "like `text`",
    "user_code": "the code of a device, which the player compares and confirms",
    "with": "a player, as a filter; encoded",
}
#: Reads a parameter by its name.
NAMED = re.compile(r"(?<!\")\b(?:asked|invited)\??\.(\w+)(?!\w*\()|\.get\(\"(\w+)\"\)|const \{ ([\w, ]+) \} = asked\b")
#: Values called `asked` that are not parameters of an address.
NOT_ADDRESSES = {"app/round/suggest.js", "app/games/rules.js", "app/table/model.js"}

#: Links whose address does not begin with `#` in the text of the module -> why they lead nowhere else.
LINKS = {
    "${profileOf(": "begins with #/player/",
    '""': "the same page",
    "${`?${new URLSearchParams(": "this page with a listed service",
    "${location.pathname}": "this page",
    "${to + (my": "begins with #/replay/",
    "${`${to}?seat": "begins with #/replay/",
    "${from}": "given as #/…",
    "${href}": "given as #/…",
    "${replay(": "begins with #/replay/",
    "${tableOf(": "begins with #/table/",
    "${from ?? (table": "given as #/…",
    "${addressOf(to)}": "begins with #/",
    "${leads(asked.refusal)}": "web addresses and private schemes of apps",
    "${player === me ?": "both begin with #/",
    "${`${API}/docs": "the docs of the service",
    "${address}": "begins with #/table/",
    "${`style/${name}.css": "a file of this page, by a constant",
}
LINK = re.compile(r'\b(?:href|src|action|formaction|data)=("[^"]*"|\$\{[^\n]{0,80})')

#: Where the service makes an address of what a request says -> who writes that and what it can do.
SERVED = {
    "service/api/client_pages.py": "Location: a constant",
    "service/api/oauth.py": "Host, without PUBLIC_URL: URLs that the caller is told. The query of an app: behind the #",
    "service/api/openapi/document.py": "documents the fields of apps",
    "service/api/openapi/operations.py": "documents the headers",
    "service/api/resources/accounts.py": "Location: a path with an id of ours",
    "service/api/resources/admission.py": "Location: a path with an id of ours",
    "service/api/resources/calendars.py": "Location: a constant",
    "service/api/resources/challenges.py": "Location: a path with an id of ours",
    "service/api/resources/club_seasons.py": "Location: a path with an id of ours, of a club that was found",
    "service/api/resources/clubs.py": "Location: a path with an id of ours",
    "service/api/resources/deal_links.py": "Location: a path with a code of ours",
    "service/api/resources/identities.py": "return_to: a path here, or an origin of the settings, without `api`",
    "service/api/resources/past_games.py": "Link: only a query, encoded",
    "service/api/resources/players.py": "Location: a constant",
    "service/api/resources/records.py": "Location: a path with an id of ours",
    "service/api/resources/rooms.py": "Location: a path with an id of ours",
    "service/api/resources/tables.py": "Location: a path with an id of ours",
    "service/api/resources/team_events.py": "Location: a path with an id of ours",
    "service/api/resources/webhooks.py": "Location: a path with an id of ours",
    "service/api/schemas/apps.py": "an example",
    "service/apps/clients.py": "redirect_uri: https, loopback or a private scheme; its host is shown to the player",
    "service/apps/grants.py": "redirect_uri: compared with the one that the player has allowed",
    "service/apps/server.py": "redirect_uri: checked by clients.py before anything leads there",
    "service/sign_in/providers.py": "redirect_uri: our own callback below PUBLIC_URL",
    "service/sign_in/sign_ins.py": "return_to: checked here",
    "service/app.py": "X-Forwarded-Host: taken from as many proxies as the operator names, by default none",
}
MAKES_ADDRESSES = re.compile(
    r"\b(?:root_url|host_url|base_url|url_root|query_string|return_to|redirect_uri|x_host|url_for)\b|request\.(?:host|url)\b"
    r'|HTTP_HOST|X_FORWARDED_HOST|"Location"|\["Link"\]|\bredirect\('
)


def bare(path: Path) -> str:
    """Return a module without its comments."""
    return re.sub(r"/\*.*?\*/|(?<=\s)//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)


def name_of(path: Path) -> str:
    return path.relative_to(CLIENT).as_posix()


def test_the_page_reads_and_writes_outside_of_itself_only_where_it_is_listed():
    reads = {name_of(path): set(OUTSIDE.findall(bare(path))) for path in MODULES}
    assert {name: tokens for name, tokens in reads.items() if tokens} == {
        name: set(tokens) for name, tokens in READ.items()
    }


def test_the_page_reads_only_listed_parameters_of_an_address():
    reads = defaultdict(set)
    for path in MODULES:
        if name_of(path) in NOT_ADDRESSES:
            continue
        text = bare(path)
        for parameter, got, several in map(re.Match.groups, NAMED.finditer(text)):
            # Maps and headers have a `get`, too.
            read = [parameter, got if "URLSearchParams" in text else None, *(several or "").split(", ")]
            for name in filter(None, read):
                reads[name].add(name_of(path))
    assert set(reads) == set(PARAMETERS), dict(reads)


def test_every_link_leads_to_a_screen_of_the_page_or_is_listed():
    used = set()
    for path in MODULES:
        for [address] in map(re.Match.groups, LINK.finditer(bare(path))):
            if address.startswith(('"#', "${`#")):
                continue
            known = [each for each in LINKS if address.startswith(each)]
            assert known, f"{name_of(path)}: {address}"
            used.update(known)
    assert used == set(LINKS)


#: The way back in the head of a page, which becomes a link.
BACK = re.compile(r"<\$\{(?:PageBar|TopBar|PlayersPage)\}[^>]*? from=(\S+)")


def test_the_way_back_from_a_page_is_behind_the_hash():
    for path in MODULES:
        for address in BACK.findall(bare(path)):
            # The last two are checked where they are written.
            assert address.startswith(('"#/', "${`#/", "${asked.table", "${addressOf(", "${from}")), name_of(path)


def test_the_service_makes_addresses_of_requests_only_where_it_is_listed():
    rooms = [path for room in ("api", "apps", "sign_in") for path in (ROOT / "service" / room).rglob("*.py")]
    modules = [path for path in [ROOT / "service" / "app.py", *rooms] if MAKES_ADDRESSES.search(path.read_text())]
    assert {path.relative_to(ROOT).as_posix() for path in modules} == set(SERVED)
