/** What people read of the coach, in both languages, loaded with its screens. */
import { text } from "../texts/both.js";
import { language, said } from "../texts/texts.js";

const TEXTS = {
  rounds: text("Rounds", "打过的各局"),
  rounds_how: text(
    "Each round that you have finished, also of games that went no further.",
    "您打完的每一局，牌局没有打完的也在内。",
  ),
  rounds_none: text("No finished round yet.", "还没有打完的局。"),
  games: text("Whole games", "整场牌局"),
  points: text("{points} points", "{points} 分"),
  declarers: text("declarer's side", "庄家方"),
  attackers: text("attacker", "闲家"),
  scores: text("{one} : {other}", "{one}：{other}"),
  practice: text("practice", "练习"),
  replay: text("Replay", "回放"),
  analysis: text("Analysis", "分析"),
  no_replay: text("no replay any more", "已不能回放"),

  mistakes: text("My mistakes by theme", "我的失误分类"),
  mistakes_from: text(
    "From your latest analysed round.|From your latest {count} analysed rounds.",
    "来自您最近 {count} 局分析。",
  ),
  mistakes_none: text(
    "Have rounds of yours analysed: then your mistakes are gathered here, with what they cost.",
    "请先分析您打过的局：失误及其代价会汇总在这里。",
  ),
  mistakes_perfect: text("No mistake that could be measured.", "没有可量出的失误。"),
  theme: text("Theme", "类别"),
  count: text("How often", "次数"),
  cost_a_round: text("Levels a round", "每局级数"),
  worst: text("The worst", "最差的几次"),
  cost: text("−{cost} levels", "−{cost} 级"),
  "theme.bid": text("Declaring", "亮主"),
  "theme.kitty": text("Burying the kitty", "埋底"),
  "theme.friends": text("Calling friends", "叫朋友"),
  "theme.road": text("Choosing a road", "选择目标"),
  "theme.trumps-early": text("Trumps led too early", "过早调主"),
  "theme.trumps-late": text("Trumps not led", "该调主时没调"),
  "theme.wrong-suit": text("Led from the wrong suit", "领出的花色不对"),
  "theme.shape": text("Led too many or too few cards", "领出的牌型不对"),
  "theme.points-given": text("Points given away", "送分"),
  "theme.points-kept": text("Points kept from a trick", "该给的分没给"),
  "theme.let-go": text("Let a trick go", "该拿的一轮没拿"),
  "theme.high-wasted": text("Wasted a high card", "浪费大牌"),
  "theme.wrong-discard": text("Discarded from the wrong suit", "垫错花色"),
  "theme.wrong-card": text("The wrong card of the suit", "同花色出错张"),
  "theme.other": text("Other", "其他"),

  riddles: text("Riddles", "牌题"),
  riddles_how: text(
    "Three a day, from rounds that were really played, without names. One play is clearly best: which one?",
    "每天三题，取自真实牌局，不显示姓名。有一种出法明显最好，您选哪种？",
  ),
  riddles_none: text(
    "No riddles today. They are cut from rounds that people have had analysed, so there are some the day after.",
    "今天没有牌题。牌题取自玩家分析过的局，分析后第二天就会有。",
  ),
  riddles_done: text("All done for today. Come back tomorrow.", "今天的题都做完了，明天再来。"),
  riddle: text("Riddle {number}", "第 {number} 题"),
  level: text("level {level}", "打 {level}"),
  trumps: text("trumps: {trumps}", "主牌：{trumps}"),
  no_trump: text("no-trump", "无主"),
  attackers_have: text("attackers have {points} points", "闲家已得 {points} 分"),
  you_declare: text("you are the declarer", "您坐庄"),
  with_declarer: text("your side declares", "您是庄家方"),
  against: text("you are an attacker; declarer: {who}", "您是闲家，庄家：{who}"),
  "seat.you": text("You", "您"),
  "seat.next": text("Next player", "下家"),
  "seat.across": text("Partner", "对家"),
  "seat.before": text("Previous player", "上家"),
  "seat.number": text("Player {number}", "{number} 号玩家"),
  hand: text("Your hand", "您的手牌"),
  buried: text("You have buried", "您埋的底牌"),
  declared: text("Declared", "亮主"),
  table: text("On the table", "本轮"),
  you_lead: text("You lead.", "该您领出。"),
  earlier: text("The tricks so far", "前面各轮"),
  trick: text("Trick {number}", "第 {number} 轮"),
  ask: text("What do you play?", "您怎么出？"),
  right: text("Right: that is the best play.", "对了，这是最好的出法。"),
  wrong: text("There is a better play. Yours costs {cost} levels.", "还有更好的出法。您选的亏 {cost} 级。"),
  play: text("Play", "出法"),
  value: text("Value", "价值"),
  best: text("best", "最好"),
  chosen: text("Chosen by", "选的人数"),
  yours: text("yours", "您选的"),
};

/**
 * A text in the language of the page.
 * @param {keyof typeof TEXTS} key
 * @param {Record<string, string | number>} [values] for the `{names}` in the text
 */
export const say = (key, values) => said(TEXTS[key][language()], values);

/** A theme of mistakes. @param {string} theme */
export const themeText = (theme) => (`theme.${theme}` in TEXTS ? say(/** @type {any} */ (`theme.${theme}`)) : theme);

/**
 * A seat, counted from the own one, which is 0.
 * @param {number} seat
 * @param {number} players
 */
export function seatText(seat, players) {
  if (seat === 0) return say("seat.you");
  if (seat === 1) return say("seat.next");
  if (seat === players - 1) return say("seat.before");
  return players === 4 ? say("seat.across") : say("seat.number", { number: seat + 1 });
}
