/** Texts of deals that somebody has sent, in both languages, loaded with their screens. */
import { text } from "../texts/both.js";
import { language, said } from "../texts/texts.js";

const TEXTS = {
  title: text("Play my deal", "打我这副牌"),
  from: text("{name} has sent you a deal", "{name} 请您打一副牌"),
  yours: text("You have sent this deal", "您发送的牌"),
  how: text(
    "You get the same cards as {name} had, from the same seat, and play one round against AI players. Then you see how both of you played. About five minutes, in your own time; whoever has played it sees your name and how you played.",
    "您坐 {name} 的座位，拿同样的牌，与电脑打一局，打完可并排比较两人的打法。约五分钟，随时可打，不限时间；打过的人能看到您的名字和打法。",
  ),
  about: text("{game} · {players} players · seat {seat}", "{game} · {players} 人 · 座位 {seat}"),
  level: text("level {level}", "打 {level}"),
  others: text("AI players on the other seats: {levels}", "其他座位的电脑：{levels}"),
  people: text(
    "{count} other person played it at first; an AI player has that seat now.|{count} other people played it at first; AI players have their seats now.",
    "原局另有 {count} 位玩家，现由电脑代替。",
  ),
  played: text("{count} person has played it so far.|{count} people have played it so far.", "已有 {count} 人打过。"),
  until: text("The link works until {until}.", "链接有效期至 {until}。"),
  play: text("Play this deal", "开打"),
  name: text("A name is enough to play.", "起个名字就能打。"),
  "go.on": text("Go on playing", "继续打"),
  "pass.on": text(
    "Whoever gets the link from you plays the same cards, and is in this comparison, too.",
    "收到链接的人打同样的牌，也会出现在这里。",
  ),
  knows: text(
    "You sat in this round and know the cards, so you cannot play it again.",
    "您参加过这一局，知道牌，不能再打。",
  ),
  back: text("Take the deal back", "收回这副牌"),
  "back.how": text(
    "The link leads nowhere from then on, and nobody sees these lines any more.",
    "收回后链接失效，大家都不再能看到这些打法。",
  ),
  "back.sure": text("Really take it back", "确定收回"),
  nobody: text("Nobody has played it yet. Send the link to a friend.", "还没有人打过。把链接发给朋友吧。"),
  lead: text("{other}: {theirs}. You: {mine}.", "{other}：{theirs}。您：{mine}。"),
  "lead.two": text("{other}: {theirs}. {who}: {mine}.", "{other}：{theirs}。{who}：{mine}。"),
  "points.declarers": text("{points} points given away as declarers", "坐庄，失 {points} 分"),
  "points.attackers": text("{points} points as attackers", "闲家，抓 {points} 分"),
  broken: text("not finished", "没有打完"),
  "parts.trick": text("You part in trick {trick}.", "从第 {trick} 轮起打法不同。"),
  "parts.before": text("You part before the first trick.", "第一轮之前就不同了。"),
  "parts.same": text("You have played the same cards.", "两人打法完全相同。"),
  ladder: text("All who have played it", "打过的人"),
  who: text("Player", "玩家"),
  place: text("Place", "名次"),
  result: text("Result", "结果"),
  parted: text("Parts from you", "与您不同"),
  "parted.trick": text("trick {trick}", "第 {trick} 轮"),
  "parted.before": text("before trick 1", "第一轮前"),
  first: text("first", "原局"),
  beside: text("Compare with {name}", "与 {name} 比较"),
  par: text(
    "AI players on average with these cards: {value}. The figure says by how many points a side is beyond those with which it wins.",
    "电脑拿这副牌的平均成绩：{value}。数字表示超过胜负线的分数。",
  ),
  "par.scores": text(
    "AI players on average with these cards: {value}, as a lead in points.",
    "电脑拿这副牌平均领先 {value} 分。",
  ),
  lines: text("Both lines", "两种打法"),
  trick: text("Trick", "轮"),
  before: text("Before", "之前"),
  same: text("{count} trick is the same|{count} tricks are the same", "有 {count} 轮相同"),
  you: text("You", "您"),
  "does.declare": text("declares", "亮主"),
  "does.redeal": text("new deal", "重新发牌"),
  "does.discard": text("buries", "扣底"),
  "does.reveal": text("shows the kitty", "亮底"),
  "does.overcall_kitty": text("overcalls", "反底"),
  "does.call": text("calls", "叫朋友"),
  "does.road": text("road", "选路"),
  sent: text("Deals that you have sent", "您发送的牌"),
  "sent.none": text(
    "None yet. After a round, “Let a friend play this deal” makes a link.",
    "还没有。一局打完后，点“打我这副牌”即可生成链接。",
  ),
  "sent.when": text("sent {when}", "{when} 发送"),
};

/**
 * A text of these screens.
 * @param {keyof typeof TEXTS} key
 * @param {Record<string, string | number>} [values] for the `{names}` in the text
 */
export const say = (key, values) => said(TEXTS[key][language()], values);

/**
 * What is done in a step.
 * @param {string} type
 */
export const doesText = (type) => {
  const key = `does.${type}`;
  return key in TEXTS ? say(/** @type {keyof typeof TEXTS} */ (key)) : type;
};
