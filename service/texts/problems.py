"""Texts of all problems of the API. Their statuses are in `service.api.http.problems`.

`PROBLEMS` is keyed by the problem's code, `FAULTS` by the code of an entry in `errors`, `REASONS` by `reason` in
`params`. Placeholders are names in `params`; those with codes for values are spelt out (`service.texts.words`).
"""

from typing import Final, NamedTuple

from service.texts import Text, text


class ProblemText(NamedTuple):
    """Title of a problem, and detail of one occurrence."""

    title: Text
    detail: Text


def _problem(title: str, detail: str, title_zh: str, detail_zh: str) -> ProblemText:
    return ProblemText(text(title, title_zh), text(detail, detail_zh))


PROBLEMS: Final[dict[str, ProblemText]] = {
    "invalid-request": _problem(
        "Invalid request",
        "The request is not what this operation expects; see `errors`.",
        "请求无法理解",
        "请求中有不符合此操作要求的内容，详见 `errors`。",
    ),
    "unauthorized": _problem(
        "A valid token is required",
        "Send `Authorization: Bearer` with the token from POST /v1/players.",
        "需要有效的令牌",
        "此操作需要有效的令牌：请在 `Authorization: Bearer` 中发送 POST /v1/players 返回的令牌。",
    ),
    "insufficient-scope": _problem(
        "This token does not allow that",
        "The token lacks {required}. A token with these scopes is made with POST /v1/me/tokens by one that has them.",
        "此令牌权限不足",
        "此令牌缺少权限：{required}。请用拥有这些权限的令牌通过 POST /v1/me/tokens 另建一个令牌。",
    ),
    "suspended": _problem(
        "Your account is suspended",
        "Until {until}, because of {cause}. An AI plays your seats meanwhile, and nothing of your account is lost.",
        "您的账号已被停用",
        "停用至 {until}，原因：{cause}。期间由电脑代您出牌，账号内容不会丢失。",
    ),
    "operators-only": _problem(
        "Only for operators",
        "Send `Authorization: Bearer` with the OPERATOR_TOKEN of the service, or a token of OPERATOR_TOKENS. Without "
        "these, ask from its own machine.",
        "仅供运维人员使用",
        "请在 `Authorization: Bearer` 中发送服务的 OPERATOR_TOKEN 或 OPERATOR_TOKENS 中的令牌；"
        "若未设置，只能从服务所在的机器访问。",
    ),
    "address-blocked": _problem(
        "This address is blocked",
        "The operators of this service have blocked the network from which you come. Use another network, or ask them.",
        "您的网络地址已被封禁",
        "本服务的运维人员封禁了您所在的网络。请换一个网络，或与他们联系。",
    ),
    "registration-closed": _problem("You cannot register", "{reason}", "无法注册", "{reason}"),
    "too-many-codes": _problem(
        "You have made too many registration codes",
        "{limit} may be made in {days} days. Used ones count too; make those void that nobody has used.",
        "注册码过多",
        "{days} 天内最多可生成 {limit} 个注册码，已使用的也计算在内；可将无人使用的作废。",
    ),
    "not-your-seat": _problem(
        "You have no seat here",
        "Only a player who sits at this table can do this.",
        "您不在座位上",
        "只有坐在这张桌上的玩家才能这样做。",
    ),
    "not-host": _problem(
        "Only the host can do this",
        "Only the host of this table can do this.",
        "只有房主可以这样做",
        "这由本桌房主决定。",
    ),
    "private-table": _problem(
        "This table is private",
        "A code opens it: the join code to sit down, the watch code to watch.",
        "这是私人牌桌",
        "需要代码：用桌号入座，用旁观码旁观。",
    ),
    "no-spectators": _problem(
        "Nobody may watch this game",
        "Only its players see this game: the table allows no spectators while a game is on, or is a board of an event.",
        "本局不允许旁观",
        "只有牌手能看到本局：本桌牌局进行时不允许旁观，或者这是比赛中的一副牌。",
    ),
    "not-found": _problem("Not found", "There is no such {what} here.", "未找到", "这里没有这样的{what}。"),
    "method-not-allowed": _problem(
        "Method not allowed",
        "{method} is not supported here; supported: {allowed}.",
        "不支持该方法",
        "此处不能使用 {method}，可用的方法有：{allowed}。",
    ),
    "stale-decision": _problem(
        "Another decision is open",
        "You answered {decision_id}, but the open decision is {open}; see `decision`.",
        "该决定已过时",
        "您回答的是 {decision_id}，而当前待定的是 {open}，详见 `decision`。",
    ),
    "not-your-turn": _problem(
        "It is not your turn",
        "The table is waiting for seat {seats}.",
        "还没轮到您",
        "牌桌正在等待座位 {seats}。",
    ),
    "wrong-phase": _problem(
        "Not possible now",
        "This is not the time for {action}: the table is waiting for {expected}.",
        "现在不能这样做",
        "现在不能{action}，牌桌正在等待：{expected}。",
    ),
    "seat-taken": _problem(
        "The seat is taken", "Somebody else sits on seat {seat}.", "座位已有人", "座位 {seat} 上已有其他玩家。"
    ),
    "table-full": _problem("The table is full", "There is no free seat.", "牌桌已满", "没有空座位了。"),
    "already-seated": _problem(
        "You already have a seat",
        "You sit on seat {seat}; leave it to take another.",
        "您已入座",
        "您正坐在座位 {seat}，请先离座再换座位。",
    ),
    "game-running": _problem(
        "A game is running",
        "This is possible only before a game or between games.",
        "牌局进行中",
        "只有在开局之前或两局之间才能这样做。",
    ),
    "not-finished": _problem(
        "Not finished yet", "This is available once the {what} is over.", "尚未结束", "只有在{what}结束后才能查看。"
    ),
    "hints-off": _problem(
        "This table gives no hints",
        "The setting `hints` of this table is `{hints}`; with `unrated`, games that count for ratings have none. "
        "The `hints` of the open decision itself tell what is legal.",
        "本桌不提供提示",
        "本桌的 `hints` 设置为 `{hints}`；`unrated` 表示计入积分的牌局中不提供。"
        "待定决定自带的 `hints` 会说明哪些选择符合规则。",
    ),
    "no-voice": _problem("Nobody talks at this table", "{reason}", "本桌没有语音", "{reason}"),
    "event-closed": _problem(
        "This event is over",
        "The event {event} ended at {closed_at}. GET /v1/events lists those that are open.",
        "比赛已结束",
        "比赛 {event} 已于 {closed_at} 结束。GET /v1/events 可列出正在进行的比赛。",
    ),
    "not-entered": _problem(
        "You have not entered this event",
        "Enter it with POST /v1/events/{event}/entries, then play its boards.",
        "您没有报名参加该比赛",
        "请先用 POST /v1/events/{event}/entries 报名，再打各副牌。",
    ),
    "board-played": _problem(
        "You have played this board",
        "There is one try at board {board}. Boards that you may still play: {left}.",
        "您已打过这副牌",
        "第 {board} 副牌只能打一次。您还可以打：{left}。",
    ),
    "not-sendable": _problem(
        "This deal cannot be sent",
        "Its cards were laid out in a sandbox, or somebody has sent it to you: pass that link on instead.",
        "这副牌不能发送",
        "这副牌是在沙盒中摆出的，或是别人发给您的：请转发原来的链接。",
    ),
    "too-many-deals": _problem(
        "You have sent too many deals",
        "{limit} links may work at a time. Take one back, or wait until the oldest ends.",
        "您发送的牌过多",
        "同时最多有 {limit} 个链接有效。请收回其中一个，或等最早的一个到期。",
    ),
    "deal-known": _problem(
        "You know these cards",
        "You sat in the round that was sent. The comparison of the deal shows what others make of it.",
        "您知道这副牌",
        "您参加了被发送的那一局。在这副牌的比较中可查看别人的打法。",
    ),
    "deal-full": _problem(
        "Too many players have opened this deal",
        "{limit} players can open a link. Whoever sat in the round can send the deal again.",
        "打开这副牌的人已满",
        "一个链接最多可供 {limit} 名玩家打开。参加过那一局的人可以另行发送。",
    ),
    "not-director": _problem(
        "You do not direct this event",
        "Only a director of the event {event} can do this; directors are named by the one who leads it.",
        "您不是该比赛的裁判",
        "只有比赛 {event} 的裁判才能这样做；裁判由主裁判任命。",
    ),
    "plays-in-event": _problem(
        "You play in this event",
        "Who plays in the event {event} can watch it when it is over.",
        "您是该比赛的选手",
        "比赛 {event} 的选手要等比赛结束后才能旁观。",
    ),
    "not-commentator": _problem(
        "You do not comment on this event",
        "Its director names the commentators of the event {event}, and they comment until it is over.",
        "您不是该比赛的解说",
        "比赛 {event} 的解说由裁判指定，比赛结束后不能再解说。",
    ),
    "entries-closed": _problem(
        "No team can enter any more",
        "Once the first round of the event {event} has begun, teams enter only if its form has a place for late ones, "
        "and until its last round begins. Its director can still change the members of a team.",
        "报名已截止",
        "比赛 {event} 的第一轮开始后，只有赛制还有位置、且最后一轮尚未开始时才能补报。裁判仍可更换队员。",
    ),
    "in-another-team": _problem(
        "A player can be in one team only",
        "{player} is in the team {team}. Take the player out there, or name somebody else.",
        "一名玩家只能参加一支队伍",
        "{player} 已在队伍 {team} 中。请先将其移出，或另选他人。",
    ),
    "too-many-teams": _problem(
        "The event is full",
        "The event has {limit} places, fewer than its entries would need. Its director can still change the members of "
        "a team.",
        "比赛名额已满",
        "比赛共有 {limit} 个名额，容不下这些报名。裁判仍可更换队员。",
    ),
    "too-many-events": _problem(
        "You direct too many events",
        "You may direct {limit} events at a time. Close one that is over.",
        "您主持的比赛过多",
        "您最多可以同时主持 {limit} 场比赛。请关闭已结束的比赛。",
    ),
    "own-team": _problem(
        "You play in this team",
        "Directors decide nothing about their own team, and {team} is yours. It counts what was played or adjusted.",
        "这是您自己的队伍",
        "裁判不能裁定自己队伍的事，而 {team} 是您的队伍。按实际结果或调整计分。",
    ),
    "not-the-last-ruling": _problem(
        "Only the last ruling can be taken back",
        "Another ruling has come after it, or it has been taken back. The log shows the last one.",
        "只能撤销最近一次裁定",
        "此后另有裁定，或该裁定已被撤销。记录中可见最近一次。",
    ),
    "round-not-ready": _problem(
        "The round cannot begin",
        "See `reason`.",
        "本轮还不能开始",
        "见 `reason`。",
    ),
    "round-closed": _problem(
        "The round is over",
        "Round {round} is over, and its boards are open to all. What a board counts can still be changed.",
        "本轮已结束",
        "第 {round} 轮已经结束，各副牌已经公开。裁判仍可更改一副牌的计分。",
    ),
    "match-not-open": _problem(
        "The time of this match cannot be changed",
        "See `reason`.",
        "不能更改这场比赛的时间",
        "见 `reason`。",
    ),
    "bots-only": _problem(
        "Only bots enter this event",
        "It is the ladder of bots. GET /v1/events lists the events of everybody.",
        "只有程序可以参加此比赛",
        "这是程序天梯。GET /v1/events 列出所有人都可以参加的比赛。",
    ),
    "too-many-tokens": _problem(
        "You have too many tokens",
        "You may have {limit} tokens at a time. Delete those that you no longer use; GET /v1/me/tokens lists them.",
        "您的令牌过多",
        "您最多可以同时拥有 {limit} 个令牌。请删除不再使用的令牌；GET /v1/me/tokens 可列出全部。",
    ),
    "too-many-identities": _problem(
        "Too many linked accounts",
        "You may link {limit} accounts of other services. Unlink one that you no longer use.",
        "关联的账号过多",
        "您最多可以关联 {limit} 个其他服务的账号。请解除不再使用的关联。",
    ),
    "identity-taken": _problem(
        "Another player signs in with it",
        "This account of {provider} is linked to another player. Sign in as that player, or link another account.",
        "已被另一位玩家关联",
        "此 {provider} 账号已关联到另一位玩家。请以该玩家身份登录，或关联其他账号。",
    ),
    "last-way-in": _problem(
        "Nothing else leads back to your account",
        "Make a recovery code, add a device or link another account first.",
        "没有其他方式可以找回您的账号",
        "请先生成恢复码、添加设备，或关联其他账号。",
    ),
    "device-too-new": _problem(
        "This device was signed in only a moment ago",
        "For its first five minutes a device can neither add nor end ways into the account: so nobody takes it "
        "over in passing. Use a device that you have had for longer, or try again in a few minutes.",
        "此设备刚刚登录",
        "设备在登录后的前五分钟内不能添加或移除登录方式，以防有人顺手夺走账号。请使用登录更久的设备，或过几分钟再试。",
    ),
    "webhook-inactive": _problem(
        "Nothing is sent to this webhook",
        "Its endpoint has not answered the challenge yet, or it is switched off. Verify it first.",
        "不会向此网络回调发送内容",
        "其地址尚未答复验证请求，或已停用。请先验证。",
    ),
    "too-many-subscriptions": _problem(
        "Too many subscriptions",
        "A player has at most {limit} of this kind. Delete one that is not used any more.",
        "订阅过多",
        "每位玩家最多有 {limit} 个此类订阅。请删除不再使用的订阅。",
    ),
    "name-held": _problem(
        "This name stays for now",
        "An operator has given this name. It can be changed after {until}.",
        "此名称暂时不能更改",
        "此名称由运维人员设定，{until} 之后方可更改。",
    ),
    "nothing-to-appeal": _problem(
        "There is nothing to appeal against",
        "You are not suspended, and no operator has given you your name.",
        "没有可申诉的事项",
        "您的账号未被停用，名称也不是由运维人员设定的。",
    ),
    "appeal-decided": _problem(
        "Your appeal has been decided",
        "An operator has decided on your appeal; GET /v1/me/appeal has the answer. Another appeal is possible only "
        "against another suspension or name.",
        "您的申诉已有结果",
        "运维人员已处理您的申诉，结果见 GET /v1/me/appeal。只有再次被停用或改名时才能再次申诉。",
    ),
    "player-blocked": _problem(
        "You have blocked this player",
        "End the block first; GET /v1/me/blocks lists them.",
        "您已拉黑该玩家",
        "请先解除拉黑；GET /v1/me/blocks 可列出全部。",
    ),
    "too-many-blocks": _problem(
        "You have blocked too many players",
        "You may block {limit} players at a time. End a block that you no longer need.",
        "您拉黑的玩家过多",
        "您最多可以同时拉黑 {limit} 名玩家。请解除不再需要的。",
    ),
    "too-many-friends": _problem(
        "You have too many friends",
        "You may have {limit} friends, with those whom you have asked. End a friendship, or take back what you asked.",
        "您的好友过多",
        "好友与已发出的请求合计最多 {limit} 个。请删除一位好友或撤回一个请求。",
    ),
    "ticket-open": _problem(
        "You are waiting for a game already",
        "GET /v1/me/ticket shows your ticket, DELETE /v1/me/ticket ends it.",
        "您已在等待牌局",
        "GET /v1/me/ticket 可查看您的等待，DELETE /v1/me/ticket 可取消。",
    ),
    "not-friends": _problem(
        "Only friends can wait together",
        "These players are not your friends: {players}. Ask them with PUT /v1/me/friends, or wait without them.",
        "只有好友可以一起等待",
        "以下玩家不是您的好友：{players}。请先通过 PUT /v1/me/friends 请求，或不带他们等待。",
    ),
    "party-busy": _problem(
        "A friend is waiting for a game already",
        "{player} waits for another game. Ask your friend to end that, or wait without.",
        "好友已在等待牌局",
        "{player} 正在等待另一局。请对方先取消，或不带对方等待。",
    ),
    "not-matched": _problem(
        "There is nothing to confirm",
        "You are in no match now. GET /v1/me/ticket shows whether you still wait.",
        "没有可确认的匹配",
        "您目前不在任何匹配中。GET /v1/me/ticket 可查看是否仍在等待。",
    ),
    "too-many-tables": _problem(
        "You host too many tables",
        "You may host {limit} tables at a time. Close one that you no longer need, or wait for a game to end.",
        "您主持的牌桌过多",
        "每位玩家同时最多主持 {limit} 张牌桌。请关闭不再需要的牌桌，或等待其中一局结束。",
    ),
    "too-many-rooms": _problem(
        "You belong to too many rooms",
        "You may belong to {limit} rooms. Leave one that you no longer need.",
        "您加入的房间过多",
        "每位玩家最多加入 {limit} 个房间。请离开不再需要的房间。",
    ),
    "room-full": _problem(
        "The room is full",
        "The room takes {limit} people who play, and as many who watch. Its host can remove somebody.",
        "房间已满",
        "房间最多容纳 {limit} 名玩家和同样多的旁观者。房主可以移出成员。",
    ),
    "removed-from-room": _problem(
        "You have been removed from this room",
        "Its host has removed you, and no link lets you in. The host can let you come back.",
        "您已被移出该房间",
        "房主已将您移出，任何链接都不能让您进入。房主可以让您回来。",
    ),
    "too-many-clubs": _problem(
        "You belong to too many clubs",
        "The limit is {limit}. Leave clubs, or close those, that you do not need any more.",
        "您的俱乐部过多",
        "最多 {limit} 个。请离开或关闭不再需要的俱乐部。",
    ),
    "club-full": _problem(
        "The club has no place left",
        "It takes {limit} at most. Its owners and directors can make room.",
        "俱乐部没有空位了",
        "上限是 {limit}。俱乐部的会长和干事可以腾出位置。",
    ),
    "removed-from-club": _problem(
        "You have been removed from this club",
        "Neither link nor request lets you in. Its owners and directors can let you come back.",
        "您已被移出该俱乐部",
        "链接和申请都不能让您进入。俱乐部的会长和干事可以让您回来。",
    ),
    "club-role-needed": _problem(
        "Your role in the club does not allow this",
        "An owner of the club can do it; what directors may do, a director can do too.",
        "您在俱乐部中的身份不能这样做",
        "会长可以这样做；干事可以做干事能做的事。",
    ),
    "season-over": _problem(
        "The season is over",
        "It ended at {ended_at}, and stays as it is. Make a new season.",
        "赛季已经结束",
        "赛季已于 {ended_at} 结束，不能再更改。请新建一个赛季。",
    ),
    "members-only": _problem(
        "The event is for members of a club",
        "Only members of the club that holds it can play in this event. Ask its director for a link to the club.",
        "这场比赛仅限俱乐部会员",
        "只有主办俱乐部的会员可以参加。请向裁判要俱乐部的链接。",
    ),
    "last-owner": _problem(
        "You are the only owner of the club",
        "Make somebody else an owner first, or close the club.",
        "您是俱乐部唯一的会长",
        "请先让别人成为会长，或者关闭俱乐部。",
    ),
    "only-watching": _problem(
        "You only watch in this room",
        "Those who play open its table and sit down. Its host can send you the link for those who play.",
        "您在该房间仅旁观",
        "开桌和入座的是房间的玩家。房主可以把玩家链接发给您。",
    ),
    "not-accepted": _problem(
        "The player does not take this challenge",
        "What does not fit: {what}. `accepts` of the player's profile says what does.",
        "对方不接受这样的挑战",
        "不符合的项目：{what}。对方资料中的 `accepts` 说明接受哪些挑战。",
    ),
    "challenge-over": _problem(
        "This challenge is over",
        "It is {state}. Make another one.",
        "挑战已结束",
        "该挑战的状态为 {state}，请重新发起。",
    ),
    "version-mismatch": _problem(
        "The table has changed",
        "You named version {expected}, but the table is now at version {actual}.",
        "牌桌已有变化",
        "您所指的是版本 {expected}，牌桌现在是版本 {actual}。",
    ),
    "too-large": _problem(
        "Request body too large",
        "The body may have at most {limit} bytes.",
        "请求过大",
        "请求正文最多 {limit} 字节。",
    ),
    "uri-too-long": _problem(
        "The path is too long",
        "Path and query together must stay below 4,000 bytes.",
        "请求路径过长",
        "路径与查询参数合计不得超过 4000 字节。",
    ),
    "headers-too-large": _problem(
        "The headers are too large",
        "Send at most 100 headers, each below 8,000 bytes.",
        "请求头过大",
        "请求头最多 100 个，每个不得超过 8000 字节。",
    ),
    "unsupported-media-type": _problem(
        "Unsupported media type",
        "The body must be JSON in UTF-8 with `Content-Type: application/json`.",
        "请发送 JSON",
        "请求正文必须是 UTF-8 编码的 JSON，并带有 `Content-Type: application/json`。",
    ),
    "illegal-declaration": _problem(
        "This cannot be declared", "These cards cannot be declared now.", "不能这样亮主", "现在不能用这些牌亮主。"
    ),
    "illegal-discard": _problem(
        "This cannot be the kitty", "These cards cannot be discarded.", "不能这样埋底", "不能把这些牌埋入底牌。"
    ),
    "illegal-call": _problem(
        "This cannot be called", "These cards cannot be called for friends.", "不能这样叫朋友", "不能用这些牌叫朋友。"
    ),
    "illegal-play": _problem(
        "This cannot be played", "These cards cannot be played now.", "不能这样出牌", "现在不能出这些牌。"
    ),
    "cards-not-held": _problem(
        "You do not hold these cards",
        "Not in your hand: {missing}.",
        "您手中没有这些牌",
        "不在您手中的牌：{missing}。",
    ),
    "invalid-option": _problem(
        "Invalid option",
        "The option `{option}` cannot be {value} here; possible: {accepted}.",
        "选项无效",
        "选项 `{option}` 在此不能为 {value}，可用的值：{accepted}。",
    ),
    "too-complex": _problem(
        "Too complex",
        "An exact answer would take more than {budget} steps. Ask about fewer cards.",
        "计算量过大",
        "精确的答案需要超过 {budget} 步运算，请减少牌数再试。",
    ),
    "idempotency-key-reused": _problem(
        "Idempotency-Key already used",
        "This key was used for a different request. Use a new key for each request.",
        "该 Idempotency-Key 已用于其他请求",
        "此前同一个键曾用于不同的请求正文。新的请求请使用新的键。",
    ),
    "precondition-required": _problem(
        "If-Match is required",
        "Send `If-Match` with the ETag of the table as you last read it.",
        "请注明您看到的版本",
        "请在 `If-Match` 中发送您上次读取牌桌时得到的 ETag。",
    ),
    "rate-limited": _problem(
        "Too many requests",
        "The budget `{budget}` of {limit} in {window_s} s is used up; try again in {retry_after_s} s. `GET /v1` says "
        "what it counts.",
        "请求过于频繁",
        "额度 `{budget}`（每 {window_s} 秒 {limit}）已用完，请在 {retry_after_s} 秒后重试。其计量单位见 `GET /v1`。",
    ),
    "too-many-streams": _problem(
        "Too many open streams",
        "You have {limit} event streams and long polls open. Close some; one for each table is enough.",
        "打开的事件流过多",
        "您已打开 {limit} 个事件流或长轮询。请关闭其中一些，每张牌桌一个就够了。",
    ),
    "internal-error": _problem(
        "Internal error",
        "This is a bug in the service. It has been logged with the request id.",
        "服务器出错",
        "这是服务器的问题，已按请求编号记录。",
    ),
    "unavailable": _problem(
        "Temporarily unavailable",
        "A part of the service is unavailable; try again in {retry_after_s} s. It is safe to send the request again.",
        "暂时不可用",
        "服务的一部分暂时无法访问，请在 {retry_after_s} 秒后重试。不会重复执行任何操作。",
    ),
}

