"""The service itself."""

from service.api.schemas import fields as f


class Limit(f.Contract):
    """A budget of requests."""

    name = f.text("Its name, as in the header `RateLimit`.", example="act")
    requests = f.integer("How many requests.", example=6000)
    window_s = f.integer("In so many seconds.", example=60)


class Limits(f.Contract):
    """How much the service takes at once."""

    max_body_bytes = f.integer("Largest request body.", example=65536)
    budgets = f.array(f.nested(Limit), "What a player may ask for.")


class About(f.Contract):
    """What this service is."""

    name = f.text("Its name.", example="shengji-service")
    version = f.text("Its version.", example="0.1.0")
    api_versions = f.array(f.text(""), "The base paths that it serves.", example=["v1"])
    languages = f.array(f.text(""), "The languages that its texts are in.", example=["en", "zh-Hans"])
    rulesets = f.array(f.text(""), "The games that it knows.")
    limits = f.nested(Limits, "How much it takes at once.")
    server_time = f.time("Now.")


class Health(f.Contract):
    """The API answers."""

    status = f.choice("Always.", "ok")


class Readiness(f.Contract):
    """All parts of the service are there."""

    status = f.choice("Always.", "ok")
    checks = f.mapping("Part -> whether it is there.", f.flag(""))
    processes = f.mapping("Role (`worker`, `clock`) -> processes that gave a sign of life lately.", f.integer(""))
    waiting = f.mapping("Queue (`people`, `ai`) -> jobs that wait in it.", f.integer(""))
    overdue = f.integer("Tables to which something has been owed for more than 1.5 seconds.", 0, example=0)
