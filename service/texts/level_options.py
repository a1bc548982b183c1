"""Options of scores and levels: titles, meanings, and effects of values."""

from typing import Final

from service.texts import OptionText, text

#: Option -> its texts.
OPTIONS: Final[dict[str, OptionText]] = {
    "last_trick_to_gain": OptionText(
        text("Last trick needed to gain", "抠底才升级"),
        text(
            "The side that wins the round gains levels only if it wins the last trick too.",
            "赢方须赢得最后一轮才能升级。",
        ),
    ),
    "start_level": OptionText(
        text("First level", "起始级别"),
        text("The level at which everybody starts.", "所有人的起始级别。"),
        {
            "NT": text("No-trump, after the ace.", "无主级，在 A 之后。"),
            "joker": text("The joker level, after the ace.", "王级，在 A 之后。"),
        },
    ),
    "points_per_level": OptionText(
        text("Points per level", "每级分数"),
        text(
            "Points per level, counted up and down from the threshold, which need not be a multiple of them.",
            "从上台分数起每升一级所需的分数，不必能整除上台分数。",
        ),
    ),
    "short_team_bonus": OptionText(
        text("Bonus for a smaller side", "人少奖励"),
        text(
            "Declarers who win with fewer friends than possible gain a bonus.",
            "庄家一方少于最多人数而获胜时有奖励。",
        ),
    ),
    "auto_level": OptionText(
        text("Extra level for attackers", "闲家多升一级"),
        text(
            "With an even number of players, attackers who win gain an extra level.", "人数为偶数时，闲家获胜多升一级。"
        ),
    ),
    "must_play": OptionText(
        text("Must-play levels", "必打级别"),
        text("Levels that players pass only by winning them as declarers.", "必打级别：必须坐庄打赢才能过去。"),
    ),
    "must_play_attempt_enough": OptionText(
        text("One attempt is enough", "打过即可"),
        text(
            "To pass a must-play level, one round as declarers is enough, won or lost.",
            "必打级别只需坐庄打过一次，不论输赢。",
        ),
    ),
    "hooks": OptionText(
        text("Hooks", "勾回"),
        text(
            "Levels at which the attackers can send the declarers back in the last trick, and the levels they fall to.",
            "最后一轮可使庄家退级的级别，以及退到的级别。",
        ),
    ),
    "laps": OptionText(
        text("Laps", "多圈"),
        text(
            "After the ace come the joker level, then 2+, 3+ and so on; the game does not end by level.",
            "过 A 之后是王级，再从 2+、3+ 打起，整局不因级别而结束。",
        ),
    ),
    "short_laps": OptionText(text("Short laps", "短圈"), text("Later laps leave out 2 to 9.", "以后各圈省去 2 到 9。")),
    "active_passive": OptionText(
        text("Active and passive players", "主动与被动"),
        text(
            "Winners become active, losers passive; only active players make trumps. A passive winner's first point "
            "only makes the player active. Points are counted by a different table.",
            "赢家为主动，输家为被动；只有主动者可以亮主，被动的赢家第一分只转为主动，计分另有一表。",
        ),
    ),
    "steps_to_win": OptionText(
        text("Steps to win", "上台级差数"),
        text(
            "How many steps the attackers need to win; a step is the points per level.",
            "闲家上台需要几个级差；一个级差即每级分数。",
        ),
    ),
    "dead_zone": OptionText(
        text("Winning steps without a level", "过线不升级"),
        text(
            "Number of steps from the threshold on that win the attackers the round but no level.",
            "闲家过线后不升级的级差数。",
        ),
    ),
    "shut_out_level": OptionText(
        text("Level for a shut-out", "大光多升一级"),
        text("Declarers gain an extra level if the attackers have no points.", "闲家一分未得时庄家多升一级。"),
    ),
    "negative_points": OptionText(
        text("Points below zero", "负分"),
        text("Throw penalties can bring the attackers below zero.", "罚分可使闲家得分为负。"),
    ),
    "levels_cap": OptionText(
        text("Maximum levels per round", "每局最多升级"),
        text("The most levels that a side can gain in a round.", "一局最多升几级。"),
        {"none": text("No limit.", "不限。")},
    ),
    "short_team_gain": OptionText(
        text("Size of that bonus", "人少奖励方式"),
        text("The bonus for a smaller side of declarers.", "庄家一方人少时的奖励方式。"),
        {
            "multiplied": text("The full gain again for each missing friend.", "每少一人再升同样的级数。"),
            "one_level": text("One level, however many friends are missing.", "不论少几人都多升一级。"),
        },
    ),
    "level_ladder": OptionText(
        text("Levels that are played", "所打级别"),
        text(
            "The levels that are played: two or more, in ascending order. Empty: every rank.",
            "要打的级别，至少两级，从低到高。空：每一级都打。",
        ),
    ),
    "last_level": OptionText(
        text("Last level", "最后一级"),
        text("The last level.", "最后一级。"),
        {
            "A": text("The ace, or the last of the levels that are played.", "A，或所打级别的最后一级。"),
            "NT": text("No-trump, after the ace.", "A 之后的无主级。"),
        },
    ),
    "last_level_by": OptionText(
        text("Passing the last level", "过最后一级"),
        text("Who passes the last level.", "怎样才能过最后一级。"),
        {
            "declarers_there": text(
                "Players who are at it when the round begins and win the round as declarers.",
                "本局开始时在该级且坐庄打赢的人。",
            ),
            "anyone": text("Any player at it who gains a level.", "在该级升级的任何人。"),
        },
    ),
    "last_level_played": OptionText(
        text("Last level must be played", "最后一级须打"),
        text(
            "The last level can be passed only in a round played at that level.", "只有所打的级别是最后一级时才能过。"
        ),
    ),
    "after_last": OptionText(
        text("After the last level", "最后一级之后"),
        text("What comes after the last level.", "过了最后一级之后怎样。"),
        {
            "end": text("The game ends.", "整局结束。"),
            "wrap": text("The first level follows, and the game goes on.", "回到第一级，继续打。"),
        },
    ),
    "one_level_per_round": OptionText(
        text("One level per round", "每局一级"), text("Any gain is one level.", "无论多少，一局只升一级。")
    ),
    "take_back_level": OptionText(
        text("Level for taking back", "悔牌降级"),
        text(
            "Each time a play is taken back, the side of that player has one level less after the round.",
            "每悔牌一次，本局结束后悔牌一方降一级。",
        ),
    ),
    "hook_fall": OptionText(
        text("Fall of a hook", "勾回级数"),
        text("How far declarers are sent back.", "勾回时退多少级。"),
        {
            "to_level": text("To the level that the hook names.", "退到所定的级别。"),
            "by_cards": text(
                "One level for a single card, two for a pair, and so on, at most to that level.",
                "单张退一级，对子退两级，依此类推，最低退到所定的级别。",
            ),
        },
    ),
    "hook_rule": OptionText(
        text("Condition of a hook", "勾回条件"),
        text("When declarers are sent back.", "怎样使庄家退级。"),
        {
            "trump_card": text(
                "If the attackers win the round, and win its last trick with the trump-suit card of the trump rank.",
                "闲家获胜，且用主花色的级牌赢得最后一轮。",
            ),
            "lone_card": text(
                "If the attackers win the last trick with a single card of the level's rank, whoever wins the round.",
                "闲家用一张级牌赢得最后一轮，不论本局谁胜。",
            ),
        },
    ),
}