FAULTS: Final[dict[str, Text]] = {
    "list_of_teams": text(
        "Line {line} needs a name, then 1 to {count} players, with commas between them.",
        "第 {line} 行应为队名和 1 至 {count} 名队员，以逗号分隔。",
    ),
    "list_of_pairs": text(
        "Line {line} needs 1 to {count} players, with commas between them. A name and a colon may come first.",
        "第 {line} 行应为 1 至 {count} 名玩家，以逗号分隔；前面可加组名和冒号。",
    ),
    "list_of_players": text("Line {line} needs one player.", "第 {line} 行应为一名玩家。"),
    "list_name": text(
        "Line {line}: this cannot be a name: at most 40 letters, digits and signs, in one line.",
        "第 {line} 行：名称无效。名称最多 40 个字符，且不能换行。",
    ),
    "list_unknown": text(
        "Line {line}: {name} is not known. Write a friend code, or the name of a friend or of somebody in the club.",
        "第 {line} 行：找不到 {name}。请填好友码，或好友、俱乐部会员的名字。",
    ),
    "list_ambiguous": text(
        "Line {line}: several people are called {name}. Write the friend code.",
        "第 {line} 行：有多人名为 {name}。请填好友码。",
    ),
    "list_twice": text("Line {line}: {name} is in the list twice.", "第 {line} 行：{name} 在名单中重复。"),
    "list_empty": text("The list has no line with an entry.", "名单中没有报名内容。"),
    "list_too_long": text(
        "The list has more than {limit} entries, the most of this form.", "名单超过本赛制的上限：{limit} 个报名。"
    ),
    "no_such_time_zone": text(
        "There is no such time zone. Send a name such as Europe/Berlin.",
        "没有这个时区。请发送例如 Asia/Shanghai 的名称。",
    ),
    "required": text("This field is required.", "缺少此项。"),
    "unknown": text("There is no such field.", "此处没有这个字段。"),
    "null": text("This must not be null.", "此项不能为 null。"),
    "not_an_object": text("This must be a JSON object.", "此项必须是 JSON 对象。"),
    "not_an_array": text("This must be a JSON array.", "此项必须是 JSON 数组。"),
    "not_a_string": text("This must be a string.", "此项必须是字符串。"),
    "not_an_integer": text("This must be an integer.", "此项必须是整数。"),
    "not_a_boolean": text("This must be true or false.", "此项必须是 true 或 false。"),
    "length": text("This must have {min} to {max} entries or characters.", "长度必须在 {min} 到 {max} 之间。"),
    "range": text("This must be between {min} and {max}.", "此项必须在 {min} 到 {max} 之间。"),
    "choice": text("This must be one of: {accepted}.", "此项必须是以下之一：{accepted}。"),
    "pattern": text("This must match {pattern}.", "此项必须符合格式 {pattern}。"),
    "no_such_card": text("There is no such card.", "没有这样的牌。"),
    "not_a_time": text(
        "This must be a time with its zone (RFC 3339), such as 2026-11-20T19:30:00Z. In a URL write + as %2B.",
        "此项必须是带时区的时间（RFC 3339），例如 2026-11-20T19:30:00Z。在 URL 中请将 + 写作 %2B。",
    ),
    "blank": text(
        "This must have visible characters, and no control characters or line breaks; names have no space at the ends.",
        "此项须有可见字符，不能含有控制字符或换行；名称首尾不能有空格。",
    ),
    "illegible": text(
        "A name has letters of scripts in use, digits, punctuation, symbols and emoji only, marks only on letters, at "
        "most two of them on one, and no space at the ends.",
        "名称只能由现行文字的字母或汉字、数字、标点、符号和表情组成，附加符号只能加在字母上且每个字母最多两个，首尾不能有空格。",
    ),
    "like_ai": text(
        "This looks like the name of an AI player; choose another one.", "此名称与电脑玩家的名称相似，请另选一个。"
    ),
    "beyond_log": text(
        "The last event is {last}. Send the seq of the last event that you got; if this was it, begin again from the "
        "view of the table.",
        "最后一个事件是 {last}。请发送已收到的最后一个 seq；若所发即是，请重新读取牌桌后再继续。",
    ),
    "beyond_account": text(
        "This is later than the last event of the account. Send the id of the last event that you got, or nothing to "
        "begin with a snapshot.",
        "这晚于账号的最后一个事件。请发送已收到的最后一个事件的 id；若不发送，则从快照开始。",
    ),
    "repeated": text("This parameter must be given only once.", "此参数只能出现一次。"),
    "no_such_cursor": text(
        "This is not a cursor of this list. Send the `next_cursor` of its last page as it is, or no cursor to start "
        "from "
        "the beginning.",
        "这不是此列表的游标。请原样发送上一页的 `next_cursor`，或不发送游标以从头开始。",
    ),
    "no_such_place": text(
        "This is not a position in these events. Send the `id` of the last event that you got or `next_after` as it "
        "is, or "
        "nothing to begin with a snapshot.",
        "这不是这些事件中的位置。请原样发送已收到的最后一个事件的 `id` 或 `next_after`；若不发送，则从快照开始。",
    ),
    "invalid": text("This value is not valid.", "此项不符合要求。"),
}

