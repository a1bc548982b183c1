"""Random follows, throws and tricks under house rules, three and more decks: the engine and the reference agree.

`python -m tests.rules.agreement` runs any number of them.
"""

import pytest

from tests.rules.agreement import CHECKS, run

NUMBER = 400


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_engine_agrees_with_the_reference(check: str, seed: int) -> None:
    run(check, NUMBER, seed)
