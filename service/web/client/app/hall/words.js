/** Texts of what hangs on the wall or is printed, in both languages, loaded with their screens. */
import { text } from "../texts/both.js";
import { language, said } from "../texts/texts.js";

const TEXTS = {
  wall: text("Screen for the wall", "大屏显示"),
  sub: text("{game} · {form}", "{game} · {form}"),
  "state.entries": text("{count} entered|{count} entered", "已报名 {count}"),
  "state.round": text("Round {round} of {rounds}", "第 {round} 轮，共 {rounds} 轮"),
  "state.results": text("Round {round}: the results are being collected", "第 {round} 轮：正在统计成绩"),
  "state.between": text("Round {round} of {rounds} is over", "第 {round} 轮已结束，共 {rounds} 轮"),
  "state.played": text("All rounds have been played", "各轮已全部打完"),
  "state.over": text("The event is over", "比赛结束"),
  clock: text("Time left in this round", "本轮剩余时间"),
  until: text("until {until}", "到 {until}"),
  seating: text("Who sits where", "座位"),
  ranks: text("Ranks", "名次"),
  "ranks.after": text("after round {round}", "第 {round} 轮后"),
  entered: text("Entered", "参赛名单"),
  byes: text("Sits out", "轮空"),
  scan: text("Scan to follow on your phone", "扫码在手机上查看"),
  "scan.enter": text("Scan to enter", "扫码报名"),
  qr: text("The link to the event as a QR code", "比赛链接的二维码"),
  page: text("Page {page} of {pages}", "第 {page} 页，共 {pages} 页"),
  offline: text("No connection. The screen catches up by itself.", "连接中断，恢复后会自动更新。"),
  "slips.title": text("Slips", "座位条"),
  slips: text("Slips of round {round}", "第 {round} 轮座位条"),
  "slips.none": text("There are slips while a round is played.", "本轮进行时才有座位条。"),
  print: text("Print", "打印"),
  boards: text("Results board by board", "逐副成绩"),
  "boards.none": text("There are results once a round is over.", "一轮结束后才有成绩。"),
  round: text("Round {round}", "第 {round} 轮"),
  late: text("Not over in time.", "没有按时打完。"),
};

/** Like `t`. @param {keyof typeof TEXTS} key @param {Record<string, string | number>} [values] */
export const say = (key, values) => said(TEXTS[key][language()], values);
