"""The points that matter at a table with house rules: as the service counts them."""

import pytest

pytestmark = pytest.mark.browser


def test_the_next_threshold_and_what_points_are_worth_are_shown(person):
    lin = person()
    lin.begins("finding_friends", 6, options={"decks": 4})
    page = lin.page
    points = page.locator(".topbar .points")
    assert points.locator(".next").inner_text() in ("/ 80", "/ 160")
    assert points.locator(".meter i").count() == 2
    points.tap()
    page.wait_for_selector(".topbar .points .meaning")
    assert "Declarers +" in points.inner_text()
