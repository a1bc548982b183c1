"""Generated clients: generators accept the whole document without a warning, and the clients play."""

import json
import re
import shutil

import pytest

from harness.document import DOCUMENT, document
from tools.clients import generators
from tools.clients.toolchain import ROOT

PROGRAMS = ROOT / "tests" / "clients" / "programs"
#: What openapi-generator says about itself rather than about the document.
ABOUT_ITSELF = re.compile(r"OpenAPI 3\.1 support is still in beta|is considered deprecated")
LANGUAGES = ["kotlin", "swift6", "dart"]


@pytest.fixture
def parsed_by_generator(tools, tmp_path):
    """Returns what a generator complains about in a document, and the names of its models."""

    def parsed(document):
        # As JSON: the generator takes longer to read YAML than for all the rest.
        path = tmp_path / "openapi.json"
        path.write_text(json.dumps(document))
        description = json.loads(tools.run(tools.python, PROGRAMS / "parsed_by_generator.py", path))
        return description["errors"], description["models"]

    return parsed


def test_a_generator_finds_a_model_for_every_schema(parsed_by_generator):
    errors, models = parsed_by_generator(document())
    assert errors == []
    schemas = document()["components"]["schemas"]
    model_names = {name.lower() for name in models}
    assert [
        name for name, schema in schemas.items() if schema.get("properties") and name.lower() not in model_names
    ] == []


def test_a_generator_complains_about_two_models_of_one_name(parsed_by_generator):
    same = document()["components"]["schemas"]["Problem"]
    changed = document() | {"components": {"schemas": {"Problem": same, "problem": same}}, "paths": {}}
    errors, _ = parsed_by_generator(changed)
    assert "Problem" in "".join(errors)


@pytest.mark.nightly
@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("zhaopengyou", 6)])
def test_the_generated_python_client_plays_a_round(tools, python_client, service, ruleset, players):
    program = [
        "env",
        f"PYTHONPATH={python_client}",
        tools.python,
        PROGRAMS / "generated_player.py",
        service.url,
        ruleset,
        str(players),
    ]
    result = json.loads(tools.run(*program))
    assert result["seqs"] == list(range(1, len(result["seqs"]) + 1))
    assert result["actions"] >= 10
    assert {"round_opened", "trump_fixed", "discarded", "trick_won", "round_scored"} <= set(result["types"])
    assert result["cards_left"] == 0
    assert result["result"]["round"] == 1
    assert result["tables"]


@pytest.mark.nightly
def test_the_generated_python_client_can_be_imported_whole(tools, python_client):
    tried = tools.run(
        tools.python,
        "-c",
        "import importlib, pkgutil, sheng_ji_service_client as client\n"
        "modules = [each.name for each in pkgutil.walk_packages(client.__path__, client.__name__ + '.')]\n"
        "print(len([importlib.import_module(name) for name in modules]))\n",
        cwd=python_client,
    )
    schemas = document()["components"]["schemas"]
    assert int(tried) > len(schemas)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("go", "generates, compiles, plays, passes"),
        ("typescript-fetch", "generates, compiles, plays, passes"),
        ("openapi-python-client", "generates, plays, passes"),
    ],
)
def test_generated_clients_compile_and_play_and_pass_the_conformance_kit(tools, service, name, result):
    """The quick rows of `make clients`, which runs them all."""
    row = next(row for row in generators.ROWS if row.name == name)
    for program in {step.command[0] for step in row.steps} - generators.BUNDLED:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    does = generators.result_of(tools, row, service.url)
    # Without what the generated code needs to have removed.
    assert does.partition(";")[0] == result


@pytest.fixture(scope="module")
def said_by_generator(tools, tmp_path_factory):
    """Folder of the clients in these languages, and what openapi-generator says while it makes them."""
    folder = tmp_path_factory.mktemp("openapi-generator")
    for language in LANGUAGES:
        config = {"inputSpec": str(DOCUMENT), "generatorName": language, "outputDir": str(folder / language)}
        (folder / f"{language}.json").write_text(json.dumps(config))
    configs = [folder / f"{language}.json" for language in LANGUAGES]
    return folder, tools.generator("batch", "--threads", "1", "--fail-fast", *configs)


@pytest.mark.nightly
def test_openapi_generator_reports_no_problem(said_by_generator):
    _, problems = said_by_generator
    levels = re.compile(r"\b(WARN|ERROR)\b|\[error\]|Exception")
    assert [line for line in problems.splitlines() if levels.search(line) and not ABOUT_ITSELF.search(line)] == []


@pytest.mark.nightly
@pytest.mark.parametrize("language", LANGUAGES)
def test_openapi_generator_makes_a_model_of_every_schema(said_by_generator, language):
    folder, _ = said_by_generator
    file_names = {re.sub(r"\W|_", "", file.stem).lower() for file in (folder / language).rglob("*") if file.is_file()}
    schemas = document()["components"]["schemas"]
    models = {
        name.lower()
        for name, schema in schemas.items()
        if schema.get("properties")  # models are made of these alone
    }
    assert models - file_names == set()
