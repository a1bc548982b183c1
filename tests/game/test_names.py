"""Which characters names may have, and names that look alike."""

import sys
import unicodedata
from collections import Counter

import pytest

from service.game.legible import is_legible
from service.game.names import distinct, is_like_ai, look_alike

#: Han characters that Python 3.11 does not know: the first and the last of Unicode 15 to 17 in each block.
NEW_HAN = "\U0002b739\U0002b81e\U0002ebf0\U0002ee5d\U00031350\U000323af\U000323b0\U00033479"


def test_no_invisible_character_is_legible() -> None:
    refused, passed = Counter[str](), []
    for char in map(chr, range(sys.maxunicode + 1)):
        category = unicodedata.category(char)
        if category[0] in "CZ" or category in ("Mn", "Mc", "Me"):
            if is_legible(char):
                passed.append(char)
            else:
                refused[category] += 1
    assert min(refused[category] for category in ("Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Mc", "Me", "Zl", "Zp")) > 0
    # Unassigned in Python 3.11: Unicode 15 to 17 added 9,542 Han characters and some 60 emoji.
    added = [char for char in passed if char not in " \xa0\u3000"]
    assert all("\U0002a6e0" <= char <= "\U00033479" or "\U0001f000" <= char <= "\U0001faff" for char in added)
    assert len(added) < 9_700


@pytest.mark.parametrize(
    "name",
    [
        "Lin\U0001d159",
        "Lin\U00016fe4",
        "Lin\U00013440",
        "Lin\u2800",
        "\u115f",
        "Lin\u0378",
        "Lin\ufffc",
        "Lin\u2003Mei",
        "\u0301Lin",
        "Lin \u0301",
        "\u738b\u3099",
        "\u0e01\u0e34\u0e35\u0e34\u0e35\u0e34\u0e35",
        "Lin\U000323b0\U0003347a",
        "1\u20dd",
        "Lin\U0001f3fb\u200d",
    ],
)
def test_a_name_with_an_invisible_or_misplaced_character_is_refused(name: str) -> None:
    assert not is_legible(name)


@pytest.mark.parametrize(
    "name",
    [
        NEW_HAN,
        "\U00020bb7\u91ce\u5bb6",
        "\u3007\u3005\u30fb\u30fc",
        "\u738b\u3000\u4e00",
        "\u304b\u3099",
        "Nguye\u0302\u0303n",
        "\u0938\u094d\u0924\u094d\u0930\u0940",
        "\u1019\u103c\u102d\u102f\u1037",
        "\u0f66\u0f92\u0fb2\u0f74\u0f56",
        "\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f",
        "\uac00\u3131",
        "\U0001d4db\U0001d4f2\U0001d4f7",
        "Lin \u2764\ufe0f\u200d\U0001f525",
        "\U0001f469\U0001f3fd\u200d\U0001f4bb",
        "7\ufe0f\u20e3",
        "\U0001fae8\U0001f6d8",
        "\u2660\u2665\u300ckrok\u300d\u2026\u20ac5",
    ],
)
def test_a_name_in_any_script_in_use_is_allowed(name: str) -> None:
    assert is_legible(name)


@pytest.mark.parametrize(
    "name", ["AI 1", "ai 16", "Al 2", "\u0410I 3", "\uff21\uff29 4", "A\u0301I 5", "AI  6", "AI 7", "AI"]
)
def test_a_name_like_that_of_an_ai_player_is_found(name: str) -> None:
    assert is_like_ai(name)


@pytest.mark.parametrize("name", ["Al", "Ali", "Aisha", "AI Lin", "All", "\u6797", "\u5347\u7ea7", "Lin 2", "\u7231 1"])
def test_a_name_of_a_person_is_not_that_of_an_ai_player(name: str) -> None:
    assert not is_like_ai(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lin", "lin"),
        ("Lin", "L\u0456n"),
        ("lin", "1in"),
        ("Lin", "L\u00edn"),
        ("O0", "00"),
        ("\u738b\u4f1f", "\u738b\u4f1f"),
        ("\u4eba", "\u2f08"),
        ("\u738b\u4e00", "\u738b\u30fc"),
        ("\u738b\u4e00", "\u738b\u2014"),
        ("\u738b\u30fc", "\u738b\uff0d"),
        ("\u738b\u4e00", "\u738b-"),
        ("\u738b\u4e00", "\u738b\u2013"),
        ("\u53e3", "\u30ed"),
        ("Lin\u3002", "Lin\uff61"),
        ("O'Neil", "O\u2019Neil"),
        ("Amie", "Arnie"),
        ("\u13de\u0456n", "Lin"),
        ("Lin", "Lin\U0001d159"),
        ("Lin", "Lin\U00016fe4"),
        ("Lin", "Lin\U00013440"),
        ("Lin \u2764\ufe0f", "Lin \u2764"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\U0001f469"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "\U0001f3f4"),
    ],
)
def test_names_that_look_alike_are_found(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lin", "Lina"),
        ("Mei", "Lin"),
        ("\u738b\u4f1f", "\u6c6a\u4f1f"),
        ("\u5c0f\u660e", "\u5c0f\u7ea2"),
        ("\u0915\u093f", "\u0915\u0940"),
    ],
)
def test_other_names_do_not_look_alike(one: str, other: str) -> None:
    assert not look_alike(one, other)


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert distinct("Lin", []) == "Lin"
    assert distinct("Lin", ["Mei", "lin"]) == "Lin (2)"
    assert distinct("Lin", ["Lin", "L\u0456n (2)"]) == "Lin (3)"
