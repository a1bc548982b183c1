"""The page behind somebody's gateway, which serves the service under a path and strips it."""

import pytest

from tests.support.below import under_a_path

pytestmark = pytest.mark.browser


@pytest.fixture
def gateway(service):
    """The address of the service under a path, and the paths asked for outside it."""
    with under_a_path(service.url) as (url, missed):
        yield f"{url}/", missed


def test_a_game_is_played_under_a_path(person, gateway):
    url, missed = gateway
    lin = person(name="", fresh=True)
    page = lin.page
    page.goto(url)
    lin.presses("Against AI players")
    lin.cards.first.wait_for()
    assert page.url.startswith(f"{url}#/table/")
    values = page.evaluate("Object.keys(localStorage)")
    assert [name for name in values if name.endswith("/game")], "another service of this host does not see the account"
    page.goto(url)
    lin.items("My tables").wait_for()
    assert lin.control("For developers").get_attribute("href").startswith(f"{url}docs")
    assert missed == []
    lin.leave()  # before the gateway goes away
