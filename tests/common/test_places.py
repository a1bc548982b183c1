"""Places that are shared."""

from service.common.places import places


def test_equal_ones_share_a_place_and_the_next_ones_stay_free():
    assert places([3.5, 7, 3.5, -1, 7, 7]) == {7: 1, 3.5: 4, -1: 6}
    assert places([]) == {}
