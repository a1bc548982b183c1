"""Reasons of AI players: a line for each code of `workers.ai.reasons`, as a friend at the table would say it.

`REASONS` are the lines, `FIGURES` the numbers behind them, for whoever wants to know. Placeholders are names in
`params`. Suits are letters there, and become words. Two placeholders are words made of a number: `{often}` of `chance`,
`{for_points}` of `points`.
"""

from collections.abc import Mapping
from typing import Any, Final

from service.texts import Text, enumerated, sentence, text
from service.texts.words import SUITS

REASONS: Final[dict[str, Text]] = {
    # Leads
    "throw": text(
        "Throws {cards} cards at once, which win the trick {often}.", "一次甩 {cards} 张，{often}收下这一轮。"
    ),
    "throw-into-ruff": text(
        "Nothing in their suit beats these {cards} cards, and a ruff would cost trumps.",
        "这门花色没人管得住这 {cards} 张；要毙就得耗主牌。",
    ),
    "draw-trumps": text("Draws trumps: the others run out of them first.", "吊主：手里主牌多，先把别家的主牌吊出来。"),
    "boss": text("Nobody can beat this.", "没人管得住。"),
    "likely-to-win": text("This wins the trick {often}.", "这手牌{often}收下这一轮。"),
    "for-partner": text(
        "We win this trick {often}, if not with this, then with a partner's cards.",
        "这一轮我们{often}收下，自己收不下还有搭档。",
    ),
    "cheap-lead": text("No lead is good here, and this one costs least.", "没有好领的牌，领这手损失最小。"),
    # Follows
    "win": text("Goes ahead{for_points}, and holds the trick {often}.", "先压住，{often}守住这一轮{for_points}。"),
    "beat": text("Goes ahead for now, but hardly ever holds the trick.", "先管住前面的牌，不过很难守住这一轮。"),
    "ruff": text("Ruffs{for_points}, and holds the trick {often}.", "用主牌毙，{often}守住这一轮{for_points}。"),
    "overruff": text("Overruffs{for_points}, and holds the trick {often}.", "盖毙，{often}守住这一轮{for_points}。"),
    "feed": text("We win this trick {often}, so it gets {points} points.", "这一轮我们{often}收下，垫 {points} 分。"),
    "leave-it": text("We win this trick {often}, and this adds no points.", "这一轮我们{often}收下，这手不加分。"),
    "keep-points": text(
        "They win this trick {often}, so this gives them no points.", "这一轮对方{often}收下，不给分。"
    ),
    "least-loss": text(
        "They win this trick {often}, but keeping these {points} points back would cost more later.",
        "这一轮对方{often}收下，可是省下这 {points} 分，以后亏得更多。",
    ),
    "fewest-points": text(
        "They win this trick {often}, and {points} points are the fewest that can be given.",
        "这一轮对方{often}收下，最少也得给 {points} 分。",
    ),
    # Both
    "only-play": text("There is no better choice.", "没有更好的选择。"),
    "last-cards": text("These are the last cards of the hand.", "手里只剩这些牌了。"),
    "empty-suit": text("Empties {suits}: later leads can be ruffed.", "打完{suits}，以后有人领出就能毙。"),
    "best-chance": text("Looks best of all legal cards.", "能出的牌里，这手看来最好。"),
    "join": text(
        "Plays {cards} to become the declarer's friend before somebody else can.", "抢先打出 {cards}，当庄家的朋友。"
    ),
    "search": text("Played out, this does better than {over}.", "推演下来，比出 {over} 好。"),
    "search-points": text("Played out, this does better than {over}.", "推演下来，比出 {over} 好。"),
    "search-slight": text("Played out, this does slightly better than {over}.", "推演下来，比出 {over} 略好。"),
    "as-good": text("Played out, {over} does no better.", "推演下来，{over} 也不更好。"),
    # Before the first trick; 1 is the strength of an average hand.
    "strong-enough": text("The hand is strong enough for these trumps.", "以此为主，这手牌值得亮。"),
    "too-weak": text("The hand is too weak, even with its best trumps.", "手牌太弱，最好的主牌也不值得亮。"),
    "nothing-to-show": text("There are no cards to show.", "没有可亮的牌。"),
    "bury-suits": text("Empties {suits} for later ruffs.", "埋完{suits}，以后好毙。"),
    "bury-cheapest": text("Keeps what wins tricks.", "能赢的牌都留着。"),
    "call-high": text(
        "Calls {cards}: whoever holds a high card makes a strong friend.", "叫 {cards}：手里有大牌的朋友得力。"
    ),
    "road-high": text("This hand is likely to win many tricks.", "这手牌大概能赢不少轮。"),
    "road-low": text("This hand is likely to win few tricks.", "这手牌大概赢不了几轮。"),
    "road-either": text("This hand is likely to win neither many nor few tricks.", "这手牌大概赢得不多也不少。"),
}

