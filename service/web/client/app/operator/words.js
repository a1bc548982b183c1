/** Texts of who may come in, in both languages, loaded with the page of operators. */
import { text } from "../texts/both.js";
import { language, said } from "../texts/texts.js";

const TEXTS = {
  title: text("Registration", "注册"),
  answer: text("What the player reads of your decision", "给玩家的答复"),
  choose: text("Choose for all processes, at once", "立即对全部进程生效"),
  you: text("You act as {name}.", "您的身份：{name}。"),
  unnamed: text("the operator without a name", "未具名的运维人员"),
  operators: text("operators", "运维人员"),
  memo: text("A note for operators (if you like)", "给运维人员的备注（可不填）"),
  codes: text("Registration codes", "注册码"),
  "codes.uses": text("For how many players", "可供几名玩家使用"),
  "codes.days": text("For how many days", "有效天数"),
  "codes.make": text("Make a code", "生成注册码"),
  "codes.made": text("The code, shown only now:", "注册码仅在此显示一次："),
  "codes.left": text("{left} of {uses} left", "共 {uses} 次，还剩 {left} 次"),
  "codes.until": text("until {until}", "至 {until}"),
  "codes.void": text("Void", "作废"),
  "codes.void.sure": text("Nobody can register with it any more.", "此后无人能用它注册。"),
  "codes.void.done": text("The code is void.", "注册码已作废。"),
  blocks: text("Blocked networks", "已封禁的网络"),
  "blocks.how": text(
    "Nobody at these addresses is answered. The proxy in front of the service knows the addresses; the service keeps none.",
    "来自这些地址的请求一律不予答复。地址可在服务前的代理中查到，服务本身不保存。",
  ),
  "blocks.network": text("Address or network, such as 203.0.113.0/24", "地址或网络，如 203.0.113.0/24"),
  "blocks.until": text("Until the end of (empty: for good)", "截至（当天结束；不填则一直有效）"),
  "blocks.add": text("Block", "封禁"),
  "blocks.none": text("Nothing is blocked.", "没有封禁任何网络。"),
  "blocks.end": text("End the block of {network}", "解除对 {network} 的封禁"),
  "blocks.end.sure": text("Everybody there is answered again.", "该网络的所有人将恢复访问。"),
  "blocks.end.done": text("{network} is no longer blocked.", "已解除对 {network} 的封禁。"),
  invited_by: text("let in by", "注册码来自"),
  alike: text("Perhaps the same person", "可能是同一人"),
  "alike.how": text(
    "They share a network or an external account, as far as it was kept for a week. It proves nothing: families and whole towns share an address.",
    "它们在一周内使用过同一网络或同一外部账号。这并不能证明什么：一家人乃至整个城镇都可能共用一个地址。",
  ),
  erased: text("a deleted account", "已删除的账号"),
  "shares.address": text("same network", "同一网络"),
  "shares.identity": text("same external account", "同一外部账号"),
  "registration.setting": text("as the setting REGISTRATION says", "按 REGISTRATION 设置"),
  "registration.open": text("Anybody may register", "任何人都可以注册"),
  "registration.invited": text("Only with a registration code", "仅凭注册码注册"),
  "registration.closed": text("Nobody may register", "暂停注册"),
};

/** Like `t`. @param {keyof typeof TEXTS} key @param {Record<string, string | number>} [values] */
export const say = (key, values) => said(TEXTS[key][language()], values);

/**
 * Like `named`: a name that this page does not know stays as it is.
 * @param {"registration" | "shares"} group
 * @param {string} name
 */
export const sayNamed = (group, name) =>
  `${group}.${name}` in TEXTS ? say(/** @type {keyof typeof TEXTS} */ (`${group}.${name}`)) : name;
