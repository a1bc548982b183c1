"""What `Resource.operation` takes, as type checkers and editors see it."""

from dataclasses import MISSING, fields
from pathlib import Path
from typing import get_type_hints

from mypy import api

from service.api.operations import Declared, Operation

ROOT = Path(__file__).parents[2]
WRONG = """
from service.api.operations import Resource

resource = Resource("Chat", "")
resource.operation("GET", "/v1/x", {declared})
"""


def test_an_operation_declares_the_fields_that_have_defaults() -> None:
    hints = get_type_hints(Operation)
    expected = {
        field.name: hints[field.name]
        for field in fields(Operation)
        if field.default is not MISSING or field.default_factory is not MISSING
    }
    assert get_type_hints(Declared) == expected


def test_a_wrong_field_of_an_operation_is_seen_without_running_it(tmp_path: Path) -> None:
    for number, (declared, message) in enumerate(
        (('erorrs=("not-found",)', 'Unexpected keyword argument "erorrs"'), ('cost="5"', 'incompatible type "str"'))
    ):
        program = tmp_path / f"wrong{number}.py"
        program.write_text(WRONG.format(declared=declared))
        output, _, _ = api.run([str(program), "--follow-imports=silent", f"--config-file={ROOT / 'pyproject.toml'}"])
        assert message in output, output
