"""Transformations of schemas for `openapi.yaml`, for useful generated types in all languages."""

import copy
import json
from collections.abc import Mapping

from service.api.openapi.operations import Json, JsonObject, SchemaConverter, schema_reference
from service.api.schemas.fields import Variants


def split(schemas: dict[str, JsonObject], variants: Variants, converter: SchemaConverter) -> None:
    """Replace a schema by a choice of its variants.

    Each variant repeats all fields instead of referring to a shared part: most generators make a flat type of that, and
    nothing useful of a shared part.
    """
    base = schemas[variants.base.__name__]
    mapping: JsonObject = {}
    for tag, part in variants.parts.items():
        variant = copy.deepcopy(base)
        field = variant["properties"][variants.tag]
        del field["x-extensible-enum"]
        field.pop("examples", None)
        field["enum"] = [tag]
        if part is not None:
            about = variant["properties"][variants.part]["description"]
            variant["properties"][variants.part] = {"description": about, **converter.resolve_nested_schema(part)}
            variant["description"] = (part.__doc__ or "").strip()
        name = "".join(map(str.capitalize, tag.replace("-", "_").split("_"))) + variants.suffix
        schemas[name] = {**variant, **variants.marks.get(tag, {})}
        mapping[tag] = schema_reference(name)["$ref"]
    other = f"Other{variants.suffix}"
    field = base["properties"][variants.tag]
    del field["x-extensible-enum"]
    field.pop("examples", None)
    field["not"] = {"enum": [*variants.parts]}
    schemas[other] = {**base, "description": "One that later versions may add."}
    schemas[variants.base.__name__] = {
        "description": base["description"],
        "oneOf": [*({"$ref": reference} for reference in mapping.values()), schema_reference(other)],
        "discriminator": {"propertyName": variants.tag, "mapping": mapping},
    }


def open_answers(schemas: dict[str, JsonObject], requests: list[Json]) -> None:
    """Allow additional fields in answers, since later versions may add some, and no `default` in requests.

    Some generators refuse unknown fields unless the document allows them. Others make fields with a default required,
    so the default is in `x-default` and in the description.
    """
    of_requests = _referenced(schemas, requests)
    _name_any(schemas)
    for name, schema in schemas.items():
        if name in of_requests:
            _tell_defaults(schema)
        elif schema.get("properties"):
            schema["additionalProperties"] = True
        else:
            schema.pop("additionalProperties", None)


def _name_any(value: Json) -> None:
    """Write `true` for values of any type in an object; Go makes pointers of `{}`."""
    if isinstance(value, dict):
        if value.get("additionalProperties") == {}:
            value["additionalProperties"] = True
        value = [*value.values()]
    if isinstance(value, list):
        for entry in value:
            _name_any(entry)


def _referenced(schemas: Mapping[str, JsonObject], values: list[Json]) -> set[str]:
    """Return the names of the schemas that these values refer to, directly or indirectly."""
    names: set[str] = set()
    left = list(values)
    while left:
        value = left.pop()
        if isinstance(value, dict):
            name = value.get("$ref", "").rpartition("/")[2]
            if name and name not in names:
                names.add(name)
                left.append(schemas[name])
        if isinstance(value, dict | list):
            left.extend(value.values() if isinstance(value, dict) else value)
    return names


def _tell_defaults(schema: JsonObject) -> None:
    for field in schema.get("properties", {}).values():
        if "default" in field:
            field["x-default"] = field.pop("default")
            field["description"] = f"{field['description']} Default: `{_plain(field['x-default'])}`."


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)
