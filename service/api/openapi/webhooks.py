"""`webhooks` of `openapi.yaml`: the requests that the service makes."""

from typing import Final

from service.api.openapi.operations import JsonObject, SchemaConverter
from service.api.schemas.notices import NOTICES

#: A tag of its own: openapi-generator files operations by tag, and of `paths` and `webhooks` it keeps only the latter.
TAG: Final = {
    "name": "Notices to webhooks",
    "description": "Requests that the service sends to the webhooks of players.",
}
_HEADERS: Final = {
    "webhook-id": "Id of the delivery, the same for all attempts: ignore one that you have seen.",
    "webhook-timestamp": "When this attempt was made, in seconds since the epoch. Refuse it after five minutes.",
    "webhook-signature": "`v1,` and the HMAC-SHA256 of id, timestamp and body, as standardwebhooks.com says; after a "
    "rotation there are two, separated by a space.",
}


def webhooks(converter: SchemaConverter) -> JsonObject:
    """Return a Path Item Object for each event."""
    return {event: {"post": _operation(event, converter)} for event in NOTICES}


def _operation(event: str, converter: SchemaConverter) -> JsonObject:
    schema = NOTICES[event]
    summary = " ".join((schema.__doc__ or "").split())
    words = event.replace("_", ".").split(".")
    return {
        "operationId": "receive" + "".join(word.capitalize() for word in words),
        "tags": [TAG["name"]],
        "summary": summary.partition(". ")[0].rstrip(".") + ".",
        "description": "Sent to webhooks with the format `standard`. Answer within ten seconds with a status of 200 to "
        "299; 410 switches the webhook off. Anything else is tried again after 5 s, 30 s, 2 min, 10 min, 1 h and 6 h, "
        "while it is still useful.",
        "security": [],
        "parameters": [
            {"name": name, "in": "header", "required": True, "description": about, "schema": {"type": "string"}}
            for name, about in _HEADERS.items()
        ],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": converter.resolve_nested_schema(schema)}},
        },
        "responses": {
            "2XX": {"description": "Accepted; for `webhook.verify` with the challenge in the body."},
            "4XX": {"description": "Not accepted; 410: send no more."},
        },
    }
