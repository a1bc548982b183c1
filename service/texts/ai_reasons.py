"""Reasons of AI players: a line for each code of `workers.ai.reasons`.

Placeholders are names in `params`. Suits are letters there, and become words.
"""

from collections.abc import Mapping
from typing import Any, Final

from service.texts import Text, enumerated, sentence, text
from service.texts.words import SUITS

REASONS: Final[dict[str, Text]] = {
    # Leads
    "throw": text(
        "Throws {cards} cards at once; they win the trick {chance}% of the time.",
        "一次甩出 {cards} 张，赢下本轮的机会为 {chance}%。",
    ),
    "throw-into-ruff": text(
        "Throws {cards} cards that nothing in their suit beats; a ruff costs trumps and comes {chance}% of the time.",
        "甩出 {cards} 张同花色中无人能管的牌；被主牌毙掉的机会为 {chance}%，但要耗去主牌。",
    ),
    "draw-trumps": text(
        "Draws trumps: {mine} in hand, about {others} in all other hands together.",
        "吊主：手中有 {mine} 张主牌，其他各家合计约 {others} 张。",
    ),
    "boss": text("Nobody can beat this.", "没有人能管住这手牌。"),
    "likely-to-win": text("Wins the trick {chance}% of the time.", "赢下本轮的机会为 {chance}%。"),
    "for-partner": text(
        "Its side wins the trick {chance}% of the time, with this or with a partner's cards.",
        "己方赢下本轮的机会为 {chance}%，靠这手牌或搭档的牌。",
    ),
    "cheap-lead": text(
        "Its side wins the trick {chance}% of the time; other leads look worse.",
        "己方赢下本轮的机会为 {chance}%；领出其他牌看来更差。",
    ),
    # Follows
    "win": text(
        "Goes ahead, and keeps the trick (now {points} points) {chance}% of the time.",
        "暂时领先，本轮现有 {points} 分，守住的机会为 {chance}%。",
    ),
    "beat": text(
        "Beats what was played so far, but keeps the trick only {chance}% of the time.",
        "暂时管住前面的牌，但守住本轮的机会只有 {chance}%。",
    ),
    "ruff": text(
        "Ruffs, and keeps the trick (now {points} points) {chance}% of the time.",
        "用主牌毙，本轮现有 {points} 分，守住的机会为 {chance}%。",
    ),
    "overruff": text(
        "Overruffs, and keeps the trick (now {points} points) {chance}% of the time.",
        "用更大的主牌盖毙，本轮现有 {points} 分，守住的机会为 {chance}%。",
    ),
    "feed": text(
        "Adds {points} points to a trick that its side wins {chance}% of the time.",
        "己方赢下本轮的机会为 {chance}%，垫上 {points} 分。",
    ),
    "leave-it": text(
        "Its side wins the trick {chance}% of the time, and this adds no points.",
        "己方赢下本轮的机会为 {chance}%，这手牌不加分。",
    ),
    "keep-points": text(
        "The other side wins the trick {chance}% of the time: puts no points at risk.",
        "对方赢下本轮的机会为 {chance}%，不冒丢分的险。",
    ),
    "least-loss": text(
        "The other side wins the trick {chance}% of the time; risking fewer than {points} points looks costlier later.",
        "对方赢下本轮的机会为 {chance}%；少给分的出法日后看来损失更大，宁可拿 {points} 分冒险。",
    ),
    "fewest-points": text(
        "The other side wins the trick {chance}% of the time, and every play gives it {points} points or more.",
        "对方赢下本轮的机会为 {chance}%，怎么出都至少要给 {points} 分。",
    ),
    # Both
    "only-play": text("There is nothing else worth playing here.", "此时没有别的牌值得考虑。"),
    "last-cards": text("These are the last cards of the hand.", "这是手中最后的牌。"),
    "empty-suit": text("Empties {suits}: later leads can be ruffed.", "打绝{suits}，下次有人领出时可以用主牌毙。"),
    "best-chance": text(
        "Looks best of all legal cards, worth {gain} points.", "在所有可出的牌中看来最好，估值 {gain} 分。"
    ),
    "join": text(
        "Plays {cards} to become the declarer's friend before somebody else can.", "抢先打出 {cards}，成为庄家的朋友。"
    ),
    "search": text(
        "Played out in {deals} possible deals, this gains {gain} levels a round on {over}.",
        "模拟 {deals} 种可能的牌局，比选 {over} 平均每局多得 {gain} 级。",
    ),
    "search-points": text(
        "Played out in {deals} possible deals, this gains {gain} points of the score on {over}.",
        "模拟 {deals} 种可能的牌局，比选 {over} 平均每局多得 {gain} 分。",
    ),
    "search-slight": text(
        "Played out in {deals} possible deals, this does slightly better than {over}.",
        "模拟 {deals} 种可能的牌局，略好于选 {over}。",
    ),
    "as-good": text(
        "Played out in {deals} possible deals, {over} does not do measurably better.",
        "模拟 {deals} 种可能的牌局，{over} 并没有明显更好。",
    ),
    # Before the first trick; 1 is the strength of an average hand.
    "strong-enough": text(
        "The hand is strong enough for these trumps: {strength} times the average, {needed} is enough.",
        "以此为主，牌力为平均的 {strength} 倍，达到 {needed} 倍即可。",
    ),
    "too-weak": text(
        "The hand is too weak for its best trumps: {strength} times the average, and {needed} is needed.",
        "即使亮出最好的主，牌力也只有平均的 {strength} 倍，需要 {needed} 倍。",
    ),
    "nothing-to-show": text("There are no cards to show.", "没有可亮的牌。"),
    "bury-suits": text(
        "Empties {suits} for later ruffs, and buries {points} points.",
        "埋绝{suits}以便用主牌毙，并埋 {points} 分。",
    ),
    "bury-cheapest": text("Keeps what wins tricks, and buries {points} points.", "留住能赢的牌，埋下 {points} 分。"),
    "call-high": text(
        "Calls {cards}: whoever holds a high card makes a strong friend.", "叫 {cards}：持有大牌的人是得力的朋友。"
    ),
    "road-high": text("The hand is likely to win {tricks} tricks: many.", "这手牌大约能赢 {tricks} 轮，偏多。"),
    "road-low": text("The hand is likely to win {tricks} tricks: few.", "这手牌大约能赢 {tricks} 轮，偏少。"),
    "road-either": text(
        "The hand is likely to win {tricks} tricks: neither many nor few.", "这手牌大约能赢 {tricks} 轮，不多不少。"
    ),
}


def reason_text(reason: Mapping[str, Any], language: str) -> str:
    """Return a reason as one line in a language; empty if this version does not know its code."""
    known = REASONS.get(reason["code"])
    if known is None:
        return ""
    params = dict(reason["params"])
    if "suits" in params:
        params["suits"] = enumerated([sentence(SUITS[letter], language, {}) for letter in params["suits"]], language)
    return sentence(known, language, params)
