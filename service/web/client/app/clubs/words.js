/** What people read on the pages of clubs: loaded with them alone. */
import { text } from "../texts/both.js";
import { language, said } from "../texts/texts.js";

const TEXTS = {
  clubs: text("Clubs", "俱乐部"),
  club: text("Club", "俱乐部"),
  mine: text("My clubs", "我的俱乐部"),
  none_mine: text("You belong to no club yet.", "您还没有加入俱乐部。"),
  all: text("All clubs", "所有俱乐部"),
  none: text("No club is listed yet.", "还没有公开的俱乐部。"),
  size: text("{count} member|{count} members", "{count} 人"),
  asked: text("you ask to join", "已申请"),
  owner: text("owner", "会长"),
  director: text("director", "干事"),
  member: text("member", "会员"),

  make: text("Make a club", "创建俱乐部"),
  make_how: text(
    "A club has members, and people who run it. You will be its owner.",
    "俱乐部有会员，也有管理的人。您将是会长。",
  ),
  name: text("Name of the club", "俱乐部名称"),
  about: text("What it is about, in one line", "一句话简介"),
  listed: text("Listed: everybody finds it and may ask to join", "公开：所有人都能找到并申请加入"),

  invites: text("You are invited to the club “{name}”", "邀请您加入俱乐部“{name}”"),
  join: text("Join", "加入"),
  ask: text("Ask to join", "申请加入"),
  asked_how: text(
    "You have asked to join. An owner or director of the club will answer.",
    "您已申请加入，等会长或干事回复。",
  ),
  withdraw: text("Withdraw the request", "撤回申请"),

  tables: text("Tables", "牌桌"),
  tables_none: text("No open table.", "没有开着的牌桌。"),
  table_make: text("Open a table for members", "为会员开一桌"),
  events: text("Events", "比赛"),
  events_none: text("No event yet.", "还没有比赛。"),
  event_make: text("Make an event for members", "为会员办比赛"),
  coming: text("takes entries: {count}", "正在报名：{count}"),
  running: text("round {round}", "第 {round} 轮"),
  over: text("over", "已结束"),

  seasons: text("Seasons", "赛季"),
  season: text("Season", "赛季"),
  seasons_none: text("No season yet.", "还没有赛季。"),
  season_make: text("Make a season", "新建赛季"),
  season_name: text("Name of the season", "赛季名称"),
  season_first: text("First day", "第一天"),
  season_last: text("Last day", "最后一天"),
  season_span: text("{first} to {last}", "{first} 至 {last}"),
  season_points: text("What an event counts", "每场比赛怎么计分"),
  percent: text("the percentage of the pair or team", "本队（本对）得分率"),
  beaten: text("a point for each pair or team behind", "每超过一队（一对）得 1 分"),
  places: text("by place: 10, 8, 6, 5, 4, 3, 2, 1", "按名次：10、8、6、5、4、3、2、1"),
  season_best: text("Only the best events of each player (empty: all)", "每人只计最好的几场（留空：全部）"),
  season_best_of: text("best {count} events", "最好 {count} 场"),
  season_all: text("All events of the club count", "俱乐部所有比赛都算"),
  season_events: text("These events count", "计入这些比赛"),
  season_how: text(
    "An event counts by the day on which it began, as soon as it is over, for those who have played at least half of the boards.",
    "比赛按开始的日期计入，结束后生效；至少打了一半副数的人得分。",
  ),
  season_empty: text("Nothing has been played yet.", "还没有比赛结果。"),
  season_standings: text("Standings", "名次"),
  season_counted: text("{count} event|{count} events", "{count} 场"),
  season_line: text("{event}: place {place} of {of}, {points} points", "{event}：第 {place} 名，共 {of}，{points} 分"),
  season_line_not: text(
    "{event}: place {place} of {of}, {points} points, not among the best",
    "{event}：第 {place} 名，共 {of}，{points} 分，未计入",
  ),
  season_runs: text("not over", "未结束"),
  season_change: text("Change the season", "更改赛季"),
  season_delete: text("Delete the season", "删除赛季"),
  season_delete_sure: text("Its standings are gone for good.", "赛季的名次将永久删除。"),
  season_delete_yes: text("Delete for good", "永久删除"),
  points: text("Points", "分数"),
  event_removed: text("Removed event", "已移除的比赛"),
  ranking: text("Ranking of the members", "会员排名"),
  ranking_none: text("No member has played this game yet.", "还没有会员玩过。"),
  ranking_how: text("By the ratings that members have at all tables.", "按会员在所有牌桌上的积分排名。"),

  link: text("Invite", "邀请"),
  link_label: text("Link to the club", "俱乐部的链接"),
  link_how: text("Whoever opens it joins the club. It always works.", "打开就能加入，一直有效。"),
  code: text("Or by the code {code}", "或用俱乐部号 {code}"),
  code_field: text("Join by a code", "用俱乐部号加入"),
  code_open: text("Open", "打开"),
  qr: text("QR code of the link", "链接的二维码"),
  share_text: text("Join our club “{name}”.", "来加入我们的俱乐部“{name}”。"),
  renew: text("New link", "换新链接"),
  renew_sure: text(
    "The old link will lead nowhere. Everybody who belongs to the club stays.",
    "旧链接将失效；已加入的人不受影响。",
  ),
  renew_yes: text("Replace the link", "换链接"),

  requests: text("They ask to join", "申请加入的人"),
  accept: text("Let {name} join", "同意{name}加入"),
  decline: text("Decline {name}", "拒绝{name}"),
  people: text("Members", "会员"),
  people_change: text("Remove somebody, or change roles", "移出会员或更改身份"),
  role_of: text("Role of {name}", "{name}的身份"),
  owner_sure: text(
    "An owner does everything, and keeps that until they give it up themselves.",
    "会长什么都能做，而且只有本人可以卸任。",
  ),
  owner_yes: text("Make an owner", "设为会长"),
  owner_make: text("Make {name} an owner", "让{name}当会长"),
  director_make: text("Make {name} a director", "让{name}当干事"),
  member_make: text("Make {name} a member", "让{name}当普通会员"),
  step_down: text("Be an owner no longer", "卸任会长"),
  step_down_sure: text("The other owners run the club, and you stay a member.", "以后由其他会长管理，您仍是会员。"),
  step_down_yes: text("Step down", "卸任"),
  remove: text("Remove {name}", "移出{name}"),
  remove_sure: text("{name} cannot come back until you allow it.", "您允许之前{name}不能再加入。"),
  remove_yes: text("Remove", "移出"),
  removed: text("Removed", "已移出"),
  readmit: text("Let {name} come back", "让{name}回来"),

  change: text("Change name and description", "更改名称和简介"),
  save: text("Save", "保存"),
  saved: text("Saved", "已保存"),
  leave: text("Leave the club", "退出俱乐部"),
  leave_sure: text("You belong to it no longer. The link lets you in again.", "您将不再是会员。用链接可以再加入。"),
  leave_yes: text("Leave", "退出"),
  last: text(
    "You are its only owner: make somebody else one before you leave, or close the club.",
    "您是唯一的会长：退出前请先让别人当会长，或关闭俱乐部。",
  ),
  close: text("Close the club", "关闭俱乐部"),
  close_sure: text("It is gone for everybody, for good.", "俱乐部将永久关闭，所有人都不能再进入。"),
  close_yes: text("Close for good", "永久关闭"),
  report: text("Report name or description of the club", "举报俱乐部的名称或简介"),
};

/** Like `t`. @param {keyof typeof TEXTS} key @param {Record<string, string | number>} [values] */
export const say = (key, values) => said(TEXTS[key][language()], values);

/** What an event counts; a rule of a later service, by its name. @param {string} points */
export const pointsText = (points) =>
  points === "percent" || points === "beaten" || points === "places" ? say(points) : points;

/** What a role is called; one of a later service, by its name. @param {string} role */
export const roleText = (role) => (role === "owner" || role === "director" || role === "member" ? say(role) : role);
