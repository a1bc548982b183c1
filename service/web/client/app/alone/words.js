/** What people read about playing without a network: loaded with these screens alone. */
import { text } from "../texts/both.js";
import { language, said } from "../texts/texts.js";

const TEXTS = {
  title: text("Without a network", "没有网络也能玩"),
  about: text(
    "On a train or in a tunnel you can play against AI players of the easy level, and do the lessons. For that, the rules and the AI players are stored on this device once.",
    "在火车上、隧道里，没有网络也能和简单级别的电脑打牌，也能上课。只要先把规则和电脑存到这台设备上一次。",
  ),
  load: text("Play without a network: {size}", "存下来，没有网络也能玩：{size}"),
  loading: text("Loading {size} …", "正在加载 {size} ……"),
  failed: text("It did not arrive as a whole. Try again when the network is better.", "没有加载完。网络好一些时再试。"),
  stored: text("Stored on this device: this works without a network.", "已存在这台设备上，没有网络也能玩。"),
  drop: text("Remove it from this device", "从这台设备上删除"),
  drop_sure: text("Really remove it, with the games below?", "真的要删除吗？下面的牌局也会删除。"),
  missing: text(
    "It is not stored on this device yet, and there is no network now. Come back here once with a network.",
    "还没有存到这台设备上，现在又没有网络。有网络时再来这里一次。",
  ),
  unable: text(
    "This browser stores nothing for times without a network. That takes an address with https, and no private window.",
    "这个浏览器不能存下来离线使用。需要 https 地址，并且不是无痕窗口。",
  ),
  play: text("Play a round", "打一局"),
  starting: text("Starting. The first time takes a moment …", "正在启动，第一次要等一会儿 ……"),
  lessons: text("Lessons", "上课"),
  games: text("My games without a network", "我的离线牌局"),
  game: text("{game} · {count} round finished|{game} · {count} rounds finished", "{game} · 打完 {count} 局"),
  go_on: text("Go on", "接着打"),
  keep: text("Keep with my past games", "存到我的历史牌局"),
  keep_how: text(
    "The service checks the record and keeps it as practice: it can be replayed and analysed, and counts for no rating.",
    "服务器检查记录后作为练习保存：可以回放、分析，不计入等级分。",
  ),
  kept: text("Kept as practice.", "已作为练习保存。"),
  look: text("Replay", "回放"),
  remove: text("Remove", "删除"),
  elsewhere: text(
    "These games are open in another tab of this browser. Close it, and they go on here.",
    "这些牌局在浏览器的另一个标签页里打开着。关掉那一页，就能在这里接着打。",
  ),
};

/** @param {keyof typeof TEXTS} key @param {Record<string, string | number>} [values] */
export const say = (key, values) => said(TEXTS[key][language()], values);
