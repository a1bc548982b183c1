"""What each generator of docs/clients.md makes of the document, by its own rules: names that meet, and what is dropped.

These are the rules that have lost operations or types before. The nightly run and `make clients` generate and compile.
"""

import keyword
import re
from collections import Counter

import pytest

from harness.document import document
from tools.clients.generators import ROWS, operations_without_a_name


def operations(part):
    return [operation for item in document()[part].values() for operation in item.values()]


def referenced(value, names=None):
    """Names of the schemas that a part of the document refers to, directly or not."""
    names = set() if names is None else names
    if isinstance(value, list):
        for each in value:
            referenced(each, names)
    elif isinstance(value, dict):
        name = str(value.get("$ref", "")).removeprefix("#/components/schemas/")
        if name in document()["components"]["schemas"] and name not in names:
            names.add(name)
            referenced(document()["components"]["schemas"][name], names)
        referenced(list(value.values()), names)
    return names


def pascal(name):
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", name))


def test_openapi_generator_keeps_the_operations_of_every_tag():
    """It files operations by tag, and of a tag in `paths` and `webhooks` it keeps only those of the latter."""
    tags = [{tag for operation in operations(part) for tag in operation["tags"]} for part in ("paths", "webhooks")]
    assert tags[0] & tags[1] == set()
    assert tags[0] | tags[1] == {tag["name"] for tag in document()["tags"]}


@pytest.mark.parametrize("spelled", [str, str.lower, pascal], ids=["as it is", "lower", "pascal"])
def test_no_two_operations_have_one_name(spelled):
    names = Counter(spelled(each["operationId"]) for part in ("paths", "webhooks") for each in operations(part))
    assert [name for name, times in names.items() if times > 1] == []


def test_oapi_codegen_is_told_to_keep_what_only_webhooks_use():
    """It refers to the bodies of `webhooks`, but prunes schemas that no path uses."""
    only = referenced(operations("webhooks")) - referenced(operations("paths"))
    [row] = [row for row in ROWS if row.name == "oapi-codegen"]
    assert only
    assert "skip-prune" in row.flags


def test_ogen_gives_schemas_and_security_schemes_different_names():
    parts = document()["components"]
    schemas = [schema.get("x-ogen-name", pascal(name)) for name, schema in parts["schemas"].items()]
    names = Counter([*schemas, *map(pascal, parts["securitySchemes"])])
    assert [name for name, times in names.items() if times > 1] == []


def test_no_parameter_whose_name_is_a_word_of_a_language_has_its_values_inline():
    """The Kotlin generator names a type after it, with escaped quotes: `&#x60;For&#x60;GetReadiness`."""
    words = {
        *keyword.kwlist,
        "fun",
        "interface",
        "null",
        "object",
        "package",
        "super",
        "this",
        "throw",
        "val",
        "var",
        "when",
    }
    parameters = [each for operation in operations("paths") for each in operation.get("parameters", [])]
    named = [each for each in parameters if each["name"] in words]
    assert named
    assert [each["name"] for each in named if "enum" in each["schema"]] == []


def test_no_schema_is_called_like_the_parameters_of_an_operation():
    """The TypeScript generator calls those of `block` `BlockRequest`."""
    named = {f"{pascal(each['operationId'])}Request" for part in ("paths", "webhooks") for each in operations(part)}
    assert named & document()["components"]["schemas"].keys() == set()


def test_every_operation_has_a_default_answer():
    assert [each["operationId"] for each in operations("paths") if "default" not in each["responses"]] == []


def test_an_operation_that_a_client_lacks_is_found(tmp_path):
    ids = [each["operationId"] for each in operations("paths")]
    lacking = "createWebhook"
    snake = [re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", each).lower() for each in ids if each != lacking]
    (tmp_path / "api.py").write_text("\n".join(f"def {name}(): ..." for name in snake))
    (tmp_path / "README.md").write_text(lacking)
    assert operations_without_a_name(tmp_path) == [lacking]
