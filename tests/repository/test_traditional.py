"""The Traditional Chinese of the service is what OpenCC makes of its texts, and has the words of players."""

import re

import pytest

from scripts import traditional as script
from service.texts import TRADITIONAL, text
from service.texts.problems import PROBLEMS
from service.texts.traditional.writing import traditional

#: Words of the game, as players in Taiwan and Hong Kong write them.
TERMS = {
    "庄家": "莊家", "闲家": "閒家", "主牌": "主牌", "副牌": "副牌", "级牌": "級牌",
    "升级": "升級", "找朋友": "找朋友", "抠底": "摳底", "扣底": "扣底", "埋底": "埋底",
    "底牌": "底牌", "亮主": "亮主", "反主": "反主", "无主": "無主", "甩牌": "甩牌",
    "毙牌": "斃牌", "垫牌": "墊牌", "拖拉机": "拖拉機", "对子": "對子", "连对": "連對",
    "发牌": "發牌", "摸牌": "摸牌", "出牌": "出牌", "上台": "上台", "坐庄": "坐莊",
    "抢庄": "搶莊", "大光": "大光", "必打": "必打", "得分": "得分", "一轮": "一輪",
    "黑桃": "黑桃", "红心": "紅心", "梅花": "梅花", "方块": "方塊", "大王": "大王",
    "牌局": "牌局", "循环赛": "循環賽", "还是只能": "還是只能", "回放": "回放", "干事": "幹事",
}  # fmt: skip


def test_the_tables_are_those_of_the_texts_of_today() -> None:
    modules = script.modules(script.writing().known)
    assert len(modules) == 2
    for path, content in modules.items():
        assert path.read_text(encoding="utf-8") == content, "run `make traditional`"


def test_every_text_is_written_as_opencc_writes_it() -> None:
    texts = script.texts()
    assert len(texts) > 2_000
    assert [each for each in texts if traditional(each) != script.by_opencc(each)] == []


@pytest.mark.parametrize("simplified", TERMS)
def test_words_of_the_game_are_those_of_players(simplified: str) -> None:
    assert traditional(simplified) == TERMS[simplified]


def test_placeholders_stay_and_simplified_characters_do_not() -> None:
    for each in PROBLEMS.values():
        for written in (each.title, each.detail):
            assert re.findall(r"\{\w+\}", written[TRADITIONAL]) == re.findall(r"\{\w+\}", written["zh-Hans"])
            assert not re.search("[们这对发级闲庄轮张时间]", written[TRADITIONAL])


def test_another_language_is_none() -> None:
    with pytest.raises(KeyError):
        text("Yes", "是")["zh-Latn"]
