"""What has changed in `openapi.yaml` since the last release that could break a client.

    python -m tools.compatibility

`docs/contract.md` (§6) promises that within a version of the API nothing is taken away: responses keep all their
fields, and requests that were accepted before still are. A necessary break, and an operation that becomes deprecated,
is noted in `CHANGELOG.md` under *Changed*, *Removed* or *Deprecated*, above the last release, by the name that this
module prints: `GET /v1/me`, `View.phase`.

The last release is the last commit that changed `VERSION` in `service/common/settings.py` (`docs/releasing.md`); git
keeps its document, so the repository needs no copy.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from harness.document import document, parsed

ROOT = Path(__file__).parents[1]
CHANGELOG = ROOT / "CHANGELOG.md"
#: The file with the version, and where it was before. A commit that only moves it does not change the version.
_SETTINGS = ("service/common/settings.py", "service/settings.py")
_VERSION = re.compile(r'^VERSION: Final = "(.+)"$', re.MULTILINE)

Json = Mapping[str, Any]
#: The name of what has changed, and how it has changed.
Break = tuple[str, str]
_NO_SCHEMA: Json = {}
#: More requests are refused when a value of the first grows, or one of the second shrinks.
_LOWEST = ("minimum", "minLength", "minItems")
_HIGHEST = ("maximum", "maxLength", "maxItems")


class Release(NamedTuple):
    """A release: its version and its document."""

    version: str
    document: Json


def last_commit(repository: Path = ROOT) -> str:
    """Return the commit of the last release before the working tree. Raises as `last_release`."""
    return _git(repository, "log", "-1", "-M", "--format=%H", f"-G{_VERSION.pattern}", "--", *_SETTINGS).strip()


def last_release(repository: Path = ROOT) -> Release:
    """Return the last release before the working tree.

    Raises:
        OSError, subprocess.CalledProcessError: no git, or no history.
    """
    commit = last_commit(repository)
    (version,) = _VERSION.findall(_git(repository, "grep", "-h", "^VERSION: Final = ", commit, "--", *_SETTINGS))
    return Release(version, parsed(_git(repository, "show", f"{commit}:openapi.yaml")))


def _git(repository: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=repository, capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout


def breaks(old: Json, new: Json) -> list[Break]:
    """Return what could break a client of the old document, without duplicates, sorted by name."""
    return sorted({*_Comparison(old, new).paths()})


def unnoted(breaks: list[Break], changelog: str, released: str) -> list[Break]:
    """Return the breaks that no section of the changelog for breaks names above this version."""
    newer = re.split(rf"^## {re.escape(released)}\b", changelog, maxsplit=1, flags=re.MULTILINE)[0]
    sections = re.findall(r"^### (?:Changed|Removed|Deprecated)\n(.*?)(?=^##|\Z)", newer, re.MULTILINE | re.DOTALL)
    noted = set(re.findall(r"`([^`]+)`", "\n".join(sections)))
    return [each for each in breaks if each[0] not in noted]


class _Comparison:
    """Compares two documents. `sent` distinguishes what clients send from what they receive."""

    def __init__(self, old: Json, new: Json) -> None:
        self._old = old
        self._new = new
        self._visited: set[tuple[str, str, bool]] = set()

    def paths(self) -> Iterator[Break]:
        for path, item in self._old["paths"].items():
            now = self._new["paths"].get(path, {})
            for method, operation in item.items():
                name = f"{method.upper()} {path}"
                if method not in now:
                    yield name, "is gone"
                else:
                    yield from self._operation(name, operation, now[method])
        for name, item in self._old.get("webhooks", {}).items():
            yield from self._webhook(f"webhook {name}", item, self._new.get("webhooks", {}).get(name))

    def _webhook(self, name: str, old: Json, new: Json | None) -> Iterator[Break]:
        """Compare what receivers get: headers and bodies are sent by the service."""
        if new is None:
            yield name, "is gone"
            return
        before, after = old["post"], new["post"]
        for header in before.get("parameters", []):
            if header["name"] not in {each["name"] for each in after.get("parameters", [])}:
                yield f"{name}?{header['name']}", "is gone"
        yield from self._contents(name, before["requestBody"]["content"], after["requestBody"]["content"], sent=False)

    def _operation(self, name: str, old: Json, new: Json) -> Iterator[Break]:
        if old["operationId"] != new["operationId"]:
            yield name, f"has another operationId: {new['operationId']}"
        if new.get("deprecated") and not old.get("deprecated"):
            yield name, "is deprecated"
        if old.get("security") == [] and new.get("security") != []:
            yield name, "needs a token"
        yield from self._parameters(name, old.get("parameters", []), new.get("parameters", []))
        yield from self._body(name, old.get("requestBody"), new.get("requestBody"))
        yield from self._answers(name, old["responses"], new["responses"])

    def _parameters(self, name: str, old: list[Json], new: list[Json]) -> Iterator[Break]:
        before = {(each["in"], each["name"]): each for each in old}
        after = {(each["in"], each["name"]): each for each in new}
        for key, parameter in before.items():
            if key not in after:
                yield f"{name}?{key[1]}", "is gone"
            else:
                yield from self._schema(f"{name}?{key[1]}", parameter["schema"], after[key]["schema"], sent=True)
        for key, parameter in after.items():
            if parameter.get("required") and not before.get(key, {}).get("required"):
                yield f"{name}?{key[1]}", "is required"

    def _body(self, name: str, old: Json | None, new: Json | None) -> Iterator[Break]:
        if new is None:
            if old is not None:
                yield name, "takes no body"
            return
        if new.get("required") and not (old or {}).get("required"):
            yield name, "needs a body"
        if old is not None:
            yield from self._contents(name, old["content"], new["content"], sent=True)

    def _answers(self, name: str, old: Json, new: Json) -> Iterator[Break]:
        for status in new.keys() - old.keys():
            if status < "400":
                yield name, f"answers with {status}"
        for status in old:
            if status not in new:
                if status < "400":
                    yield name, f"never answers with {status}"
                continue
            before, after = self._resolved(self._old, old[status]), self._resolved(self._new, new[status])
            for header in before.get("headers", {}).keys() - after.get("headers", {}).keys():
                yield name, f"answers {status} without the header {header}"
            yield from self._contents(name, before.get("content", {}), after.get("content", {}), sent=False)

    def _contents(self, name: str, old: Json, new: Json, *, sent: bool) -> Iterator[Break]:
        for media, content in old.items():
            if media not in new:
                yield name, f"has no {media}"
            else:
                yield from self._schema(name, content["schema"], new[media]["schema"], sent=sent)

    # --- schemas -------------------------------------------------------------------------------------------------

    def _resolved(self, document: Json, value: Json) -> Json:
        while "$ref" in value:
            node: Any = document
            for part in value["$ref"].removeprefix("#/").split("/"):
                node = node[part]
            value = {**node, **{key: entry for key, entry in value.items() if key != "$ref"}}
        return value

    def _schema(self, name: str, old: Json, new: Json, *, sent: bool) -> Iterator[Break]:
        (old, was_null), (new, is_null) = _without_null(old), _without_null(new)
        if (was_null and not is_null) if sent else (is_null and not was_null):
            yield name, "may not be null" if sent else "may be null"
        if "$ref" in old:
            name = old["$ref"].rpartition("/")[2]
            key = (old["$ref"], str(new.get("$ref", name)), sent)
            if key in self._visited:
                return
            self._visited.add(key)
        old, new = self._resolved(self._old, old), self._resolved(self._new, new)
        if "discriminator" in new:
            yield from self._variants(name, old, new, sent=sent)
        elif {"anyOf", "discriminator"} & {*old, *new}:
            if "discriminator" in old or old.get("anyOf") != new.get("anyOf"):
                yield name, "has another choice of schemas"
        else:
            yield from self._plain(name, old, new, sent=sent)

    def _plain(self, name: str, old: Json, new: Json, *, sent: bool) -> Iterator[Break]:
        """Compare schemas without variants: type, bounds, fields and parts."""
        if not _type_fits(old.get("type"), new.get("type"), sent=sent):
            yield name, f"is {new.get('type', 'anything')}, was {old.get('type', 'anything')}"
            return
        yield from ((name, text) for text in _values(old, new, sent=sent))
        yield from self._object(name, old, new, sent=sent)
        for part in ("items", "additionalProperties"):
            before, after = old.get(part), new.get(part)
            if isinstance(before, dict):
                yield from self._schema(name, before, after if isinstance(after, dict) else _NO_SCHEMA, sent=sent)

    def _variants(self, name: str, old: Json, new: Json, *, sent: bool) -> Iterator[Break]:
        """Compare the variants of each tag; if the old document has none, its one schema stands for all tags."""
        tag, now = new["discriminator"]["propertyName"], new["discriminator"]["mapping"]
        mapping = old.get("discriminator", {}).get("mapping", {})
        known = mapping or self._resolved(self._old, old["properties"][tag]).get("x-extensible-enum", ())
        if lost := sorted({*known} - {*now}):
            yield f"{name}.{tag}", f"has no {', '.join(lost)}"
        for value in (each for each in known if each in now):
            before = self._resolved(self._old, {"$ref": mapping[value]} if mapping else _of_type(old, value, self._old))
            after = self._resolved(self._new, {"$ref": now[value]})
            variant = now[value].rpartition("/")[2] if mapping else name
            yield from self._object(variant, _untagged(before, tag), _untagged(after, tag), sent=sent)

    def _object(self, name: str, old: Json, new: Json, *, sent: bool) -> Iterator[Break]:
        before, after = old.get("properties", {}), new.get("properties", {})
        required, needed = set(old.get("required", ())), set(new.get("required", ()))
        for field, schema in before.items():
            if field in after:
                yield from self._schema(f"{name}.{field}", schema, after[field], sent=sent)
            elif not sent or new.get("additionalProperties") is False:
                yield f"{name}.{field}", "is gone"
        for field in needed - required if sent else (required - needed) & after.keys():
            yield f"{name}.{field}", "is required" if sent else "may be left out"
        if sent and new.get("additionalProperties") is False and old.get("additionalProperties") is not False:
            yield name, "takes no other fields"


def _untagged(variant: Json, tag: str) -> Json:
    return {**variant, "properties": {name: each for name, each in variant["properties"].items() if name != tag}}


def _of_type(schema: Json, value: str, document: Json) -> Json:
    """Return the schema of one type in release 0.2.0, where `x-data-by-type` named a schema with all types."""
    properties = dict(schema["properties"])
    for name, each in properties.items():
        if "x-data-by-type" in each:
            by_type = document["components"]["schemas"][each["x-data-by-type"]["$ref"].rpartition("/")[2]]
            properties[name] = by_type["properties"][value]
    return {**schema, "properties": properties}


def _without_null(schema: Json) -> tuple[Json, bool]:
    """Return a schema without null, and whether null is allowed."""
    choice = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(choice) != 1:
        return schema, False
    return {**{key: entry for key, entry in schema.items() if key != "anyOf"}, **choice[0]}, True


def _type_fits(old: Any, new: Any, *, sent: bool) -> bool:
    wide, narrow = (new, old) if sent else (old, new)
    return wide in (None, narrow) or (wide, narrow) == ("number", "integer")


def _values(old: Json, new: Json, *, sent: bool) -> Iterator[str]:
    """Yield how the constraints on single values have changed."""
    before, after = old.get("enum"), new.get("enum")
    known, offered = set(old.get("x-extensible-enum", ())), set(new.get("x-extensible-enum", ()))
    values = after or offered
    if values and (lost := sorted({*map(str, before or known)} - {*map(str, values)})):
        yield f"has no {', '.join(lost)}"
    if sent:
        if after is not None and before is None:
            yield "takes certain values only"
        yield from _limits(old, new)
    elif before is not None and (after is None or {*map(str, after)} - {*map(str, before)}):
        yield "has more values"
    elif known and not offered and after is None:
        yield "tells no values"
    binding = new if sent else old
    yield from (
        f"has another {key}" for key in ("pattern", "format") if key in binding and new.get(key) != old.get(key)
    )


def _limits(old: Json, new: Json) -> Iterator[str]:
    """Yield which limits and defaults of a value that is sent have changed."""
    for keyword in (*_LOWEST, *_HIGHEST):
        limit, was = new.get(keyword), old.get(keyword)
        if limit is not None and (was is None or (limit > was if keyword in _LOWEST else limit < was)):
            yield f"has {keyword} {limit}"
    before, now = (each.get("default", each.get("x-default")) for each in (old, new))
    if now != before and before is not None:
        yield f"has the default {now}"


def main() -> int:
    """Print what could break a client; return the exit status: 1 if the changelog does not name all of it."""
    release = last_release()
    changes = breaks(release.document, document())
    missing = unnoted(changes, CHANGELOG.read_text(encoding="utf-8"), release.version)
    for name, text in changes:
        print(f"{name} {text}" + (" (not in CHANGELOG.md)" if (name, text) in missing else ""))
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
