"""Describe the streams and webhooks of openapi.yaml in AsyncAPI: asyncapi.yaml (`make openapi`).

Both documents say the same: the messages of a channel follow from the operation with its stream, and their payloads are
schemas of openapi.yaml.
"""

import json
import re
from typing import Any, Final

import yaml

from scripts.client_models import DOCUMENT, ROOT
from service.api.openapi.document import to_yaml

FILE: Final = ROOT / "asyncapi.yaml"
HEAD: Final = "# Made by `make openapi` from openapi.yaml, which lies beside it. Do not edit.\n"
#: Path of a stream -> channel, and the schema of its events.
STREAMS: Final = {"/v1/tables/{table}/events": ("table", "Event"), "/v1/me/events": ("account", "AccountEvent")}
STREAM: Final = "text/event-stream"
WEBHOOKS: Final = "webhooks"
TRAIT: Final = "#/components/messageTraits/webhook"
FORMAT: Final = "application/vnd.oai.openapi+yaml;version=3.1.0"
ABOUT: Final = """\
What the service sends by itself: events of a table and of an account, as streams of server-sent events, and notices to
webhooks. Requests, and the schemas of all payloads, are in openapi.yaml.

The `data` of a server-sent event is the payload, and `id` the position after which a client resumes with
`Last-Event-ID`. What happens has the name of its message as `type`, and no field `event`; messages about the stream
have their name as `event`. A client ignores messages that it does not know.
"""

Value = dict[str, Any]


def message(name: str, reference: str, summary: str) -> Value:
    """Return a message whose payload is a schema of openapi.yaml; `reference`: its place there."""
    payload = {"schemaFormat": FORMAT, "schema": {"$ref": f"{DOCUMENT.name}{reference}"}}
    return {"name": name, **({"summary": summary} if summary else {}), "payload": payload}


def stream(path: str, events: str, document: Value) -> tuple[Value, dict[str, Value]]:
    """Return the channel of a stream, and its messages by name."""
    operation = document["paths"][path]["get"]
    schema = operation["responses"]["200"]["content"][STREAM]["schema"]
    schemas = document["components"]["schemas"]
    own = {name: part["$ref"] for name, part in schema["$defs"].items()}
    references = schemas[events]["discriminator"]["mapping"] | own
    channel: Value = {"address": path, "title": operation["summary"], "description": schema["description"]}
    parameters = {each["name"]: each for each in operation["parameters"] if each["in"] == "path"}
    if parameters:
        channel["parameters"] = {name: {"description": each["description"]} for name, each in parameters.items()}
    texts = {name: schemas[each.rpartition("/")[2]].get("description", "") for name, each in references.items()}
    return channel, {name: message(name, each, texts[name]) for name, each in references.items()}


def webhooks(document: Value) -> tuple[Value, dict[str, Value]]:
    """Return the channel of webhooks, and its messages by name."""
    operations = {name: each["post"] for name, each in document["webhooks"].items()}
    references = {
        name: each["requestBody"]["content"]["application/json"]["schema"]["$ref"] for name, each in operations.items()
    }
    about = "Requests to the address of a webhook (`POST /v1/me/webhooks`), with the name of the message as `type`."
    return {"address": None, "title": "Notices to webhooks", "description": about}, {
        name: message(name, reference, operations[name]["summary"]) | {"traits": [{"$ref": TRAIT}]}
        for name, reference in references.items()
    }


def headers(document: Value) -> Value:
    """Return the headers of all messages to webhooks."""
    [parameters] = {json.dumps(each["post"]["parameters"]) for each in document["webhooks"].values()}
    properties = {
        each["name"]: {**each["schema"], "description": each["description"]} for each in json.loads(parameters)
    }
    return {"headers": {"type": "object", "required": list(properties), "properties": properties}}


def asyncapi(document: Value) -> Value:
    """Return the description of streams and webhooks; `document`: openapi.yaml, parsed."""
    found = {name: stream(path, events, document) for path, (name, events) in STREAMS.items()}
    found[WEBHOOKS] = webhooks(document)
    channels: Value = {}
    messages: Value = {}
    for name, (channel, of_channel) in found.items():
        places = {each: f"{name}.{each}" for each in of_channel}
        messages |= {places[each]: value for each, value in of_channel.items()}
        references = {
            re.sub(r"\W", "_", each): {"$ref": f"#/components/messages/{place}"} for each, place in places.items()
        }
        channels[name] = {**channel, "messages": references}
    info = {"title": document["info"]["title"], "version": document["info"]["version"], "description": ABOUT}
    operations = {
        f"send_{name}": {"action": "send", "channel": {"$ref": f"#/channels/{name}"}, "summary": channel["title"]}
        for name, channel in channels.items()
    }
    return {
        "asyncapi": "3.0.0",
        "info": info,
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "messageTraits": {"webhook": headers(document)}},
    }


def text(document: Value) -> str:
    """Return asyncapi.yaml."""
    return to_yaml(asyncapi(document), HEAD)


if __name__ == "__main__":
    FILE.write_text(text(yaml.load(DOCUMENT.read_text(encoding="utf-8"), yaml.CSafeLoader)), encoding="utf-8")
