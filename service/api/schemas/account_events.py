"""Events of an account (docs/contract.md §9), made of their rows (`service.account_events`)."""

from collections.abc import Mapping
from typing import Final

from service.account_events.catalogue import ROWS
from service.api.schemas import fields as f
from service.api.schemas.events.envelope import EventQuery
from service.api.schemas.events.rows import schema_field
from service.api.schemas.players import MyTables
from service.api.streams.cursor import LONGEST, PATTERN
from service.game.events.fields import Field

_PLACE = "1795202978550.7h2kx5q2m4na~481"


def schema(name: str, about: str, fields: Mapping[str, Field]) -> type[f.Contract]:
    """Return a schema with fields of a row."""
    schema = f.Contract.from_dict({field: schema_field(row) for field, row in fields.items()}, name=name)
    schema.__doc__ = about
    return schema  # type: ignore[return-value]


def name_of(kind: str) -> str:
    """Return the beginning of the names of the schemas of a type of event."""
    return "".join(map(str.capitalize, kind.split("_")))


def _data() -> dict[str, type[f.Contract]]:
    """Return type -> schema of its `data`; types may share one."""
    schemas: dict[str, type[f.Contract]] = {}
    for kind, row in ROWS.items():
        name = row.schema or f"{name_of(kind)}Data"
        known = [each for each in schemas.values() if each.__name__ == name]
        schemas[kind] = known[0] if known else schema(name, row.about, row.fields)
    return schemas


#: Type -> schema of its `data`, in the order of the document.
ACCOUNT_EVENT_DATA: Final = _data()


class AccountEvent(f.Contract):
    """Something that concerns the caller. It names what to read, and never contains cards."""

    seq = f.integer("Its number, which grows; null: it is derived from a table and not stored.", nullable=True)
    type = f.extensible("What happened. Ignore types that you do not know.", ACCOUNT_EVENT_DATA, example="turn")
    at = f.time("When it happened; if derived from a table, when it was sent.")
    data = f.mapping("The details.", example={"table": "tb_7h2kx5q2m4na", "decision_id": "dc_481"})


ACCOUNT_EVENTS = f.Variants(AccountEvent, "type", "data", ACCOUNT_EVENT_DATA, "AccountEvent")


class AccountEventPage(f.Contract):
    """Events of the account, or the answer of a long poll."""

    snapshot = f.nested(
        MyTables, "The caller's tables, before the events; null: the request named a position.", nullable=True
    )
    reset = f.flag("Whether events after the position in the request are gone; then there is a `snapshot`.")
    events = f.array(f.nested(AccountEvent), "In order; empty if there are none.")
    next_after = f.text("Send it as `after` to get the next events.", example=_PLACE)
    server_time = f.time("Now, on the clock of all deadlines.")


class AccountEventQuery(EventQuery):
    """Which events of the account to read."""

    after = f.place(
        "Only events after this position: an `id` or a `next_after`; `0`: all that are kept.",
        PATTERN,
        LONGEST,
        optional=True,
    )


class AccountReset(f.Contract):
    """The `data` of `reset`, a message that events after the position in the request are gone."""

    after = f.text("The position from which the stream goes on; a `snapshot` follows.", example=_PLACE)


class AccountHeartbeat(f.Contract):
    """The `data` of `heartbeat`, a message that shows that the connection is alive."""

    server_time = f.time("Now, on the clock of all deadlines.")
    after = f.text("The position after the last event that was sent.", example=_PLACE)


class AccountEnd(f.Contract):
    """The `data` of `end`, the last message of a stream that ends on purpose. Close the `EventSource`."""

    reason = f.extensible(
        "`newer-stream`: the same token has opened another stream of the account. Otherwise the code of the problem "
        "that a new request would get.",
        ("newer-stream", "suspended", "too-many-streams", "unauthorized", "address-blocked"),
    )
    after = f.text("The position after the last event that was sent.", example=_PLACE)
