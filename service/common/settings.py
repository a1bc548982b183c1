"""Settings of all processes, read from environment variables at startup.

A variable has the name of its field in capitals: `PORT`, `REDIS_URL`, …
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final, NamedTuple, Self, TypeVar

#: The version of the service, defined only here. See `docs/releasing.md` on how to change it.
VERSION: Final = "0.3.0"


#: Schemes for one server, for servers found through sentinels, and for a cluster (`store.connections.topologies`).
_REDIS_SCHEMES: Final = (
    "redis",
    "rediss",
    "unix",
    "redis+sentinel",
    "rediss+sentinel",
    "redis+cluster",
    "rediss+cluster",
)


#: Kinds of processes that may be expected; `api` and `streams` are containers.
KINDS_OF_PROCESSES: Final = ("api", "streams", "worker", "searcher", "clock", "messenger")


class SettingsError(ValueError):
    """An environment variable has an invalid value."""


class Budget(NamedTuple):
    """The number of requests allowed in a time window; a `limit` of 0 means no limit."""

    limit: int
    window_s: int


class Operator(NamedTuple):
    """An operator by name, and the bearer token of this operator alone."""

    name: str
    token: str


class OidcProvider(NamedTuple):
    """An OpenID provider: its name in URLs and on buttons, its `iss`, and the service's client id and secret there."""

    name: str
    issuer: str
    client_id: str
    secret: str


def _budget(text: str) -> Budget:
    if text == "0":
        return Budget(0, 60)
    if not re.fullmatch(r"[1-9]\d{0,8}/[1-9]\d{0,5}", text):
        raise ValueError("an amount/seconds, e.g. 600/60, or 0 for no limit")
    limit, window = text.split("/")
    return Budget(int(limit), int(window))


@dataclass(frozen=True)
class _Number:
    """Reads a whole number within bounds."""

    low: int
    high: int

    def __call__(self, text: str) -> int:
        if not re.fullmatch(r"\d{1,12}", text) or not self.low <= int(text) <= self.high:
            raise ValueError(f"a whole number from {self.low} to {self.high}")
        return int(text)


