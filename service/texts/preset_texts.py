"""Titles and descriptions of presets."""

from typing import Final

from service.texts import Text, text


def _six(texts: tuple[Text, Text]) -> tuple[Text, Text]:
    title, about = texts
    return text(f"{title['en']} (six players)", f"{title['zh-Hans']}（六人）"), about


_MUST_PLAY: Final = (
    text("Must play", "必打"),
    text("Players must win 2, 5, 10, J and K as declarers.", "2、5、10、J、K 必须坐庄打赢。"),
)
_HOOKED: Final = (
    text("Hooked to the bottom", "勾到底"),
    text(
        "If the attackers win the last trick with a trump jack or queen, the declarers fall back to 2 or 6.",
        "用主 J 或主 Q 抠底，庄家退回 2 或 6。",
    ),
)
_LAND: Final = (
    text("Bidding for land", "炒地皮"),
    text("After each discard, other players may overcall for the kitty.", "每次埋底之后其他人可以炒底。"),
)
_POOR: Final = (
    text("New deal for poor hands", "差牌重发"),
    text(
        "A player without trumps or with fewer than ten points may ask for a new deal. Also if nobody declares.",
        "没有主牌或不足 10 分的可以要求重发；无人亮主也重发。",
    ),
)

#: Preset -> title and description.
PRESETS: Final[dict[str, tuple[Text, Text]]] = {
    "pagat": (text("Looking for Friends", "找朋友"), text("As described on pagat.com.", "按 pagat.com 的介绍。")),
    "eighty": (
        text("Eighty", "八十分找朋友"),
        text("The variant of Looking for Friends known as 80.", "又名“八十分”的找朋友。"),
    ),
    "zhang_friends": (
        text("Finding Friends", "升级找朋友"),
        text("As in Zhang's introduction to Sheng Ji.", "按张氏《升级入门》。"),
    ),
    "zhang": (text("Sheng Ji", "升级"), text("As in Zhang's introduction to Sheng Ji.", "按张氏《升级入门》。")),
    "zhang_six": (
        text("Sheng Ji for six", "六人升级"),
        text("Three decks, two teams of three.", "三副牌，三人一队。"),
    ),
    "forty_points": (text("Forty Points", "四十分"), text("One deck, no pairs.", "一副牌，没有对子。")),
    "no_trump_ladder": (
        text("Tractor to no-trump", "打到无主"),
        text("The ladder ends with a no-trump level.", "最后一级是无主。"),
    ),
    "parlett": (
        text("Arm's Length", "一臂之遥"),
        text("As published by David Parlett.", "按 David Parlett 的规则。"),
    ),
    "heli_lost_round": (
        text("Heli, a failed throw loses", "Heli，甩牌失败即输"),
        text(
            "The last result decides who declares, levels repeat in laps, and a failed throw loses the round.",
            "庄家由上局决定，级别一圈圈打，甩牌失败即输掉本局。",
        ),
    ),
    "heli_penalty_levels": (
        text("Heli, a failed throw costs levels", "Heli，甩牌失败欠级"),
        text(
            "The same, but a failed throw ends the round and costs levels.",
            "其余相同，但甩牌失败结束本局并欠级。",
        ),
    ),
    "heli_play_on": (
        text("Heli, play goes on", "Heli，甩牌失败接着打"),
        text("A failed throw costs levels, and play goes on.", "甩牌失败欠级，接着把本局打完。"),
    ),
    "heli_short_laps": (
        text("Heli, short laps", "Heli，短圈"),
        text(
            "A failed throw ends the round and costs levels; later laps leave out 2 to 9.",
            "甩牌失败结束本局并欠级；第一圈之后省去 2 到 9。",
        ),
    ),
    "active_and_passive": (
        text("Active and passive", "主动与被动"),
        text("An older variant: only the winners of the last round make trumps.", "旧式打法：只有上局赢家可以亮主。"),
    ),
    "any_active_rank": (
        text("Any active rank", "任一主动级"),
        text("Anybody may declare with the level of any active player.", "任何人都可以亮出任一主动玩家的级牌。"),
    ),
    "first_exposure": (
        text("First exposure is final", "先亮为准"),
        text("There is no overcalling.", "不能反主。"),
    ),
    "all_jokers": (
        text("All jokers", "全部王牌"),
        text("Every deck keeps both jokers.", "每副牌都用两张王。"),
    ),
    "five_kitty_six": (
        text("Five with a kitty of six", "五人底牌六张"),
        text("Without little jokers.", "不用小王。"),
    ),
    "long_trump_tractors": (
        text("Trump tractors above the ace", "主牌拖拉机过 A"),
        text("Trump tractors may continue up to the jokers.", "主牌拖拉机可以连到王。"),
    ),
    "must_play": _MUST_PLAY,
    "must_play_six": _six(_MUST_PLAY),
    "hooked": _HOOKED,
    "hooked_six": _six(_HOOKED),
    "bidding_for_land": _LAND,
    "bidding_for_land_six": _six(_LAND),
    "poor_hands": _POOR,
    "poor_hands_six": _six(_POOR),
    "accelerated": (
        text("Accelerated", "加速"),
        text("Every 20 points are worth a level.", "每 20 分一级。"),
    ),
    "own_levels": (
        text("Everyone declares at their own level", "各亮各级"),
        text("The trump maker becomes declarer in every round.", "每局都由定主者坐庄。"),
    ),
    "auto_level": (
        text("Auto-level", "自动升级"),
        text("Attackers who win gain an extra level.", "闲家获胜多升一级。"),
    ),
    "rbtying": (
        text("To no-trump and round again", "打到无主再循环"),
        text("Only the ace and no-trump must be won.", "只有 A 和无主必打。"),
    ),
    "rbtying_points": (
        text("Point levels must be won", "分级必打"),
        text("5, 10, K, A and no-trump must be won.", "5、10、K、A、无主必打。"),
    ),
    "rbtying_friends": (
        text("Friends to no-trump and round again", "找朋友打到无主再循环"),
        text("Only the ace and no-trump must be won.", "只有 A 和无主必打。"),
    ),
    "rbtying_friends_points": (
        text("Friends, point levels must be won", "找朋友，分级必打"),
        text("5, 10, K, A and no-trump must be won.", "5、10、K、A、无主必打。"),
    ),
    "eighty_fen": (
        text("80fen", "八十分"),
        text(
            "The length of the last trick sets the kitty factor; if nobody declares, there is no trump suit.",
            "底牌按最后一轮张数翻倍；无人亮主则打无主。",
        ),
    ),
    "jokers_first": (
        text("Jokers first", "王先反"),
        text(
            "A single joker overcalls any rank cards; only the other team may overcall.",
            "一张王即可反任何级牌，只有对方可反。",
        ),
    ),
    "negative_points": (
        text("Below zero", "负分"),
        text("Throw penalties can bring the attackers below zero.", "罚分可使闲家得分为负。"),
    ),
    "kitty_by_winner": (
        text("Kitty by the winning play", "底牌看赢家"),
        text(
            "The winning play sets the kitty factor, halved in a side suit; overcall for the kitty as in the deal.",
            "倍数按赢得最后一轮的牌计算，副牌减半；炒底与反主相同。",
        ),
    ),
    "kitty_by_cards": (
        text("Kitty by cards", "底牌按张数"),
        text(
            "The kitty factor is twice the number of cards that each player plays to the last trick.",
            "按最后一轮每人张数的两倍。",
        ),
    ),
    "patterns": (
        text("Patterns must be followed", "须跟牌型"),
        text("Players without the shape led must play the next smaller one.", "没有同样的牌型时须跟较小的牌型。"),
    ),
    "triples_protected": (
        text("Triples protected", "三张免拆"),
        text("Players need not break a triple to follow a pair.", "不必拆三张跟对子。"),
    ),
    "proven_throws": (
        text("Proven throws", "必成甩牌"),
        text(
            "Throws only in side suits, and only if no unseen card can beat them.", "只能甩副牌，且未见的牌都管不住。"
        ),
    ),
    "joker_tractors": (
        text("Joker tractors", "王拖拉机"),
        text("Little and big jokers make a tractor; cards of the trump rank do not.", "大小王可成拖拉机，级牌不能。"),
    ),
    "bombs": (
        text("Bombs", "炸弹"),
        text("Four identical cards beat anything of their size.", "四张相同的牌大过同样张数的任何牌。"),
    ),
    "round_and_round": (
        text("Round and round", "循环升级"),
        text("After the ace the levels start again at 2.", "过 A 之后再从 2 打起。"),
    ),
}
