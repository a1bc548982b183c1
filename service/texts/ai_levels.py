"""The levels of AI players: names and descriptions."""

from typing import Final

from service.texts import Text, text


def _level(title: str, title_zh: str, meaning: str, meaning_zh: str) -> dict[str, Text]:
    return {"title": text(title, title_zh), "meaning": text(meaning, meaning_zh)}


#: Level -> `title` and `meaning`.
LEVELS: Final[dict[str, dict[str, Text]]] = {
    "easy": _level(
        "Easy", "简单", "Plays by rules, forgets past tricks and errs a little.", "按规则出牌，不记牌，偶有小失误。"
    ),
    "normal": _level(
        "Normal", "普通", "Plays by rules and remembers every card and void.", "按规则出牌，记得每张牌和每家的缺门。"
    ),
    "hard": _level(
        "Hard",
        "困难",
        "Like normal, and tries out its plays in some possible deals of the hidden cards.",
        "在“普通”的基础上，用若干种可能的牌局推演每手牌。",
    ),
    "expert": _level(
        "Expert",
        "专家",
        "Like hard, with more plays and many more possible deals.",
        "在困难之上，推演更多的出法和多得多的可能牌局。",
    ),
}
