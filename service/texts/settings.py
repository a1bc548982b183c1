"""What a host sets besides options: one sentence for each setting of a table."""

from typing import Final, NamedTuple

from service.texts import Text, text

#: Setting -> what it decides.
SETTINGS: Final[dict[str, Text]] = {
    "visibility": text(
        "`public` tables are listed in the lobby; `private` ones require the join code.",
        "`public` 的牌桌列在大厅中；`private` 的须凭桌号入座。",
    ),
    "spectators": text(
        "Whether others may watch the game, delayed by `spectator_delay_ms`. `open`: they see all hands and the kitty, "
        "but nothing of a round before it is over.",
        "他人能否旁观，延迟为 `spectator_delay_ms`。`open`：旁观者看到所有手牌和底牌，但一局结束后才能看到该局。",
    ),
    "spectator_delay_ms": text("Delay for spectators.", "旁观的延迟。"),
    "chat": text("Whether chat is allowed.", "是否允许聊天。"),
    "take_back": text("Whether plays may be taken back if the others agree.", "经他人同意能否悔牌。"),
    "ai_pace_ms": text("Delay of AI moves, so that people can follow.", "电脑每步的延迟，便于大家看清。"),
    "takeover_level": text("Level of the AI that plays for an absent player.", "代替离席玩家的电脑的等级。"),
    "hints": text(
        "In which games players may ask for hints: none, those that do not count for ratings, or all.",
        "哪些牌局中可以请求提示：都不可以、不计积分的、全部。",
    ),
    "random_seats": text(
        "Whether seats are drawn at the start of each game, by the shuffle of its first round.",
        "每场开始时是否抽签定座位，由第一局的洗牌决定。",
    ),
    "start_levels": text(
        "Levels with which only the next game begins: for each side (that of seat 0 first) where teams are "
        "fixed, else for each seat. A game that does not begin on one level for all is not rated.",
        "仅下一场的起始级别：固定搭档时按方（先写 0 号座位一方），否则按座位。起始级别不一的牌局不计积分。",
    ),
    "pause_limit_ms": text(
        "How long a game may be paused in all, in milliseconds, if every player at the table agrees (a vote of the "
        "kind `pause`); 0: not at all.",
        "全体玩家同意（`pause` 类投票）时，一场共可暂停多少毫秒；0：不可暂停。",
    ),
    "claims": text(
        "Whether a player who is to lead may claim all tricks that are left.",
        "轮到领出的玩家能否声明赢得余下各轮。",
    ),
    "voice": text(
        "At a table of a room: whether those who sit there may talk. Games at such a table are not rated.",
        "房间的牌桌：入座者能否语音通话。这样的牌局不计积分。",
    ),
    "length": text(
        "How long a game is: so many rounds or minutes, or one round on each of listed levels, if nobody passes the "
        "last level before. Then the higher level wins, after it the side that declares next, then points.",
        "一场打多久：若干局、若干分钟，或按所列级别每级一局；此前有人打过最后一级则照常结束。届时级别高者胜，同级则下局庄家方胜，再比得分。",
    ),
    "deal": text(
        "Creates a practice table whose first round repeats a deal; not together with `seed`.",
        "开一张练习桌，第一局重发某一局的牌；不能与 `seed` 同用。",
    ),
}


class Part(NamedTuple):
    """A part of a setting: what to call it, and what it decides."""

    title: Text
    meaning: Text


#: Part of `length` -> its texts.
LENGTH: Final[dict[str, Part]] = {
    "rounds": Part(
        text("Rounds", "局数"),
        text("After how many rounds a game is over.", "打满多少局结束。"),
    ),
    "minutes": Part(
        text("Minutes", "分钟"),
        text(
            "After how many minutes a game is over, counted from its start without pauses and outages.",
            "开局后多少分钟结束，暂停和故障的时间不计。",
        ),
    ),
    "last_round": Part(
        text("The round that has begun", "已开始的一局"),
        text(
            "Whether the round that has begun when the minutes are over is `played`, as if left out, or `dropped`.",
            "时间到时已开始的一局：`played` 打完并计入（不填即此），`dropped` 作废。",
        ),
    ),
    "levels": Part(
        text("Levels", "级别"),
        text(
            "The level of each round, whoever wins. The game is over after the last of them; who has gained more "
            "levels has won, then who has more points.",
            "各局的级别，不随胜负变化。打完最后一级结束，升级总数多者胜，再比得分。",
        ),
    ),
}
