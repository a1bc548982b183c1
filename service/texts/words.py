"""Words for codes in the params of problems, and texts of notices."""

from typing import Final

from service.texts import Text, text

#: Name of a Redis -> its words.
REDISES: Final[dict[str | None, Text]] = {
    "tables": text("the tables", "牌桌"),
    "queues": text("the job queues", "任务队列"),
}
#: Code of an action or a decision -> its words in a sentence. None: no code.
WORDS: Final[dict[str | None, Text]] = {
    None: text("the game to start or continue", "牌局开始或继续"),
    "declare": text("a declaration", "亮主"),
    "defend": text("a defence", "应对反主"),
    "pass": text("a pass", "不亮、不反或不炒"),
    "redeal": text("a redeal", "要求重新发牌"),
    "discard": text("a discard", "埋底"),
    "overcall_kitty": text("an overcall for the kitty", "炒底"),
    "overcall-kitty": text("an overcall for the kitty", "炒底"),
    "call": text("a call for friends", "叫朋友"),
    "road": text("a road", "选路"),
    "play": text("a play", "出牌"),
    "claim": text("a claim", "声明赢得余下各轮"),
    "ready": text("players to be ready", "准备"),
    "scored": text("the end of the round", "本局结束"),
    "chat": text("chat", "聊天"),
    "hint": text("a hint", "提示"),
    "vote": text("a vote", "投票"),
    "open_vote": text("a vote", "投票"),
    "cast_vote": text("a vote", "投票"),
    "pause": text("a pause", "暂停"),
    "end_pause": text("the end of the pause", "结束暂停"),
    "take_back": text("a take-back", "悔牌"),
    "take_back_answer": text("an answer to a take-back", "回应悔牌"),
    "answer_take_back": text("an answer to a take-back", "回应悔牌"),
    "give_time": text("more time for somebody", "给别人加时"),
    "sit": text("sitting down", "入座"),
    "kick": text("kicking a player", "移出玩家"),
    "move": text("moving to another seat", "换座位"),
    "seat_ai": text("an AI on a seat", "安排电脑入座"),
    "resume": text("taking a seat back", "收回座位"),
    "entropy": text("entropy", "提供随机数"),
    "invite": text("an invitation", "邀请"),
    "settings": text("a change of settings", "更改设置"),
    "clock": text("letting time pass", "推进时间"),
}

#: Code of a thing that does not exist or is not over -> its words, without an article.
THINGS: Final[dict[str | None, Text]] = {
    "table": text("table", "牌桌"),
    "seat": text("seat", "座位"),
    "player": text("player", "玩家"),
    "ruleset": text("ruleset", "规则"),
    "game": text("game", "牌局"),
    "round": text("round", "局次"),
    "analysis": text("analysis", "分析"),
    "event": text("event", "比赛"),
    "board": text("board", "牌副"),
    "deal": text("deal", "这副牌"),
    "team": text("team", "队伍"),
    "match": text("match", "对阵"),
    "state": text("moment of the round", "时刻"),
    "code": text("code", "代码"),
    "token": text("token", "令牌"),
    "identity": text("linked account", "关联账号"),
    "ticket": text("ticket", "等待"),
    "report": text("report", "举报"),
    "registration_code": text("registration code", "注册码"),
    "block": text("block", "封禁"),
    "vote": text("vote", "投票"),
    "path": text("path", "路径"),
    "webhook": text("webhook", "网络回调"),
    "delivery": text("delivery", "投递"),
    "subscription": text("subscription", "订阅"),
    "sandbox": text("sandbox", "沙盒"),
    "challenge": text("challenge", "挑战"),
    "decision": text("decision", "决定"),
    "holiday": text("holiday", "假期"),
    "problem": text("problem", "问题"),
    "riddle": text("riddle", "牌题"),
}

#: A suit, or the trumps, as in answers and reasons -> its name in a sentence.
SUITS: Final[dict[str, Text]] = {
    "S": text("spades", "黑桃"),
    "H": text("hearts", "红心"),
    "D": text("diamonds", "方块"),
    "C": text("clubs", "梅花"),
    "T": text("trumps", "主牌"),
    "trumps": text("trumps", "主牌"),
}

#: Code of the cause of a suspension -> its words.
CAUSES: Final[dict[str | None, Text]] = {
    "chat": text("what you said", "您的发言"),
    "display_name": text("your name", "您的名字"),
    "cheating": text("cheating", "作弊"),
    "stalling": text("stalling", "故意拖延"),
    "other": text("your conduct", "您的行为"),
}

#: Params whose values are codes -> words of the codes.
SPELT_OUT: Final = {"action": WORDS, "expected": WORDS, "what": THINGS, "cause": CAUSES, "which": REDISES}

#: Title and text of a notice that only tries a webhook. Those of events stand in their rows (`service.account_events`).
TEST_TITLE: Final = text("A test", "测试")
TEST_LINE: Final = text("Notices arrive here.", "通知可以送达这里。")
#: A notice of several tables where a decision takes days.
TURNS_TITLE: Final = text("{count} tables wait for you", "有 {count} 张牌桌在等您")
TURNS_LINE: Final = text("The most urgent one: {game}.", "最急的是：{game}。")