REASONS: Final[dict[str, Text]] = {
    "redis-memory-full": text(
        "Redis of {which} has reached its memory limit (`maxmemory`) and refuses writes: raise it.",
        "{which}的 Redis 已达内存上限（`maxmemory`），拒绝写入：请调高上限。",
    ),
    "redis-disk-full": text(
        "Redis of {which} cannot write to its disk and refuses writes: free space, the disk is probably full.",
        "{which}的 Redis 无法写入磁盘，拒绝写入：磁盘可能已满，请腾出空间。",
    ),
    "redis-read-only": text(
        "Redis of {which} is a replica that takes no writes: give the address of the master.",
        "{which}的 Redis 是只读副本，不接受写入：请改用主节点的地址。",
    ),
    "redis-no-replica": text(
        "Redis of {which} refuses to serve because its replication is broken: look at its master and replicas.",
        "{which}的 Redis 因主从复制中断而拒绝服务：请检查主节点和副本。",
    ),
    "redis-starting": text(
        "Redis of {which} is loading its data and will answer soon.", "{which}的 Redis 正在加载数据，稍后即可使用。"
    ),
    "redis-hanging": text(
        "Redis of {which} accepts connections but does not answer: it hangs, or a command takes too long.",
        "{which}的 Redis 能连接但不响应：可能已挂起，或有命令耗时过长。",
    ),
    "redis-gone": text(
        "Redis of {which} cannot be reached: it is not running, or the network fails.",
        "无法连接{which}的 Redis：它没有运行，或网络不通。",
    ),
    "redis-refusing": text(
        "Redis of {which} answers writes with an error; the log of Redis says which.",
        "{which}的 Redis 对写入返回错误，详见 Redis 的日志。",
    ),
    "no-store": text("A node of the Redis of the tables does not answer.", "牌桌的 Redis 有节点不响应。"),
    "no-noeviction": text(
        "The Redis of the tables deletes data when it is full: set `maxmemory-policy noeviction`.",
        "牌桌的 Redis 在内存用尽时会删除数据：请设置 `maxmemory-policy noeviction`。",
    ),
    "no-appendonly": text(
        "The Redis of the tables keeps no append-only file: set `appendonly yes`.",
        "牌桌的 Redis 没有 AOF 文件：请设置 `appendonly yes`。",
    ),
    "no-time": text(
        "The clocks of this machine and of the Redis of the tables differ: let NTP set both.",
        "本机与牌桌的 Redis 时钟不一致：请用 NTP 校准两者。",
    ),
    "no-replicas": text(
        "A Redis of the tables has more or fewer replicas than `APPEND_REPLICAS`: set it to their number, or start "
        "those that are missing.",
        "牌桌的 Redis 的副本数与 `APPEND_REPLICAS` 不一致：请改正该设置，或启动缺少的副本。",
    ),
    "no-workers": text(
        "No worker has sent a heartbeat for 15 s: start one, or look at its log.",
        "已有 15 秒没有工作进程报告存活：请启动，或查看其日志。",
    ),
    "no-clock": text(
        "No clock has sent a heartbeat for 15 s: start one, or look at its log.",
        "已有 15 秒没有时钟进程报告存活：请启动，或查看其日志。",
    ),
    "no-searchers": text(
        "No searcher has sent a heartbeat for 15 s, although `EXPECTED` names some: start one, or look at its log.",
        "已有 15 秒没有搜索进程报告存活，而 `EXPECTED` 中列有：请启动，或查看其日志。",
    ),
    "no-messengers": text(
        "No messenger has sent a heartbeat for 15 s, although `EXPECTED` names some: start one, or look at its log.",
        "已有 15 秒没有通知进程报告存活，而 `EXPECTED` 中列有：请启动，或查看其日志。",
    ),
    "newer_release": text(
        "A newer release of the service has changed this table, and the process that answers does not know that "
        "release. It will be replaced; try again in {retry_after_s} s. Nothing is lost.",
        "此牌桌已由更新版本的服务修改，而当前应答的进程尚不支持该版本，即将更新。请在 {retry_after_s} 秒后重试，"
        "不会丢失任何内容。",
    ),
    "no_fixed_teams": text(
        "Teams can only play games whose teams stay the same; possible: {accepted}.",
        "团体赛只能采用队伍固定的玩法，可用：{accepted}。",
    ),
    "team_size": text("A team of this event has {count} members.", "本比赛每队须有 {count} 人。"),
    "team_of_ai": text(
        "A team needs a player; not all members can be AI players.", "队中至少要有一名玩家，不能全是电脑。"
    ),
    "player_or_level": text(
        "Each member has either a `player` or the `level` of an AI player.",
        "每名队员须填 `player` 或电脑的 `level`，二者只能填一个。",
    ),
    "not_ones_own_team": text(
        "You can enter a team in which you play; its director enters others.",
        "您只能为自己所在的队伍报名；其他队伍由裁判报名。",
    ),
    "not_its_turn": text(
        "{begun} of {rounds} rounds have begun; the next one is the only one that can.",
        "共 {rounds} 轮，已开始 {begun} 轮；只能开始下一轮。",
    ),
    "round_open": text(
        "Round {round} is being played until {closes_at}. Its director can end it earlier.",
        "第 {round} 轮进行至 {closes_at}。裁判可以提前结束。",
    ),
    "pairing_changed": text(
        "The pairing of round {round} is no longer the one that was read: somebody has entered or left, or a result "
        "has changed. Read it again.",
        "第 {round} 轮的对阵已与之前读取的不同：有人报名或退赛，或成绩有变。请重新读取。",
    ),
    "too_late": text(
        "The event ends at {closes_at}: no table would be over by then. Create another event.",
        "比赛将于 {closes_at} 结束，届时来不及打完任何一桌。请另建比赛。",
    ),
    "team_incomplete": text(
        "These teams lack a member, or one who has agreed: {teams}. Change or withdraw them.",
        "以下队伍缺少队员或有队员尚未确认：{teams}。请更换队员或让其退赛。",
    ),
    "too_few_teams": text(
        "The round needs {fewest} complete entries, each of which has agreed.",
        "开始这一轮至少要有 {fewest} 个已确认的完整报名。",
    ),
    "takes_no_office": text(
        "{player} does not take invitations from you. Name somebody else.",
        "{player} 不接受您的邀请。请另请他人。",
    ),
    "no_office_in_club": text(
        "Only owners and directors of the club can direct its events. Give {player} a role in the club first.",
        "只有俱乐部的会长和干事才能担任其比赛的裁判。请先在俱乐部中为 {player} 设定职务。",
    ),
    "too_many_directors": text(
        "An event has at most {limit} directors. Remove one first.",
        "一场比赛最多 {limit} 名裁判。请先移除一名。",
    ),
    "too_many_named": text(
        "An event can have {limit} directors in all, with those who have been removed. Name one of these again.",
        "一场比赛前后总共最多 {limit} 名裁判，已移除的也计算在内。可以重新任命其中一人。",
    ),
    "too_many_notes": text(
        "An event has at most {limit} notes within a day. Tell people at their tables, or wait.",
        "每场比赛一天内最多发 {limit} 条通知。请当面告知，或稍后再发。",
    ),
    "link_needed": text(
        "This event takes entries by a link that its directors give away. Ask one of them for it.",
        "本比赛只接受通过链接报名。请向裁判索取报名链接。",
    ),
    "leads_event": text(
        "{player} leads the event. Pass on the lead to another director first.",
        "{player} 是主裁判。请先将主裁判之职交给另一名裁判。",
    ),
    "too_many_commentators": text(
        "Those who have said something stay named; an event can have {limit} commentators in all.",
        "说过话的解说会保留；一场比赛总共最多 {limit} 名解说。",
    ),
    "too_many_comments": text(
        "You may say {limit} things about an event. Take some back.",
        "每场比赛您最多发表 {limit} 条解说。请先删除一些。",
    ),
    "ends_before_it_begins": text("It has to end after it begins.", "结束时间须晚于开始时间。"),
    "season_too_long": text("A season lasts 400 days at most ({limit} ms).", "赛季最长 400 天（{limit} 毫秒）。"),
    "too_many_rounds": text("There can be {limit} rounds at most.", "最多 {limit} 轮。"),
    "fixture_too_short": text(
        "A fixture of a league lasts a day at least ({limit} ms).", "联赛每轮至少一天（{limit} 毫秒）。"
    ),
    "round_too_long": text(
        "A round lasts a week at most ({limit} ms), unless the event is a league.",
        "每轮最长一周（{limit} 毫秒），联赛除外。",
    ),
    "league_too_long": text(
        "A league lasts 31 weeks at most: with so many rounds, a fixture may last {limit} ms. Choose fewer or shorter "
        "ones.",
        "联赛最长 31 周：轮数这么多时，每轮最长 {limit} 毫秒。请减少轮数或缩短每轮时间。",
    ),
    "time_not_in_round": text(
        "The match has to be played in its fixture: name a time that is to come, before the fixture ends.",
        "比赛须在本轮内进行：请选择尚未到来且早于本轮结束的时间。",
    ),
    "begun": text("The match has begun.", "这场比赛已经开始。"),
    "too_many_times": text(
        "Your team may propose {limit} times for a match. You can still agree to one of the others, or be ready.",
        "贵队每场最多提议 {limit} 次时间。您仍可同意对方的提议，或表示随时可以开始。",
    ),
    "not_of_this_form": text(
        "Events of this form cannot be ranked so; possible: {accepted}.", "这种赛制不能这样排名，可用：{accepted}。"
    ),
    "of_arena": text("Only an arena has {field}: leave it out.", "只有竞技场才有 {field}：请去掉。"),
    "not_in_arena": text(
        "An arena has none: {field}. Its tables play no deals of others. Take a penalty, or another form.",
        "竞技场没有 {field}：各桌的牌互不相同。请改用罚分，或换一种赛制。",
    ),
    "own_place": text(
        "In an arena, a place and its points are those of one player. Withdraw this player and enter the other one.",
        "竞技场中座位和积分只属于一位玩家。请先让此人退出，再为另一人报名。",
    ),
    "put_out": text(
        "A director has taken you out of this event. Ask a director: only they bring you back.",
        "裁判已让您退出本次比赛，只有裁判可以让您恢复参赛，请与裁判联系。",
    ),
    "arena_too_long": text(
        "Tables of an arena begin for four hours at most ({limit} ms).", "竞技场最长四小时（{limit} 毫秒）。"
    ),
    "too_many_boards_at_table": text(
        "A table of an arena plays {limit} boards at most, before its people wait again.",
        "竞技场每桌最多连打 {limit} 副牌，然后重新排桌。",
    ),
    "too_many_seats": text(
        "A table of an arena has {limit} seats at most: choose fewer players.",
        "竞技场每桌最多 {limit} 人：请减少人数。",
    ),
    "one_line": text("Only a Mitchell movement can have two winners.", "只有米切尔制可以分两组排名。"),
    "nobody_sits_out": text(
        "Only pairs can sit out: in this form AI players take the free places.",
        "只有双人赛可以轮空：这种赛制由电脑补上空缺。",
    ),
    "ruling_by": text("A ruling in this event has one of {accepted}.", "本比赛的裁定须填以下之一：{accepted}。"),
    "no_penalty": text(
        "The ranks of this event follow from {ranks}, from which a penalty cannot be taken. Decide a board instead.",
        "本比赛按 {ranks} 排名，无法从中扣分。请改为裁定一副牌。",
    ),
    "name_needed": text("A team needs a name.", "队伍须有队名。"),
    "no_draw": text(
        "An order counts only in the first round of a form that draws once, such as a knock-out: leave `order` out.",
        "只有一次抽签定赛程的赛制（如淘汰赛）才能在第一轮指定顺序：请去掉 `order`。",
    ),
    "no_web_push": text("This service has no Web Push.", "此服务未启用网页推送。"),
    "no_relay": text("This service has no relay to the push services of phones.", "此服务未连接手机推送中继。"),
    "push_host": text(
        "Only push services of browsers are called: hosts of {hosts}.", "只调用浏览器的推送服务：{hosts}。"
    ),
    "push_key": text(
        "This must be {bytes} bytes as base64url, as the browser gives it.", "须为浏览器给出的 {bytes} 字节 base64url。"
    ),
    "device_token": text(
        "This is no token of APNs or FCM: it begins with a letter or digit, and has only those and _ : . = + ~ -.",
        "这不是 APNs 或 FCM 的令牌：须以字母或数字开头，且只含字母、数字和 _ : . = + ~ -。",
    ),
    "webhook_url": text(
        "This URL cannot be called: it needs https and a host name, no fragment or spaces, and at most 1,000 ASCII "
        "characters.",
        "这不是可调用的网址：须为 https 加主机名，不含片段和空格，最多 1,000 个 ASCII 字符。",
    ),
    "webhook_scheme": text("Only https is called.", "只调用 https 网址。"),
    "webhook_credentials": text(
        "The URL must not hold credentials; what is sent is signed.", "网址中不能含有用户名或密码；发送的内容带有签名。"
    ),
    "webhook_port": text("Only these ports are called: {ports}.", "只调用以下端口：{ports}。"),
    "webhook_host": text(
        "The host must be a name in the public domain name system, such as bot.example.net; addresses are not called.",
        "主机须为公共域名，例如 bot.example.net；不调用 IP 地址。",
    ),
    "webhook_own_host": text("The service does not call itself.", "服务不会调用自身。"),
    "webhook_own_network": text(
        "This name leads to an address that is not on the public internet.", "此域名指向的地址不在公共互联网上。"
    ),
    "webhook_unknown_host": text("There is no such host.", "没有这样的主机。"),
    "webhook_format": text("This format is only for endpoints at {hosts}.", "此格式只能用于以下主机的网址：{hosts}。"),
    "fields": text("Some fields are invalid; see `errors`.", "部分字段不符合此操作的要求，详见 `errors`。"),
    "duplicate_name": text("An object has the name `{name}` twice.", "同一对象中出现了两个 `{name}`。"),
    "weak_key": text(
        "Somebody else may send this key too. Send a UUID that is random (version 4 or 7) and yours alone.",
        "此幂等键可能与他人重复。请使用自己随机生成的 UUID（版本 4 或 7）。",
    ),
    "vote_to_end": text(
        "Others are playing too. Ask them with a vote to `abandon` the game, and close the table then.",
        "还有其他玩家在局中。请先发起 `abandon` 投票结束本局，再关闭牌桌。",
    ),
    "not_json": text(
        "The body is not valid JSON (line {line}, column {column}).",
        "请求正文不是有效的 JSON（第 {line} 行第 {column} 列）。",
    ),
    "not_utf8": text("The body is not UTF-8.", "请求正文不是 UTF-8 编码。"),
    "too_deep": text(
        "The body nests arrays or objects deeper than the service reads; no operation needs more than 20 levels.",
        "请求正文中数组或对象嵌套过深；任何操作都用不到 20 层以上。",
    ),
    "too_many_values": text(
        "The body has more than {limit} values: each number, text, array and object counts.",
        "请求正文中的值超过 {limit} 个：每个数、字符串、数组和对象都计为一个。",
    ),
    "number_too_large": text(
        "The body has a number that is too large: at most 1.7e308, and at most 4,300 digits.",
        "请求正文中有过大的数：不得超过 1.7e308，也不得超过 4300 位。",
    ),
    "lone_surrogate": text(
        "The body has half of a surrogate pair, such as \\ud800: a character above U+FFFF takes two \\u escapes.",
        "请求正文中有不成对的代理项（如 \\ud800）：U+FFFF 以上的字符须写成两个 \\u 转义。",
    ),
    "content_encoding": text(
        "`Content-Encoding: {encoding}` is not supported. Send the body uncompressed, without this header.",
        "不支持 `Content-Encoding: {encoding}`。请发送未压缩的正文，且不带此请求头。",
    ),
    "bad_http": text("The request is not valid HTTP.", "请求不符合 HTTP 规范。"),
    "too_slow": text("The request body did not arrive within {seconds} s.", "请求正文未能在 {seconds} 秒内全部到达。"),
    "header": text(
        "The header {header} is malformed; an example: {example}.", "无法理解请求头 {header}，其格式如 {example}。"
    ),
    "beyond_log": text(
        "The header {header} is {value}, but the last event is {last}. Send the seq of the last event that you got; "
        "without one, a stream begins with the table as it is.",
        "请求头 {header} 为 {value}，但最后一个事件是 {last}。请发送已收到的最后一个 seq；若不发送，则从当前牌桌开始。",
    ),
    "beyond_account": text(
        "The header {header} is later than the last event of the account. Send the id of the last event that you got, "
        "or nothing to begin with a snapshot.",
        "请求头 {header} 晚于账号的最后一个事件。请发送已收到的最后一个事件的 id；若不发送，则从快照开始。",
    ),
    "seed_or_deal": text("Send either `seed` or `deal`.", "请发送 `seed` 或 `deal` 其中之一。"),
    "sandbox_or_deal": text("Send either `sandbox` or `deal`.", "请发送 `sandbox` 或 `deal` 其中之一。"),
    "deal_size": text(
        "{place} cannot have {given} cards here; at most {most}.", "{place} 不能有 {given} 张牌，最多 {most} 张。"
    ),
    "deal_cards": text(
        "The game does not have these cards, or not so many of them: {cards}.",
        "牌副中没有这些牌，或没有这么多：{cards}。",
    ),
    "deal_for_more_seats": text(
        "The deal names seats that a table for {players} does not have.", "这副牌提到 {players} 人桌没有的座位。"
    ),
    "clock_of_both_forms": text(
        "A clock counts either in hours or in seconds. Send `correspondence` without {settings}.",
        "计时以小时或以秒为单位，二者选一。请发送 `correspondence`，不带 {settings}。",
    ),
    "hours_of_one_form": text(
        "`correspondence` needs either `decision_hours` alone, or `bank_hours`, `gain_hours` and `most_hours`.",
        "`correspondence` 须只有 `decision_hours`，或者有 `bank_hours`、`gain_hours` 和 `most_hours` 三项。",
    ),
    "timed_deal_by_correspondence": text(
        "Cards dealt one by one need everybody at the same time. Choose `deal_pace` `instant`, or a clock in seconds.",
        "逐张发牌需要所有人同时在场。请将 `deal_pace` 设为 `instant`，或改用以秒计时。",
    ),
    "text_or_preset": text("Send either `text` or `preset`.", "请发送 `text` 或 `preset` 其中之一。"),
    "no_such_preset": text("There is no such preset; possible: {accepted}.", "没有这个预设，可用：{accepted}。"),
    "chat_length": text("A message must have 1 to {longest} characters.", "消息长度为 1 到 {longest} 个字符。"),
    "no_such_vote": text("There is no such vote; possible: {accepted}.", "没有这种投票，可用：{accepted}。"),
    "vote_seat": text(
        "`replace` needs the seat of a human player (possible: {accepted}); other votes have no seat.",
        "`replace` 须指明真人玩家的座位，其他投票不指明座位；真人玩家的座位：{accepted}。",
    ),
    "round_running": text(
        "A round is being played. This is possible before a game, between its rounds and after it.",
        "本局正在进行。只有在开局之前、两局之间或结束之后才能这样做。",
    ),
    "seat_in_game": text(
        "The player on seat {seat} plays in this game. Between rounds only AI players, and players who have gone, can "
        "be removed.",
        "座位 {seat} 的玩家正在局中。两局之间只能移出电脑玩家或已离开的玩家。",
    ),
    "setting_in_game": text(
        "Between the rounds of a game {settings} cannot be changed; possible: {accepted}.",
        "牌局未结束时，两局之间不能更改 {settings}，可更改的有：{accepted}。",
    ),
    "vote_open": text(
        "A vote is open, and who sits where decides it. Wait until it is closed.",
        "投票正在进行，请等待其结束后再更换座位。",
    ),
    "no_levels": text("This game has no levels.", "这种玩法没有级别。"),
    "rounds_or_levels": text(
        "Listed `levels` say how many rounds there are. Send either `levels` or `rounds`.",
        "所列 `levels` 已决定局数。请发送 `levels` 或 `rounds` 其中之一。",
    ),
    "last_round_needs_minutes": text(
        "`last_round` says what happens when the minutes are over. Send `minutes` too, or leave it out.",
        "`last_round` 说明时间到时如何处理。请同时发送 `minutes`，否则请去掉它。",
    ),
    "levels_are_listed": text(
        "The `length` lists the level of each round, so a game has no levels to start with. Leave out either "
        "`start_levels` or `length.levels`.",
        "`length` 已列出各局的级别，没有起始级别可言。请去掉 `start_levels` 或 `length.levels`。",
    ),
    "start_levels_count": text("This game needs {count} levels here.", "此处需要 {count} 个级别。"),
    "kicked": text(
        "The host has removed you from this table. To come back, ask for its new join code.",
        "房主已将您移出本桌。如需回来，请向房主索取新的桌号。",
    ),
    "bad_ticket": text(
        "This stream ticket is unknown, used or expired, or it is for other events: a ticket opens one stream, within "
        "60 s. Get another one with POST {path}.",
        "此凭证不存在、已使用、已过期或属于其他事件：每张凭证只能在 60 秒内打开一个事件流。请用 POST {path} 另取一张。",
    ),
    "several_games": text(
        "Another game begins at line {line}. Send each game by itself.",
        "第 {line} 行起是另一局游戏。请每次只发送一局。",
    ),
    "unknown_code": text(
        "No table has this code: it is mistyped, the table is over, or the host has changed its code. Ask the host for "
        "the present one.",
        "没有使用此代码的牌桌：输入有误、牌桌已结束，或房主已更换代码。请向房主索取现用的代码。",
    ),
    "code_letters": text(
        "No code here contains {letters}: something was misread. Look at the code again.",
        "这里的代码不含 {letters}，想必看错了。请再核对一遍。",
    ),
    "code_length": text(
        "This code should have {expected} letters and digits, but {length} were sent. Look at the code again.",
        "此代码应有 {expected} 个字母和数字，但收到 {length} 个。请再核对一遍。",
    ),
    "void_link_code": text(
        "This link code does not work: it is mistyped, used, older than five minutes, or the device that showed it has "
        "been signed out. Ask that device for another one (POST /v1/me/link-codes).",
        "此关联码无效：输入有误、已使用、已超过五分钟，或生成它的设备已退出登录。"
        "请在该设备上重新获取（POST /v1/me/link-codes）。",
    ),
    "void_sign_in_code": text(
        "This code does not work: it is used, older than a minute, or belongs to a sign-in that was begun elsewhere. "
        "Sign in again.",
        "此代码无效：已使用、已超过一分钟，或属于在别处开始的登录。请重新登录。",
    ),
    "identity_of_nobody": text(
        "No player is linked to this account. Register, then link it (POST /v1/me/identities).",
        "没有玩家关联此账号。请先注册，再进行关联（POST /v1/me/identities）。",
    ),
    "bad_return_to": text(
        "'return_to' must be a path of this service, or an address of a web client that the operator has named, and "
        "have no parameter 'api'.",
        "'return_to' 必须是本服务的路径，或运营者指定的网页客户端的地址，且不能带参数 'api'。",
    ),
    "bad_challenge": text(
        "'challenge' must be the SHA-256 of the verifier as base64url: 43 letters, digits, - and _.",
        "'challenge' 必须是 verifier 的 SHA-256（base64url）：43 个字母、数字、- 和 _。",
    ),
    "void_user_code": text(
        "No device shows this code: it is mistyped, older than ten minutes, or used. Start again on the device.",
        "没有设备显示此代码：输入有误、已超过十分钟，或已使用。请在设备上重新开始。",
    ),
    "answered_user_code": text(
        "This device has its answer already: it was allowed or denied, and the first answer counts. To change it, "
        "start again on the device, or sign it out.",
        "此设备已得到答复：已被允许或拒绝，以先到的答复为准。如需更改，请在设备上重新开始，或将其退出登录。",
    ),
    "bad_redirect_uri": text(
        "The app does not say where to lead you back, so it cannot be told what is wrong. It must send one "
        "`redirect_uri`: https, http on 127.0.0.1, or a scheme with a dot.",
        "该应用没有说明把您带回何处，因此无法告知它哪里有误。它必须给出一个 `redirect_uri`：https 地址、"
        "127.0.0.1 的 http 地址，或带点的自定义协议。",
    ),
    "void_recovery_code": text(
        "This recovery code does not work: it is mistyped, used, or a newer one has replaced it.",
        "此恢复码无效：输入有误、已使用，或已被新的恢复码取代。",
    ),
    "lasting_token": text(
        "This token expires, and a recovery code or a linked account does not. Use a token that does not expire.",
        "此令牌会过期，而恢复码和关联的账号不会。请使用不会过期的令牌。",
    ),
    "too_many_commands": text(
        "You have done {most} things beside the game in this round; go on in the next one.",
        "您在本局中除出牌之外的操作已达 {most} 次，请在下一局再继续。",
    ),
    "chat_full": text(
        "This table has had {most} messages, and takes no more; open a new table.",
        "本桌的消息已满 {most} 条，不再接受新消息，请另开一桌。",
    ),
    "table_used_up": text(
        "This table has seen enough games; open a new one.", "本桌已进行了足够多的牌局，请另开一桌。"
    ),
    "vote_present": text(
        "The player on seat {seat} is there; only an absent player can be replaced.",
        "座位 {seat} 的玩家在场，只能替换不在场的玩家。",
    ),
    "vote_one_side": text(
        "Before its first round is finished, a rated game ends early only with players of both sides, and the other "
        "side has left. Play on to the end of the round, or leave your seat: an AI takes over.",
        "首局打完之前，计入积分的牌局须由双方玩家同意才能提前结束，而另一方已离开。请打完本局，或离开座位由电脑接手。",
    ),
    "vote_unrated": text(
        "This game does not count for ratings, so nobody wins it by forfeit. Vote to `end_early` or to `abandon` it.",
        "本场牌局不计入积分，不能判对方弃权。请发起 `end_early` 或 `abandon` 投票。",
    ),
    "vote_not_left": text(
        "You win by forfeit only after a finished round, and once all opponents have left or have been away for five "
        "minutes.",
        "至少打完一局，且所有对手都已离开或离线满五分钟后，才能判对方弃权。",
    ),
    "vote_too_soon": text(
        "You lost a vote just now; open another one in {retry_after_s} s.",
        "您刚发起的投票未获通过，请在 {retry_after_s} 秒后再发起。",
    ),
    "paused": text(
        "The game is paused. Any player ends the pause: `DELETE` the `pause` of the table.",
        "牌局已暂停。任何玩家都可以结束暂停：对牌桌的 `pause` 使用 `DELETE`。",
    ),
    "no_pauses": text(
        "Games at this table are not paused: its `pause_limit_ms` is 0.",
        "本桌的牌局不能暂停（`pause_limit_ms` 为 0）。",
    ),
    "pauses_used_up": text("This game has been paused for as long as it may be.", "本场牌局的暂停时间已用完。"),
    "no_claims": text("Tricks cannot be claimed at this table.", "本桌不能声明赢得余下各轮。"),
    "claim_when_leading": text(
        "Claim the tricks that are left when it is your turn to lead.", "轮到您领出时才能声明赢得余下各轮。"
    ),
    "claimed_already": text(
        "Your claim was wrong; play on. You can claim again in the next round.",
        "您的声明不成立，请继续出牌；下一局可再声明。",
    ),
    "remind_needs_days": text(
        "A clock that only reminds counts in hours. Send `correspondence` too, or another `on_timeout`.",
        "只提醒的计时须以小时为单位。请同时发送 `correspondence`，或换一个 `on_timeout`。",
    ),
    "days_without_party": text(
        "A game of days is joined alone. Open a table with `clock.correspondence` and invite your friends there.",
        "按小时计时的牌局只能单独加入。请创建带 `clock.correspondence` 的牌桌并邀请好友。",
    ),
    "days_without_window": text(
        "A game of days has no limits of ratings. Leave out `rating`.", "按小时计时的牌局不限积分；请去掉 `rating`。"
    ),
    "time_needs_days": text(
        "More time can be given at tables that take days: this one counts in seconds (no `clock.correspondence`).",
        "只有按小时计时的牌桌可以加时；本桌以秒计时（没有 `clock.correspondence`）。",
    ),
    "time_not_asked": text(
        "The table does not wait for a player on seat {seat} now. Give more time while it does.",
        "现在等的不是座位 {seat} 的玩家；轮到时才能给其加时。",
    ),
    "time_for_own_side": text(
        "More time is for opponents: neither for yourself nor for your partner.", "只能给对手加时，不能给自己或搭档。"
    ),
    "too_much_time": text(
        "A decision has at most {most} hours left. Give fewer.", "一次决定最多剩余 {most} 小时；请少加一些。"
    ),
    "too_many_quiet_hours": text(
        "Quiet hours are at most {most} hours of a day. Choose fewer.", "休息时间每天最多 {most} 小时；请缩短。"
    ),
    "no_such_day": text("There is no such day. Send one as in 2026-12-24.", "没有这一天。请按 2026-12-24 的格式发送。"),
    "holiday_ends_first": text(
        "The holiday would end before it begins. Choose a later `last` day.", "假期的结束早于开始；请把 `last` 改晚。"
    ),
    "holiday_in_the_past": text(
        "A holiday begins today ({first}) or later. Choose a later `first` day.",
        "假期须从今天（{first}）或以后开始；请把 `first` 改晚。",
    ),
    "holiday_too_far": text(
        "A holiday ends within {days} days. Choose an earlier `last` day.",
        "假期须在 {days} 天内结束；请把 `last` 改早。",
    ),
    "holidays_used_up": text(
        "Of the {most} days of holiday of {year}, {left} are left. Take fewer days.",
        "{year} 年的 {most} 天假期还剩 {left} 天；请减少天数。",
    ),
    "too_many_holidays": text(
        "You have {most} holidays already. Take back one that has not begun, or a longer one later.",
        "您已有 {most} 个假期。请取消一个尚未开始的，或以后合成一个较长的。",
    ),
    "holiday_over": text(
        "This holiday is over. Only one that lasts can be ended.", "这个假期已经结束；只能结束尚未过去的假期。"
    ),
    "orders_need_days": text(
        "Standing orders are for tables that take days: this one counts in seconds (no `clock.correspondence`).",
        "预令只用于按小时计时的牌桌；本桌以秒计时（没有 `clock.correspondence`）。",
    ),
    "orders_need_a_game": text(
        "There is no game yet. Give standing orders once it has begun.", "牌局尚未开始；开始后才能设预令。"
    ),
    "orders_too_long": text(
        "Standing orders have at most {most} bytes as JSON. Send fewer or shorter ones.",
        "预令的 JSON 最多 {most} 字节；请减少或缩短。",
    ),
    "order_without_cards": text(
        "An order that plays `cards` needs them. Send `cards`.", "`do` 为 `cards` 的预令须有要出的牌；请发送 `cards`。"
    ),
    "order_without_decisions": text(
        "An order to pass needs the decisions at which to pass. Send `decisions`.",
        "`do` 为 `pass` 的预令须说明在哪些决定中不出声；请发送 `decisions`。",
    ),
    "order_of_other_fields": text(
        "An order that does `{do}` has no {settings}. Leave them out.", "`do` 为 `{do}` 的预令没有 {settings}；请去掉。"
    ),
    "order_never_comes": text(
        "No decision at this table lets an order do `{do}` in this way. Leave the order out.",
        "本桌没有能让 `{do}` 预令生效的决定；请去掉这条预令。",
    ),
    "record_format": text(
        "This is not the record of a game; `format` must be {accepted}.", "这不是牌局记录，`format` 须为 {accepted}。"
    ),
    "long_record": text(
        "A record of at most {limit} bytes is checked at once. Send some of its `rounds` at a time: each is checked by "
        "itself.",
        "一次最多验证 {limit} 字节的记录。请分几次发送其中的 `rounds`，各局单独验证。",
    ),
    "many_steps": text(
        "Checking this record would take more than {budget} steps. Send some of its `rounds` at a time: each is "
        "checked by itself.",
        "验证这份记录需要超过 {budget} 步。请分几次发送其中的 `rounds`，各局单独验证。",
    ),
    "not_played_in": text(
        "You did not play in this game. Only those who did can say of its plays that they were silly.",
        "您没有参加这场牌局，只有参加者可以评价其中的出牌。",
    ),
    "not_by_ai": text(
        "This was not decided by an AI player. Only plays of AI players can be called silly here.",
        "这不是电脑的选择，这里只能评价电脑的出牌。",
    ),
    "no_other_cards": text("No cards were chosen here, so leave out `instead`.", "这一步没有选牌，请省略 `instead`。"),
    "same_cards": text("These are the cards that the AI player chose.", "这正是电脑选的牌。"),
    "record_or_text": text("Send either `record` or `text`.", "请发送 `record` 或 `text` 其中之一。"),
    "record_line": text("Line {line} is not understood: {text}", "无法理解第 {line} 行：{text}"),
    "record_value": text(
        "What line {line} says does not fit a record: {value}.", "第 {line} 行的内容不符合记录的格式：{value}。"
    ),
    "record_empty": text("This record has no round.", "这份记录中没有任何一局。"),
    "record_order": text("The rounds of this record do not follow each other.", "这份记录中的各局不连续。"),
    "record_start": text(
        "Round {round} does not begin as the round before has ended: another starter, declarer or standing.",
        "第 {round} 局的起始与上一局的结果不符：首家、庄家或级别不同。",
    ),
    "record_over": text("The game was over before round {round}.", "第 {round} 局之前牌局已经结束。"),
    "record_illegal": text(
        "Action {action} of round {round} is against the rules: {code}.",
        "第 {round} 局的第 {action} 个操作不合规则：{code}。",
    ),
    "record_commitment": text(
        "The seed of round {round} is not the one that was committed to.", "第 {round} 局的种子与事先公布的承诺不符。"
    ),
    "record_unfinished": text("Round {round} is not played to its end.", "第 {round} 局没有打完。"),
    "record_result": text("The result of round {round} is different.", "第 {round} 局的结果与记录不符。"),
    "record_levels": text("The levels after round {round} are different.", "第 {round} 局之后的级别与记录不符。"),
    "record_deal": text(
        "The deal of round {round} does not have each card of the game once for each copy, or not the same number for "
        "each seat.",
        "第 {round} 局发的牌不是全副牌，或各座位张数不同。",
    ),
    "record_fit": text("The parts of this record do not fit together.", "这份记录的各部分互不相符。"),
    "registration_closed": text(
        "This service takes no new players at the moment. Whoever has an account can sign in.",
        "本服务暂不接受新玩家注册；已有账号的玩家可以登录。",
    ),
    "registration_code_needed": text(
        "New players need a registration code: ask the operators, or a player, for one and send it as `code`.",
        "新玩家需要注册码：请向运维人员或其他玩家索取，并在 `code` 中发送。",
    ),
    "registration_code_void": text(
        "This registration code does not work: it is mistyped, used, too old or void. Ask for another one.",
        "此注册码无效：可能输入有误、已用完、已过期或已作废。请另外索取。",
    ),
    "registration_open": text(
        "Anybody can register at the moment, without a code.", "目前任何人都可以注册，不需要注册码。"
    ),
    "no_network": text(
        "{value} is no network that can be blocked: write an address, or a network such as 203.0.113.0/24 or "
        "2001:db8::/48, of {ipv4} (IPv4) or {ipv6} (IPv6) at most.",
        "{value} 不是可以封禁的网络：请写一个地址，或如 203.0.113.0/24、2001:db8::/48 的网络，"
        "范围最大为 {ipv4}（IPv4）或 {ipv6}（IPv6）。",
    ),
    "own_network": text(
        "{value} has your own address, or that of a proxy through which you came: everybody behind it would be shut "
        "out. If players' addresses look like this, set TRUSTED_PROXIES.",
        "{value} 包含您自己的地址或您所经过的代理的地址：封禁后其后的所有人都无法访问。"
        "若玩家的地址都是如此，请设置 TRUSTED_PROXIES。",
    ),
    "block_is_past": text(
        "{until} is past; name a time in the future, or leave it out.", "{until} 已经过去；请指定将来的时间，或省略。"
    ),
    "too_many_networks": text(
        "{limit} networks are blocked already: end a block that is no longer needed, or block a larger network.",
        "已封禁 {limit} 个网络：请解除不再需要的封禁，或改为封禁更大的网络。",
    ),
    "suspension_is_past": text(
        "{until} is past; name a time in the future, or lift the suspension with DELETE.",
        "{until} 已经过去；请指定将来的时间，或用 DELETE 解除停用。",
    ),
    "window_excludes_all": text(
        "No rating is from {low} to {high}; give the lower one first, or leave one out.",
        "没有从 {low} 到 {high} 的积分：请先写较低的，或省略其一。",
    ),
    "party_too_large": text(
        "A party of {given} does not fit a table for {players}; wait with fewer friends.",
        "{given} 人的队伍坐不下 {players} 人的牌桌，请减少好友。",
    ),
    "table_closed": text("This table has been closed.", "本桌已关闭。"),
    "no_chat": text("This table has no chat.", "这里不能聊天。"),
    "voice_off": text("This service has no TURN server, which voices need.", "本服务没有语音所需的 TURN 服务器。"),
    "voice_unwanted": text(
        "People talk only at the table of a room whose rules say so, and never in games that count for ratings, in "
        "events, or in Arm's Length.",
        "只有规则允许语音的房间，其牌桌才能语音；计积分的牌局、赛事和一臂之遥中都没有语音。",
    ),
    "signal_fields": text(
        "Send `to`, `to_session` and `sdp` with an `offer` or an `answer`, and none of them otherwise.",
        "`offer` 和 `answer` 须有 `to`、`to_session` 和 `sdp`，其他消息不得有。",
    ),
    "silence": text("Arm's Length allows no chat until the round has ended.", "一臂之遥中，本局结束前不能聊天。"),
    "no_take_back": text("This table does not allow take-backs.", "本桌不能悔牌。"),
    "take_back_nothing": text(
        "You have played nothing in this round that could be taken back.", "您在本局中没有可以收回的出牌。"
    ),
    "take_back_round_over": text("The round is over: it cannot be changed any more.", "本局已经结束，不能再悔牌。"),
    "take_back_throw_failed": text(
        "A throw has failed since, and shown what others hold.", "此后有甩牌失败，已暴露他人的牌，不能悔牌。"
    ),
    "take_back_throw_held": text(
        "A throw has held since, and shown that nobody could beat it.", "此后有甩牌成功，已表明无人能管，不能悔牌。"
    ),
    "take_back_claim_failed": text(
        "A claim has failed since, and shown that others could win a trick.",
        "此后有声明不成立，已表明他人还能赢，不能悔牌。",
    ),
    "take_back_friend_joined": text(
        "A called card has been played since, and shown who is a friend.",
        "此后有人打出所叫的牌，朋友已亮明，不能悔牌。",
    ),
    "take_back_trumps_made": text("A discard has made trumps since.", "此后的垫牌已定下主牌，不能悔牌。"),
    "take_back_rated": text(
        "An AI has played since, and this game counts for ratings. In other games AI players give way.",
        "此后电脑已经出牌，而本局计入积分，不能悔牌。其他牌局中电脑会让步。",
    ),
    "own_seat": text(
        "You sit on seat {seat} yourself; leave it to put an AI there.", "座位 {seat} 上是您自己，请先离座再安排电脑。"
    ),
    "no_join_code": text("Send the table's `join_code` to sit down.", "请使用本桌的桌号（`join_code`）入座。"),
    "wrong_join_code": text("This is not the table's join code. Ask the host for it.", "桌号不正确，请向房主核对。"),
    "no_watch_code": text(
        "To read this, send the table's watch code to its `watchers/me`, or sit down there with its join code.",
        "如需查看，请向该桌的 `watchers/me` 提交旁观码，或用桌号入座。",
    ),
    "players_only": text(
        "Only the host and the players can read this, and there is no watch code: the table's `spectators` are `off`. "
        "Sit down with its join code to become a player.",
        "只有房主和玩家可以查看；本桌不允许旁观（`spectators` 为 `off`），因此没有旁观码。请用桌号入座，成为玩家。",
    ),
    "wrong_watch_code": text(
        "This is not the table's watch code. Ask a player for it.", "旁观码不正确，请向牌桌上的玩家核对。"
    ),
    "no_such_level": text(
        "There is no AI level {level}; possible: {accepted}.", "没有电脑等级 {level}，可用：{accepted}。"
    ),
    "no_such_card": text("There is no card {card}.", "没有名为 {card} 的牌。"),
}