_TRICK: Final = text("The trick is won {chance}% of the time.", "收下这一轮的机会：{chance}%。")
_TRICK_OURS: Final = text("We win it {chance}% of the time.", "我们收下这一轮的机会：{chance}%。")
_TRICK_THEIRS: Final = text("They win it {chance}% of the time.", "对方收下这一轮的机会：{chance}%。")
_BURIED: Final = text("Points buried: {points}.", "埋下 {points} 分。")
_AVERAGE_TRICKS: Final = text("About {tricks} tricks.", "大约 {tricks} 轮。")

#: The numbers behind a reason; a code without a row has none.
FIGURES: Final[dict[str, Text]] = {
    "throw": _TRICK,
    "throw-into-ruff": text("A ruff comes {chance}% of the time.", "被毙的机会：{chance}%。"),
    "draw-trumps": text(
        "{mine} trumps in hand, about {others} in all other hands together.",
        "手里 {mine} 张主牌，别家合计约 {others} 张。",
    ),
    "likely-to-win": _TRICK,
    "for-partner": _TRICK_OURS,
    "cheap-lead": _TRICK_OURS,
    "win": _TRICK,
    "beat": _TRICK,
    "ruff": _TRICK,
    "overruff": _TRICK,
    "feed": _TRICK_OURS,
    "leave-it": _TRICK_OURS,
    "keep-points": _TRICK_THEIRS,
    "least-loss": _TRICK_THEIRS,
    "fewest-points": _TRICK_THEIRS,
    "best-chance": text("Worth {gain} points.", "估值 {gain} 分。"),
    "search": text(
        "{gain} levels a round more, on average over {deals} possible deals.",
        "按 {deals} 种可能的牌推演，平均每局多得 {gain} 级。",
    ),
    "search-points": text(
        "{gain} points of the score more, on average over {deals} possible deals.",
        "按 {deals} 种可能的牌推演，平均每局多得 {gain} 分。",
    ),
    "search-slight": text("Compared over {deals} possible deals.", "按 {deals} 种可能的牌推演。"),
    "as-good": text("Compared over {deals} possible deals.", "按 {deals} 种可能的牌推演。"),
    "strong-enough": text(
        "{strength} times an average hand; {needed} is enough.", "手牌是平均的 {strength} 倍，过 {needed} 倍就值得亮。"
    ),
    "too-weak": text(
        "{strength} times an average hand; {needed} is needed.", "手牌是平均的 {strength} 倍，过 {needed} 倍才值得亮。"
    ),
    "bury-suits": _BURIED,
    "bury-cheapest": _BURIED,
    "road-high": _AVERAGE_TRICKS,
    "road-low": _AVERAGE_TRICKS,
    "road-either": _AVERAGE_TRICKS,
}

#: Who is probably a friend, and why (`workers.ai.friends`). `chance` is in percent.
FRIEND: Final = text(
    "Probably a friend ({chance}%): has given the declarer's side {points} points.",
    "多半是朋友（{chance}%）：给庄家方垫了 {points} 分。",
)

#: Least chance in percent -> how often that is, highest first.
_OFTEN: Final = (
    (100, text("for certain", "肯定能")),
    (85, text("almost always", "十有八九能")),
    (60, text("most of the time", "多半能")),
    (40, text("about half the time", "有一半机会")),
    (15, text("now and then", "偶尔能")),
    (0, text("hardly ever", "很难")),
)
_FOR_POINTS: Final = text(" for {points} points", "的 {points} 分")


def reason_text(reason: Mapping[str, object], language: str) -> str:
    """Return a reason as one line in a language; empty if this version does not know its code."""
    return _worded(REASONS, reason, language)


def figures_text(reason: Mapping[str, object], language: str) -> str:
    """Return the numbers behind a reason as one line in a language; empty if it has none."""
    return _worded(FIGURES, reason, language)


def _worded(texts: Mapping[str, Text], reason: Mapping[str, Any], language: str) -> str:
    line = texts.get(reason["code"])
    if line is None:
        return ""
    params = dict(reason["params"])
    if "suits" in params:
        params["suits"] = enumerated([sentence(SUITS[letter], language, {}) for letter in params["suits"]], language)
    if "chance" in params:
        often = next(words for least, words in _OFTEN if params["chance"] >= least)
        params["often"] = sentence(often, language, {})
    if "points" in params:
        params["for_points"] = sentence(_FOR_POINTS, language, params) if params["points"] else ""
    return sentence(line, language, params)