def _one_of(*values: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text.lower() not in values:
            raise ValueError(f"one of {', '.join(values)}")
        return text.lower()

    return parse


def _origins(text: str) -> tuple[str, ...]:
    return tuple(part.strip().rstrip("/") for part in text.split(",") if part.strip())


def _redis(text: str) -> str:
    scheme = text.partition("://")[0]
    if text and scheme not in _REDIS_SCHEMES:
        raise ValueError(f"empty, or begin with one of {', '.join(f'{scheme}://' for scheme in _REDIS_SCHEMES)}")
    rest = text.partition("://")[2]
    addresses, _, path = rest.partition("/")
    if text and not rest:
        raise ValueError(f"followed by {'a path' if scheme == 'unix' else 'a host'}")
    if scheme != "unix" and not all(re.search(r"^[^:\]]*$|\]$|:\d+$", host) for host in _hosts(addresses)):
        raise ValueError("a URL whose ports are numbers")
    if bool(path) != (scheme.endswith("+sentinel")) and "+" in scheme:
        raise ValueError(f"{scheme}://host{'/service' if scheme.endswith('sentinel') else ', without a path'}")
    return text


def _redises(text: str) -> str:
    for url in _listed(text):
        _redis(url)
    return text


def _listed(text: str) -> list[str]:
    """Split a list of URLs. Commas also separate the hosts of a URL."""
    return [url for url in re.split(r"[,\s]+(?=[a-z+]+://)", text) if url]


def _numbers(text: str) -> tuple[int, ...]:
    if text and not re.fullmatch(r"[1-9]\d?(,[1-9]\d?)*", text):
        raise ValueError("numbers from 1 on, separated by commas, or empty")
    return tuple(sorted({int(number) for number in text.split(",") if number}))


def _turns(text: str) -> tuple[str, ...]:
    urls = tuple(part.strip() for part in text.split(",") if part.strip())
    if not all(re.fullmatch(r"turns?:[\w.-]+(:\d{1,5})?(\?transport=(udp|tcp))?", url, re.ASCII) for url in urls):
        raise ValueError("turn:host or turns:host, with a port and ?transport=udp or tcp if wanted; or empty")
    return urls


def _games(text: str) -> tuple[str, ...]:
    games = tuple(part.strip() for part in text.split(",") if part.strip())
    if not all(re.fullmatch(r"\w+:\d{1,2}", game) for game in games):
        raise ValueError("ruleset:players, separated by commas, e.g. shengji:4,zhaopengyou:6; empty for none")
    return games


def _processes(text: str) -> tuple[tuple[str, int], ...]:
    pairs = [part.strip().partition("=") for part in text.split(",") if part.strip()]
    if not all(kind in KINDS_OF_PROCESSES and re.fullmatch(r"\d{1,4}", number) for kind, _, number in pairs):
        raise ValueError(f"kind=number, separated by commas, with kinds {', '.join(KINDS_OF_PROCESSES)}; or empty")
    return tuple((kind, int(number)) for kind, _, number in pairs)


def _token(text: str) -> str:
    if text and not re.fullmatch(r"[\w.~+/=-]{16,200}", text, re.ASCII):
        raise ValueError("empty, or 16 to 200 letters, digits and _ . ~ + / = - (openssl rand -hex 32)")
    return text


def _operators(text: str) -> tuple["Operator", ...]:
    operators = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, token = part.partition("=")
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{0,19}", name, re.ASCII) or not token:
            raise ValueError("name=token, separated by commas; a name has up to 20 letters, digits and -")
        operators.append(Operator(name, _token(token)))
    if any(len({each[part] for each in operators}) < len(operators) for part in (0, 1)):
        raise ValueError("name=token, each name and each token once")
    return tuple(operators)


def _address(text: str) -> str:
    if text and not re.fullmatch(r"https?://[\w.-]+(:\d{1,5})?(/[\w./-]*)?", text, re.ASCII):
        raise ValueError("empty, or a URL with http:// or https:// and a host")
    return text.rstrip("/")


def _dsn(text: str) -> str:
    if text and not re.fullmatch(r"https?://[\w-]+@[\w.-]+(:\d{1,5})?(/[\w-]+)*/\d+", text, re.ASCII):
        raise ValueError("empty, or a DSN such as https://key@sentry.example.org/1")
    return text


def _contact(text: str) -> str:
    if text and not re.fullmatch(r"https://[!-~]+|mailto:[!-~]+@[!-~]+", text, re.ASCII):
        raise ValueError("empty, an https URL, or mailto: and an e-mail address")
    return text


def _vapid_key(text: str) -> str:
    if text and not re.fullmatch(r"[A-Za-z0-9_-]{43}", text, re.ASCII):
        raise ValueError("empty, or 43 characters of base64url (openssl rand 32 | basenc --base64url | tr -d =)")
    return text


def _subject(text: str) -> str:
    if text and not re.fullmatch(r"(https://|mailto:)\S+", text, re.ASCII):
        raise ValueError("empty, or begin with https:// or mailto:")
    return text


def _secret(text: str) -> str:
    if text and not re.fullmatch(r"whsec_[A-Za-z0-9+/]{32,86}={0,2}", text, re.ASCII):
        raise ValueError("empty, or whsec_ and base64 (echo whsec_$(openssl rand -base64 32))")
    return text


def _providers(text: str) -> tuple["OidcProvider", ...]:
    providers = []
    for part in re.split(r",\s*(?=[\w-]+=http)", text) if text else ():
        match = re.fullmatch(
            r"([A-Za-z][A-Za-z0-9-]{0,19})=(https://[\w.-]+(?::\d{1,5})?(?:/[\w./~-]*)?"
            r"|http://(?:127\.0\.0\.1|localhost)(?::\d{1,5})?(?:/[\w./~-]*)?)\|([!-{}~]{1,200})\|([!-{}~]{0,500})",
            part.strip(),
            re.ASCII,
        )
        if match is None:
            raise ValueError("name=issuer|id|secret, separated by commas; issuer: an https URL without ? and #")
        providers.append(OidcProvider(*match.groups()))
    if len({provider.name for provider in providers}) < len(providers):
        raise ValueError("name=issuer|id|secret, each name once")
    return tuple(providers)


def _hosts(addresses: str) -> list[str]:
    return addresses.rpartition("@")[2].split(",")


#: Setting, another one that it needs, and why.
_NEEDS: Final = (
    ("oidc_providers", "public_url", ": providers lead players back there"),
    ("push_relay_url", "push_relay_secret", ""),
    ("turn_urls", "turn_secret", "; it is the static-auth-secret of coturn"),
)

_Value = TypeVar("_Value")


def _setting(
    default: _Value,
    text: str,
    parse: Callable[[str], object] = str,
    *,
    secret: bool = False,
    compose: str | None = "",
    is_of_run: bool = False,
) -> _Value:
    """Return a field: the row of a setting, from which `make tables` writes the docs and `docker-compose.yml`.

    Args:
        default: its value if the variable is not set.
        text: what it means.
        parse: reads the variable.
        secret: whether errors do not show the value.
        compose: what `docker-compose.yml` gives to all containers; "": what is set outside; None: nothing.
        is_of_run: whether only `make run` reads it.
    """
    bounds = f"{parse.low:,} to {parse.high:,}" if isinstance(parse, _Number) else ""
    value = None if is_of_run else compose
    metadata = {"help": text, "parse": parse, "secret": secret, "bounds": bounds, "compose": value, "run": is_of_run}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Settings:
    """All settings, a row for each (`_setting`)."""

    host: str = _setting("127.0.0.1", "Address that the API listens on.", compose=None)
    port: int = _setting(8000, "Port that the API listens on.", _Number(1, 65535), compose=None)
    redis_url: str = _setting(
        "",
        "URL of the Redis for tables. Empty: `make run` starts one.",
        _redis,
        compose="${REDIS_URL:-redis://shengji:${REDIS_PASSWORD:?is not set; put it into .env (openssl rand -hex 32)}"
        "@redis:6379/0}",
    )
    queue_redis_url: str = _setting(
        "",
        "URL of the Redis for job queues; not a cluster. If there are several, separated by commas, each table "
        "uses one. Empty: same as `REDIS_URL`.",
        _redises,
    )
    serve_queues: tuple[int, ...] = _setting(
        (),
        "If there are several Redis for job queues: the numbers of those that a worker or searcher serves, such "
        "as 1,3. Empty: all, with a process for each.",
        _numbers,
    )
    expected: tuple[tuple[str, int], ...] = _setting(
        (),
        "How many processes of each kind you start, such as api=2,streams=2,worker=2,searcher=2,clock=2,"
        "messenger=1: alerts and `/readyz` tell if there are none, and an alert if there are fewer. Empty: only "
        "workers and clocks are missed, once all are gone.",
        _processes,
        compose="${EXPECTED:-api=2,streams=2,worker=2,searcher=2,clock=2,messenger=1}",
    )
    buckets: int = _setting(
        16,
        "Number of buckets into which tables are hashed, each a slot of a Redis cluster: about 16 per node. Only "
        "a backup and restore can change it.",
        _Number(16, 4_096),
    )
    api_workers: int = _setting(2, "Processes that serve the API.", _Number(1, 64), compose="${API_WORKERS:-1}")
    job_workers: int = _setting(
        1, "Processes of `make run` that run jobs: AI moves and timeouts.", _Number(1, 64), is_of_run=True
    )
    search_percent: int = _setting(
        100,
        "Percentage of its usual work that an AI player of a high level, a hint or an analysis does. Less suits a "
        "slow machine, and plays worse.",
        _Number(1, 100),
    )
    compiled: int = _setting(
        1,
        "Whether AI players use the compiled modules that `make compiled` or the image has made, for less CPU and the "
        "same moves: 0 or 1.",
        _Number(0, 1),
    )
    log_level: str = _setting(
        "info",
        "Lowest level that is logged: debug, info, warning or error.",
        _one_of("debug", "info", "warning", "error"),
    )
    log_format: str = _setting(
        "console",
        "Log format: console for people, json for machines.",
        _one_of("console", "json"),
        compose="${LOG_FORMAT:-json}",
    )
    data_dir: Path = _setting(
        Path("var"), "Folder for the data of the Redis that `make run` starts.", Path, is_of_run=True
    )
    alive_file: str = _setting(
        "", "File that a worker or clock touches with every heartbeat, for a health check.", compose=None
    )
    cors_origins: tuple[str, ...] = _setting(
        ("*",), "Allowed origins of web clients, separated by commas; * for any.", _origins
    )
    trusted_proxies: int = _setting(
        0,
        "Number of proxies in front of the API that set X-Forwarded-For, -Proto and -Host.",
        _Number(0, 10),
        compose="${TRUSTED_PROXIES:-1}",
    )
    max_body_bytes: int = _setting(65_536, "Largest request body, bytes.", _Number(1_024, 16_777_216))
    max_streams: int = _setting(
        0,
        "Most event streams and long polls per API process; 0 for as many as its descriptors allow.",
        _Number(0, 100_000),
    )
    player_streams: int = _setting(
        20,
        "Most event streams and long polls of a player per API process, not counting those that are ending.",
        _Number(1, 100_000),
    )
    operator_token: str = _setting(
        "",
        "Bearer token of operators, for `/metrics`, `/readyz` and `/v1/operator/…`. Empty: only this machine "
        "itself may read the first two, and nobody may use the last.",
        _token,
    )
    operator_tokens: tuple[Operator, ...] = _setting(
        (),
        "Operators by name, each with a token of their own, as name=token, separated by commas: their names stand "
        "beside what they do. Empty: only `OPERATOR_TOKEN`, which has no name.",
        _operators,
        secret=True,
    )
    registration: str = _setting(
        "open",
        "Who may register: open (anybody), invited (with a registration code) or closed (nobody). Operators can "
        "change it while the service runs.",
        _one_of("open", "invited", "closed"),
    )
    invites: int = _setting(
        5,
        "Registration codes that a player may make in 30 days while registration is invited; 0: only operators "
        "make them.",
        _Number(0, 100),
    )
    security_contact: str = _setting(
        "",
        "Where people report vulnerabilities, for `/.well-known/security.txt`: an https URL, or mailto: and an "
        "address. Empty: there is no such file.",
        _contact,
    )
    traces_url: str = _setting(
        "", "OTLP endpoint of a collector for traces, e.g. http://127.0.0.1:4318/v1/traces. Empty: no traces."
    )
    sentry_dsn: str = _setting(
        "",
        "Sentry DSN to which errors of the service are reported, e.g. https://key@sentry.example.org/1. Empty: none.",
        _dsn,
    )
    redis_memory_mb: int = _setting(
        1_024,
        "Memory limit of the Redis that `make run` starts, MB. When it is reached, writes are refused.",
        _Number(16, 1_048_576),
        is_of_run=True,
    )
    redis_appendfsync: str = _setting(
        "everysec",
        "When the Redis that `make run` starts writes to disk: everysec (every second), or always (before each "
        "answer).",
        _one_of("everysec", "always"),
        is_of_run=True,
    )
    append_replicas: int = _setting(
        0,
        "0, or the number of replicas of each Redis master: all of them must have an action before it is "
        "acknowledged; 503 if they do not within a second.",
        _Number(0, 5),
    )
    sleep_after_s: int = _setting(
        3_600,
        "Seconds after which a table sleeps, in a fraction of its space, if nobody acts or looks and nothing is due "
        "soon; 0: never. Releases before 0.4 cannot read sleeping tables.",
        _Number(0, 86_400),
    )
    only_streams: int = _setting(
        0,
        "1: this API process serves only streams and long polls, and does not count as a sign that players can act.",
        _Number(0, 1),
        compose="0",
    )
    host_tables: int = _setting(
        30,
        "Most tables, before or in a game, that a player may host at a time; 0 for any number.",
        _Number(0, 1_000_000),
    )
    ai_pace_ms: int = _setting(
        0, "Minimum time that AI players take for a move, whatever their table sets, ms.", _Number(0, 10_000)
    )
    record_days: int = _setting(
        365, "Days for which records of finished games are kept; 0 for no limit.", _Number(0, 36_500)
    )
    public_url: str = _setting(
        "",
        "URL at which players reach the service, for links in notices and for sign-in; webhooks must not lead there.",
        _address,
    )
    accept_loss: int = _setting(
        0,
        "1: a Redis that evicts data or keeps no append-only file is taken, and what it loses is lost; only for "
        "tests and development.",
        _Number(0, 1),
    )
    notify_private: int = _setting(
        0,
        "1: webhooks may lead into your own network, over http and to any port; only for tests and development.",
        _Number(0, 1),
    )
    notify_proxy: str = _setting(
        "",
        "HTTP proxy for requests to webhooks and push services, such as http://proxy:3128. It keeps them out of "
        "your own network.",
        _address,
    )
    vapid_private_key: str = _setting(
        "", "Key for Web Push: 32 random bytes as base64url. Empty: no Web Push; `make run` makes one.", _vapid_key
    )
    vapid_subject: str = _setting(
        "", "Contact for push services: https://… or mailto:… with an address. Empty: `PUBLIC_URL`.", _subject
    )
    oidc_providers: tuple[OidcProvider, ...] = _setting(
        (), "OpenID providers with which players may sign in; needs `PUBLIC_URL`. Empty: none.", _providers, secret=True
    )
    turn_urls: tuple[str, ...] = _setting(
        (),
        "TURN server by which people in rooms talk, as turn:host:port or turns:host:port, each with ?transport=udp or "
        "tcp if wanted, separated by commas. Empty: nobody talks.",
        _turns,
    )
    turn_secret: str = _setting(
        "", "Secret that the TURN server shares with the service (`static-auth-secret` of coturn).", _token, secret=True
    )
    push_relay_url: str = _setting("", "Relay for notices on phones (APNs, FCM). Empty: none.", _address)
    push_relay_secret: str = _setting("", "Secret that the relay checks: whsec_ and 24 to 64 bytes as base64.", _secret)
    daily_events: tuple[str, ...] = _setting(
        ("shengji:4", "zhaopengyou:6"),
        "Games with a daily event of equal deals, as ruleset:players. Empty: none.",
        _games,
    )
    bot_ladder: tuple[str, ...] = _setting(
        ("shengji:4",), "Games with a nightly event of equal deals for bots, as ruleset:players. Empty: none.", _games
    )
    limit_register: Budget = _setting(
        Budget(600, 3_600),
        "New players, tables, team events, sign-ins and device requests per IP address, as requests/seconds; 0 for "
        "no limit.",
        _budget,
    )
    limit_create: Budget = _setting(Budget(120, 3_600), "New tables, tokens and reports per player.", _budget)
    limit_chat: Budget = _setting(Budget(20, 60), "Chat messages per player.", _budget)
    limit_voice: Budget = _setting(Budget(240, 60), "Messages per player by which pages connect to talk.", _budget)
    limit_failed: Budget = _setting(
        Budget(60, 60), "Requests with an invalid token, ticket or code per IP address.", _budget
    )
    limit_act: Budget = _setting(Budget(6_000, 60), "Actions and other changes per player.", _budget)
    limit_read: Budget = _setting(Budget(6_000, 60), "Reads per player; expensive ones count as several.", _budget)
    limit_poll: Budget = _setting(
        Budget(3_000, 60),
        "Reads without news (304, empty polls) that a player has free; further ones count as reads.",
        _budget,
    )
    limit_hint: Budget = _setting(Budget(60, 60), "Requests for hints per player.", _budget)
    limit_analyse: Budget = _setting(
        Budget(1_200, 3_600),
        "Seconds of searchers for analyses and pars per player, as seconds/seconds; an analysis takes about 80.",
        _budget,
    )
    limit_oracle: Budget = _setting(Budget(1_200, 60), "Questions to the rule oracle per player.", _budget)
    limit_guess: Budget = _setting(
        Budget(300, 60),
        "Wrong codes of all addresses together, for each kind: link, recovery, device and sign-in codes, codes of "
        "tables. When it is used up, each address has five left for itself.",
        _budget,
    )
    limit_export: Budget = _setting(Budget(1, 86_400), "Exports of all data of a player.", _budget)
    limit_import: Budget = _setting(Budget(200, 86_400), "Imported games per player.", _budget)
    limit_keep: Budget = _setting(
        Budget(40_000_000, 86_400), "Bytes that a player stores for longer than minutes, as bytes/seconds.", _budget
    )
    limit_keep_address: Budget = _setting(
        Budget(100_000_000, 86_400), "Bytes that all players of an IP address store, as bytes/seconds.", _budget
    )

    @classmethod
    def from_env(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Read the settings; a field whose variable is not set has its default.

        Raises:
            SettingsError: a value is not valid. The message names the variable and the accepted values.
        """
        values = {}
        for setting in fields(cls):
            text = environ.get(setting.name.upper())
            if text is None:
                continue
            try:
                values[setting.name] = setting.metadata["parse"](text.strip())
            except ValueError as error:
                value = "" if setting.metadata["secret"] else f"={text!r}"
                raise SettingsError(f"{setting.name.upper()}{value}: must be {error}") from None
        settings = cls(**values)
        if any("+cluster:" in url for url in settings.queue_urls):
            raise SettingsError("QUEUE_REDIS_URL: must not be a cluster; set it if REDIS_URL names one")
        if len(set(settings.queue_urls)) < len(settings.queue_urls):
            raise SettingsError("QUEUE_REDIS_URL: must not name a Redis twice")
        if any(number > len(settings.queue_urls) for number in settings.serve_queues):
            raise SettingsError(f"SERVE_QUEUES: QUEUE_REDIS_URL names {len(settings.queue_urls)} Redis only")
        for name, needed, why in _NEEDS:
            if getattr(settings, name) and not getattr(settings, needed):
                raise SettingsError(f"{needed.upper()}: must be set if {name.upper()} is{why}")
        if any(each.token == settings.operator_token for each in settings.operator_tokens):
            raise SettingsError("OPERATOR_TOKENS: must not have the token of OPERATOR_TOKEN, which has no name")
        return settings

    @classmethod
    def for_processes(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Read the settings of a process that needs a running Redis, unlike `make run`, which starts one.

        Raises:
            SettingsError: see `from_env`; or `REDIS_URL` is missing or names no server.
        """
        settings = cls.from_env(environ)
        if not settings.redis_url:
            raise SettingsError(
                "REDIS_URL is not set: it must name the Redis of the tables, e.g. redis://127.0.0.1:6379/0 "
                "(`make run` starts one by itself)"
            )
        return settings

    @property
    def operators(self) -> tuple[Operator, ...]:
        """All operators; the one of `operator_token` has no name."""
        return (*((Operator("", self.operator_token),) if self.operator_token else ()), *self.operator_tokens)

    @property
    def queue_urls(self) -> tuple[str, ...]:
        """The URLs of the Redis servers of the job queues."""
        return tuple(_listed(self.queue_redis_url or self.redis_url))

    @property
    def served(self) -> tuple[int, ...]:
        """The numbers (from 1) of the job queues' Redis servers that a worker or searcher serves."""
        return self.serve_queues or tuple(range(1, len(self.queue_urls) + 1))
