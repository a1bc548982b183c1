"""Version, limits and health of the service."""

from service.api.schemas import fields as f
from service.api.schemas.rulesets import Names
from service.game.state.levels import AI_LEVELS
from service.texts.settings import SETTINGS


class Limit(f.Contract):
    """A budget of requests."""

    name = f.text("Its name, as in the header `RateLimit`.", example="act")
    requests = f.integer("Its size, in `unit`.", example=6000)
    unit = f.extensible("What it counts.", ("requests", "seconds", "bytes"), example="requests")
    window_s = f.integer("Length of the window in seconds.", example=60)


class Limits(f.Contract):
    """Limits of the service."""

    max_body_bytes = f.integer("Maximum size of a request body.", example=65536)
    budgets = f.array(f.nested(Limit), "Budgets of requests.")
    host_tables = f.integer("Tables that a player may host at a time; null: any number.", nullable=True, example=30)


class AiLevel(f.Contract):
    """A level of AI players."""

    id = f.extensible("The name that tables use.", AI_LEVELS, example="hard")
    title = f.nested(Names, "Its name for people.")
    meaning = f.nested(Names, "How it plays, in one sentence.")


class TableSetting(f.Contract):
    """What a host sets besides options."""

    name = f.extensible("Its name.", tuple(SETTINGS), example="claims")
    meaning = f.nested(Names, "What it decides.")


class About(f.Contract):
    """Version, limits and time of the service."""

    name = f.text("Its name.", example="shengji-service")
    version = f.text("Its version.", example="0.1.0")
    api_versions = f.array(f.text(""), "Versions of the API: its base paths.", example=["v1"])
    languages = f.array(f.text(""), "Languages of its texts.", example=["en", "zh-Hans", "zh-Hant"])
    rulesets = f.array(f.text(""), "The available games.")
    ai_levels = f.array(f.nested(AiLevel), "Levels of AI players, from weak to strong.")
    limits = f.nested(Limits, "Limits.")
    sign_in = f.array(
        f.text(""), "Providers with which players can sign in (`/v1/sign-in/{provider}`).", example=["Google"]
    )
    registration = f.extensible(
        "Who may register. `open`: anybody; `invited`: whoever has a registration code; `closed`: nobody.",
        ("open", "invited", "closed"),
    )
    server_time = f.time("Now.")
    table_settings = f.array(f.nested(TableSetting), "What a host sets besides options.")


class Health(f.Contract):
    """The API is alive."""

    status = f.choice("Always.", "ok")


class ReadinessQuery(f.Contract):
    """What the answer is for."""

    for_ = f.choice(
        "Only whether this process can take requests.", "traffic", optional=True, data_key="for", named="ReadinessFor"
    )


class Readiness(f.Contract):
    """All parts of the service are available."""

    status = f.choice("Always.", "ok")
    checks = f.mapping("Part -> whether it is available.", f.flag(""))
    redis = f.mapping("Redis (`tables`, and `queues` if they have their own) -> `ok`: it takes writes.", f.text(""))
    processes = f.mapping("Role (`worker`, `searcher`, `clock`) -> processes with a recent heartbeat.", f.integer(""))
    waiting = f.mapping(
        "Queue (`people`, `ai`, `heavy`, `hint`, `search`, `practice`, `event`, `analysis`) -> waiting jobs; of "
        "`analysis`, the players whose analyses and pars wait.",
        f.integer(""),
    )
    overdue = f.integer("Tables overdue for more than 1.5 seconds.", 0, example=0)
    newer_release = f.text(
        "The release that some tables need: here they are answered with 503. null: this release understands all.",
        nullable=True,
        example=None,
    )
