"""Convert the operations of openapi.yaml to a collection for API tools (Postman, Bruno, Insomnia)."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

METHODS: Final = ("get", "post", "put", "patch", "delete")
SCHEMA: Final = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
#: A script that puts the token of a registration into all other requests.
AFTER_REGISTERING: Final = "if (pm.response.code < 300) pm.collectionVariables.set('token', pm.response.json().token);"

Item = dict[str, Any]


def collection(document: Mapping[str, Any]) -> str:
    """Return the collection as JSON: a folder for each tag; `service` and `token` are its variables."""
    folders: dict[str, list[Item]] = {tag["name"]: [] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                folders[item[method]["tags"][0]].append(_request(path, method, item[method], document))
    texts = {tag["name"]: tag.get("description", "") for tag in document["tags"]}
    described = {
        "info": {
            "name": document["info"]["title"],
            "version": document["info"]["version"],
            "description": document["info"]["description"],
            "schema": SCHEMA,
        },
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}", "type": "string"}]},
        "variable": [{"key": "service", "value": "http://127.0.0.1:8000"}, {"key": "token", "value": ""}],
        "item": [{"name": name, "description": texts[name], "item": items} for name, items in folders.items() if items],
    }
    return json.dumps(described, ensure_ascii=False, indent=1) + "\n"


def _request(path: str, method: str, operation: Mapping[str, Any], document: Mapping[str, Any]) -> Item:
    parameters = [_resolved(each, document) for each in operation.get("parameters", ())]
    query = [_parameter(each) | {"disabled": not each.get("required")} for each in parameters if each["in"] == "query"]
    address = re.sub(r"\{(\w+)\}", r":\1", path)
    url: Item = {"raw": "{{service}}" + address, "host": ["{{service}}"], "path": address.strip("/").split("/")}
    url["variable"] = [_parameter(each) for each in parameters if each["in"] == "path"]
    url["query"] = query
    headers = [_parameter(each) | {"disabled": True} for each in parameters if each["in"] == "header"]
    request: Item = {"method": method.upper(), "header": headers, "url": url, "description": operation["description"]}
    if operation.get("security") == []:
        request["auth"] = {"type": "noauth"}
    if body := next(_bodies(operation), None):
        request["body"] = body
        headers.append({"key": "Content-Type", "value": body.pop("media_type")})
    item: Item = {"name": operation["summary"], "request": request, "response": []}
    if operation["operationId"] == "register":
        item["event"] = [{"listen": "test", "script": {"type": "text/javascript", "exec": [AFTER_REGISTERING]}}]
    return item


def _bodies(operation: Mapping[str, Any]) -> Iterator[Item]:
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        example = content.get("example", next((each["value"] for each in content.get("examples", {}).values()), {}))
        if media_type == "application/x-www-form-urlencoded":
            fields = [{"key": name, "value": str(value), "type": "text"} for name, value in example.items()]
            yield {"media_type": media_type, "mode": "urlencoded", "urlencoded": fields}
        else:
            text = example if isinstance(example, str) else json.dumps(example, ensure_ascii=False, indent=2)
            language = {"raw": {"language": "json" if "json" in media_type else "text"}}
            yield {"media_type": media_type, "mode": "raw", "raw": text, "options": language}


def _parameter(parameter: Mapping[str, Any]) -> Item:
    schema = parameter.get("schema", {})
    known = [*schema.get("examples", ()), schema.get("default"), *schema.get("enum", ())]
    value = parameter.get("example", next((each for each in known if each is not None), ""))
    return {"key": parameter["name"], "value": str(value), "description": parameter.get("description", "")}


def _resolved(value: Mapping[str, Any], document: Any) -> Mapping[str, Any]:
    if "$ref" not in value:
        return value
    for step in value["$ref"].removeprefix("#/").split("/"):
        document = document[step]
    return document  # type: ignore[no-any-return]
