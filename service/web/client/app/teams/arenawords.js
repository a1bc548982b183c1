/** Texts of arenas, in both languages; `words.js` has the others. */
import { text } from "../texts/both.js";

export const ARENA = {
  "form.arena": text("Arena", "竞技场"),
  "form.arena.how": text(
    "Single players, for so many minutes. Whoever waits gets a table as soon as enough do, and the next one when it is over. A win gives 2 points; after two wins in a row, twice as many.",
    "个人赛，限时进行。等候的人够一桌即开桌，打完再排下一桌。胜一局得 2 分，连胜两局后加倍。",
  ),
  "ai.after": text("When nobody else waits", "人数不足时"),
  "ai.after.never": text("Go on waiting", "继续等候"),
  "ai.after.seconds": text("AI players after {count} seconds", "{count} 秒后由电脑补位"),
  "arena.minutes": text("How long it goes on", "进行多久"),
  "arena.boards": text("Boards of each table", "每桌几副牌"),
  "arena.seats": text("Players at a table", "每桌人数"),
  "arena.what": text("{game} · {form} · {minutes}", "{game} · {form} · {minutes}"),
  "arena.enter.how": text("You may come and go as you like. What you win stays.", "可随时加入或离开，已得的分保留。"),
  "arena.entered": text("You are in. It begins when the director says so.", "您已报名，由裁判宣布开始。"),
  "arena.plays": text("Your table has begun.", "您的牌桌已开始。"),
  "arena.comes": text("Your next table comes by itself.", "稍后自动为您排桌。"),
  "arena.last": text("No new tables begin. The last ones are being played.", "不再开新桌，最后几桌正在进行。"),
  "arena.waits": text(
    "You wait for a table of {size}: {count} waits.|You wait for a table of {size}: {count} wait.",
    "等候开桌（{size} 人一桌），现有 {count} 人等候。",
  ),
  "arena.break": text("Take a break", "休息"),
  "arena.break.now": text(
    "You take a break: you wanted one, were away, or an AI player has had to play for you. Your points stay.",
    "您正在休息（自己选择、离开太久或曾由电脑代打）。已得的分保留。",
  ),
  "arena.back": text("Play on", "继续参赛"),
  "arena.now": text("Playing now", "正在进行"),
  "arena.until": text(
    "Tables begin until {until}; the last ones count if they are over by {end}.",
    "{until} 前开新桌，最后几桌须在 {end} 前打完才计分。",
  ),
  "arena.waiting": text("{count} waits.|{count} wait.", "{count} 人等候。"),
  "arena.begin": text("Begin the arena", "开始竞技场"),
  "arena.begin.how": text(
    "Everybody who is there gets a table; others may come in later.",
    "在线者随即入座，其他人可以随后加入。",
  ),
  "arena.end": text("End the arena", "结束竞技场"),
  "arena.end.sure": text(
    "Really end it now? Tables that are not over do not count.",
    "确定现在结束？未打完的牌桌不计分。",
  ),
  "arena.over": text("The arena is over.", "竞技场已结束。"),
  streak: text("{count} wins in a row", "{count} 连胜"),
  won: text("won by {names}", "胜者：{names}"),
  "won.none": text("won by nobody", "无人得胜"),
  "counted.arena": text(
    "Adjusted: it broke off, or was left to AI players. Who is to blame has lost.",
    "调整计分：中途结束或由电脑代打，责任方判负。",
  ),
  "rank.arena_points": text("Points", "积分"),
  "penalty.arena": text("Points", "扣积分"),
  "template.arena": text("Arena", "竞技场"),
  "template.arena.how": text(
    "Single players come and go for 45 minutes; a new table as soon as yours is over.",
    "45 分钟内单人随到随打，打完一桌接着排下一桌。",
  ),
};
