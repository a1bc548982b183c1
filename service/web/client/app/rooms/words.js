/** What people read on the pages of rooms: loaded with them alone. */
import { text } from "../texts/both.js";
import { language, said } from "../texts/texts.js";

const TEXTS = {
  room: text("Room", "房间"),
  about: text(
    "A room stays: one link for your friends, and everybody sits down whenever they come.",
    "房间一直在：一个链接发给朋友，谁来了谁坐下。",
  ),
  made: text("{name}'s room", "{name}的房间"),
  make: text("Make a room", "建房间"),
  one_table: text("Only one table, with rules of its own", "只开一桌，自定规则"),
  invites: text("You are invited to the room “{name}”", "邀请您来房间“{name}”"),
  play_there: text(
    "{game} · {count} person plays there|{game} · {count} people play there",
    "{game} · {count} 人在这里打牌",
  ),
  watch_there: text("This link is for those who watch.", "这是旁观者的链接。"),
  enter: text("Come in", "进房间"),

  table: text("The table", "牌桌"),
  open_how: text(
    "Take a seat, and the others are told. Nothing is dealt before everybody is ready.",
    "坐下后，其他人会收到通知。所有人准备好才发牌。",
  ),
  watcher: text("You watch in this room.", "您在这个房间旁观。"),
  no_table: text("Nobody has opened a table yet.", "还没有人开桌。"),
  sit: text("Sit down", "坐下"),
  sit_at: text("Sit down: seat {number}", "坐下：{number} 号座位"),
  usual: text("{name} last time", "上次：{name}"),
  playing: text("A game is being played: {names}", "正在打牌：{names}"),
  back: text("Go to the table", "去牌桌"),
  look_on: text("Watch", "旁观"),
  over: text("The last game is over.", "上一场已经结束。"),
  old: text("Look at the old table", "看上一桌"),
  chat: text("Table with chat", "带聊天的牌桌"),

  links: text("Invite", "邀请"),
  players_link: text("Link for those who play", "打牌的链接"),
  players_how: text("Whoever opens it joins the room. It always works.", "打开就能进房间，一直有效。"),
  watchers_link: text("Link for those who watch", "旁观的链接"),
  watchers_how: text("For friends and family who only look on.", "给只想旁观的亲友。"),
  qr: text("QR code of the link", "链接的二维码"),
  share_text: text("Come and play in the room “{name}”.", "来房间“{name}”打牌。"),
  watch_text: text("Come and watch in the room “{name}”.", "来房间“{name}”旁观。"),
  renew: text("New link", "换新链接"),
  renew_sure: text(
    "The old link will lead nowhere. Everybody who is here stays.",
    "旧链接将失效；已经在房间里的人不受影响。",
  ),
  renew_yes: text("Replace the link", "换链接"),

  people: text("Who is here", "房间里的人"),
  people_change: text("Remove somebody, or change the host", "移出他人或换房主"),
  host: text("host", "房主"),
  watching: text("watches", "旁观"),
  remove: text("Remove {name}", "移出{name}"),
  remove_sure: text(
    "{name} loses the seat and cannot come back until you allow it. The link goes on working for all others.",
    "{name}会失去座位；您允许之前不能再进来。链接对其他人仍然有效。",
  ),
  remove_yes: text("Remove", "移出"),
  removed: text("Removed", "已移出"),
  readmit: text("Let {name} come back", "让{name}回来"),
  pass_on: text("Make {name} the host", "让{name}当房主"),
  pass_on_sure: text(
    "{name} will change the rules and links and remove people, and you will not.",
    "以后由{name}改规则、换链接和移出他人，您不再是房主。",
  ),
  pass_on_yes: text("Make the host", "交给对方"),
  leave: text("Leave the room", "退出房间"),
  leave_sure: text(
    "You lose your seat and what is told of you here. The link lets you in again.",
    "您会失去座位，这里关于您的战绩也会删除。用链接可以再进来。",
  ),
  leave_host: text(
    "The one who came first after you becomes host. You lose your seat and what is told of you here.",
    "您之后最早来的人会成为房主。您会失去座位，这里关于您的战绩也会删除。",
  ),
  leave_last: text("Nobody else plays here: the room will be deleted.", "没有别的玩家了：房间将被删除。"),
  leave_yes: text("Leave", "退出"),
  report: text("Report the name of the room", "举报房间名"),

  rules: text("Rules of the room", "房间规则"),
  rules_change: text("Change name and rules", "改房间名和规则"),
  rules_next: text("They count from the next table on.", "从下一桌起有效。"),
  rules_waiting: text("The table that waits still has the rules from before.", "等人的这一桌还是原来的规则。"),
  rules_anew: text("Open it anew with these rules", "按新规则重新开桌"),
  name: text("Name of the room", "房间名"),
  save: text("Save", "保存"),
  saved: text("Saved", "已保存"),
  voice: text("Voices", "语音"),
  voice_on: text("those who sit talk; games are not rated", "入座者可以语音，牌局不计积分"),
  no_clock: text("no clock", "不限时间"),

  played: text("Played here", "战绩"),
  none_played: text("No round yet.", "还没有打过。"),
  levels: text("The next table starts at level {levels}.", "下一桌从 {levels} 级开始。"),
  level_of: text("{names}: {level}", "{names}：{level}"),
  persons: text("By person", "个人"),
  pairs: text("By pair", "搭档"),
  who: text("Who", "谁"),
  rounds: text("Rounds", "局数"),
  won: text("Won", "赢"),
  last_rounds: text("The last rounds", "最近的牌局"),
  won_by: text("{names} won", "{names}赢了"),
  won_levels: text("{names} won {count} level|{names} won {count} levels", "{names}赢，升 {count} 级"),
  won_none: text("Nobody won", "没有人赢"),
  ai: text("AI", "电脑"),
};

/** Like `t`. @param {keyof typeof TEXTS} key @param {Record<string, string | number>} [values] */
export const say = (key, values) => said(TEXTS[key][language()], values);
