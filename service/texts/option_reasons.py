"""Why an option value is refused, except for options of tricks. Placeholders: `option`, `value`, `accepted`."""

from typing import Final

from service.texts import Text, text

REASONS: Final[dict[str, Text]] = {
    "decks_are_listed": text(
        "The options decks and special_decks already say which jokers are in the game: {option} must be {accepted}.",
        "已用 decks 或 special_decks 指定牌时，{option} 须为 {accepted}。",
    ),
    "too_many_decks": text(
        "There can be at most two decks per player: {accepted}.", "每人至多两副牌，可取：{accepted}。"
    ),
    "more_entries_than_decks": text(
        "{option} has more entries than there are decks; possible: {accepted}.",
        "{option} 的项数超过牌的副数，可取：{accepted}。",
    ),
    "hands_too_small": text(
        "{option} {value} leaves fewer than three cards per hand; possible: {accepted}.",
        "{option} 取 {value} 时每人不足三张，此处可取：{accepted}。",
    ),
    "rank_in_no_deck": text(
        "{option} names a rank that no deck has: {value}; possible: {accepted}.",
        "{option} 含有牌中没有的点数：{value}，此处可取：{accepted}。",
    ),
    "needs_jokers": text(
        "The game does not have these jokers: {option} can be {accepted}.",
        "牌中没有这种王：{option} 可取 {accepted}。",
    ),
    "needs_both_jokers": text(
        "The game does not have jokers of both colours: {option} can be {accepted}.",
        "牌中没有大小两种王：{option} 可取 {accepted}。",
    ),
    "needs_second_deck": text(
        "With one deck there is one joker of each kind: {option} can be {accepted}.",
        "只有一副牌时每种王只有一张：{option} 可取 {accepted}。",
    ),
    "needs_kitty": text("There is no kitty: {option} can be {accepted}.", "没有底牌：{option} 可取 {accepted}。"),
    "needs_ranked_suits": text(
        "With these overcalls no suit is higher than another: {option} must be {accepted}.",
        "这样的反主和炒底不比花色：{option} 须为 {accepted}。",
    ),
    "needs_own_level": text(
        "{option} {value} needs declare_rank own_level; possible: {accepted}.",
        "{option} 取 {value} 需要 declare_rank 为 own_level，此处可取：{accepted}。",
    ),
    "needs_one_call": text(
        "This needs exactly one friend to call: {option} can be {accepted}.",
        "须恰好叫一个朋友：{option} 可取 {accepted}。",
    ),
    "needs_fourth_card": text(
        "The kitty has no fourth card: {option} can be {accepted}.", "底牌没有第四张：{option} 可取 {accepted}。"
    ),
    "needs_turned_joker": text(
        "With this no_declaration no joker decides: {option} must be {accepted}.",
        "按 no_declaration 的设定，翻到王不定主：{option} 须为 {accepted}。",
    ),
    "needs_chao_di": text(
        "{option} {value} needs chao_di; possible: {accepted}.",
        "{option} 取 {value} 需要启用 chao_di，此处可取：{accepted}。",
    ),
    "needs_kitty_unit": text(
        "With this kitty_factor the factor does not depend on a unit: {option} must be {accepted}.",
        "底牌倍数不看牌型（kitty_factor）：{option} 须为 {accepted}。",
    ),
    "needs_calls": text("No friends are called: {option} must be {accepted}.", "不叫朋友：{option} 须为 {accepted}。"),
    "too_many_calls": text(
        "{option} {value} leaves no attackers; possible: {accepted}.",
        "{option} 取 {value} 时没有闲家，此处可取：{accepted}。",
    ),
    "too_few_cards_to_call": text(
        "There are not enough cards to call at every level: {option} can be {accepted}.",
        "可叫的牌不够：{option} 可取 {accepted}。",
    ),
    "active_passive_scores": text(
        "active_passive has its own score table: {option} must be {accepted}.",
        "启用 active_passive 时另有计分表：{option} 须为 {accepted}。",
    ),
    "needs_short_team_bonus": text(
        "{option} {value} needs short_team_bonus; possible: {accepted}.",
        "{option} 取 {value} 需要启用 short_team_bonus，此处可取：{accepted}。",
    ),
    "not_enough_points": text(
        "All cards together have fewer points than the attackers need to win ({option} {value}); possible: {accepted}.",
        "牌中总分少于闲家上台所需（{option} 取 {value}），此处可取：{accepted}。",
    ),
    "laps_have_no_end": text(
        "With laps there is no last level: {option} must be {accepted}.",
        "启用 laps 时级别没有尽头：{option} 须为 {accepted}。",
    ),
    "laps_need_all_ranks": text(
        "Laps need cards of every rank: {option} must be {accepted}.",
        "laps 需要所有点数的牌：{option} 须为 {accepted}。",
    ),
    "off_the_ladder": text(
        "{option} names levels that are not played: {value}; possible: {accepted}.",
        "{option} 含有不打的级别：{value}，此处可取：{accepted}。",
    ),
    "needs_hooks": text("There are no hooks: {option} must be {accepted}.", "没有 hooks：{option} 须为 {accepted}。"),
    "no_such_option": text(
        "This ruleset has no option {option}; it has: {accepted}.",
        "本规则没有选项 {option}，可用：{accepted}。",
    ),
    "no_such_value": text(
        "{option} cannot be {value}; possible: {accepted}.", "{option} 不能取 {value}，可取：{accepted}。"
    ),
    "not_in_this_ruleset": text(
        "{option} cannot be changed in this ruleset; it is {accepted}.", "本规则不能更改 {option}，其值为 {accepted}。"
    ),
    "five_players_only": text(
        "{option} can be {value} only with five players; possible: {accepted}.",
        "只有五人时 {option} 才能取 {value}，此处可取：{accepted}。",
    ),
    "declarer_is_fixed": text(
        "With predetermined_declarer the last result decides who declares: {option} must be {accepted}.",
        "启用 predetermined_declarer 时庄家由上一局结果决定：{option} 须为 {accepted}。",
    ),
    "needs_trump_maker": text(
        "{option} {value} needs declarer_by trump_maker; possible: {accepted}.",
        "{option} 取 {value} 需要 declarer_by 为 trump_maker，此处可取：{accepted}。",
    ),
    "needs_active": text(
        "{option} {value} needs active_passive; possible: {accepted}.",
        "{option} 取 {value} 需要启用 active_passive，此处可取：{accepted}。",
    ),
    "rank_is_fixed_before": text(
        "The trump rank is the declarer's level, known before anybody declares: {option} must be {accepted}.",
        "亮主之前庄家的级别已是级牌：{option} 须为 {accepted}。",
    ),
    "rank_is_not_fixed": text(
        "The trump maker becomes declarer, so the level is not known before the round: {option} can be {accepted}.",
        "由定主者坐庄时，开始前没有已定的级别：{option} 可取 {accepted}。",
    ),
    "needs_rotation": text(
        "{option} {value} needs declarer_by rotation; possible: {accepted}.",
        "{option} 取 {value} 需要 declarer_by 为 rotation，此处可取：{accepted}。",
    ),
    "needs_joker_pair": text(
        "The game does not have two identical jokers of this kind: {option} can be {accepted}.",
        "这副牌里没有两张相同的王：{option} 可取 {accepted}。",
    ),
    "needs_joker_declaration": text(
        "{option} {value} needs a joker_declaration other than none; possible: {accepted}.",
        "{option} 取 {value} 需要王可以亮主（joker_declaration），此处可取：{accepted}。",
    ),
    "needs_overcall": text(
        "Nobody may overcall: {option} can be {accepted}.", "不能反主时，{option} 可取 {accepted}。"
    ),
    "other_team_only": text(
        "Only the other team may overcall (overcall_by): {option} must be {accepted}.",
        "只有对方可以反主（overcall_by）：{option} 须为 {accepted}。",
    ),
    "needs_misdeal": text(
        "Nobody may ask for a new deal (misdeal): {option} must be {accepted}.",
        "没有人可以要求重发（misdeal）：{option} 须为 {accepted}。",
    ),
    "needs_two_decks": text(
        "A card has exactly one other copy only with two decks: {option} must be {accepted}.",
        "只有两副牌时才有唯一的“另一张”：{option} 须为 {accepted}。",
    ),
    "play_must_go_on": text(
        "With this throw_failure a failed throw ends the round: {option} must be {accepted}.",
        "甩牌失败即结束本局（throw_failure）：{option} 须为 {accepted}。",
    ),
    "needs_laps": text("{option} needs laps; possible: {accepted}.", "{option} 需要启用 laps，此处可取：{accepted}。"),
    "not_on_the_ladder": text(
        "The ladder of this game has no level {value}: {option} can be {accepted}.",
        "本局的级别中没有 {value}：{option} 可取 {accepted}。",
    ),
    "needs_must_play": text(
        "There are no must_play levels: {option} must be {accepted}.",
        "没有必打级别（must_play）：{option} 须为 {accepted}。",
    ),
    "step_must_reach_threshold": text(
        "{option} cannot be more than the threshold, as {value} is; possible: {accepted}.",
        "{option} 不能大于上台分数，{value} 太大，可取：{accepted}。",
    ),
}
