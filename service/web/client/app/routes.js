/** Which screen an address leads to, and the part of the page that has it. */
import { html } from "../vendor/preact-htm.js";

/**
 * An address such as `#/table/tb_1?code=K7`, taken apart: `table`, then `tb_1`; what is behind the `?` is asked.
 * @typedef {{ path: string, name: string, rest: string[], asked: Record<string, string> }} Address
 */

/** Parts loaded as soon as the page is there, in this order. */
const table = () => import("./sitting/table.js");
const later = () => import("./later.js");
export const SOON = [table, later];

/** A part loaded at tables where people may talk. */
const voice = { load: () => import("./sitting/voice.js") };

/** Loaded where somebody reads Traditional Chinese. */
export const loadTraditional = () => import("./texts/traditional.js");

/** Loaded where a player is suspended. */
export const loadAppeal = () => import("./suspended/appeal.js");

/**
 * A row of the table.
 * @template Part
 * @param {string} address its first part
 * @param {() => Promise<Part>} load loads the part of the page that has the screen
 * @param {(part: Part, address: Address) => unknown} screen draws it; nothing: the address leads nowhere
 */
const route = (address, load, screen) => ({ address, load, screen });

/** @typedef {{ address: string, load: () => Promise<any>, screen: (part: any, address: Address) => unknown }} Route */

/** @type {Route[]} */
export const ROUTES = [
  route(
    "table",
    table,
    ({ TableScreen }, { rest: [id], asked }) =>
      id &&
      html`
        <${TableScreen} key=${id} table=${id} code=${asked.code} invited=${asked} loadVoice=${voice.load} />
      `,
  ),
  route(
    "lobby",
    later,
    ({ LobbyScreen }, { asked }) => html`
      <${LobbyScreen} code=${asked.code} />
    `,
  ),
  route(
    "new",
    () => import("./start/create.js"),
    ({ CreateScreen }, { asked: { ruleset, club } }) => html`
      <${CreateScreen} key=${ruleset} ruleset=${ruleset} club=${club} />
    `,
  ),
  route(
    "rules",
    later,
    ({ RulesScreen }, { rest: [game], asked }) => html`
      <${RulesScreen} ruleset=${game} asked=${asked} />
    `,
  ),
  route(
    "friends",
    later,
    ({ FriendsScreen }, { rest: [code] }) => html`
      <${FriendsScreen} code=${code} />
    `,
  ),
  route(
    "games",
    () => import("./coach/past.js"),
    ({ pastScreen }, address) => pastScreen(address),
  ),
  route(
    "player",
    later,
    ({ PlayerScreen }, { rest: [id], asked }) =>
      id &&
      html`
        <${PlayerScreen} key=${id} player=${id} from=${asked.from} />
      `,
  ),
  route(
    "leaderboard",
    later,
    ({ LeaderboardScreen }, { rest: [game] }) => html`
      <${LeaderboardScreen} ruleset=${game} />
    `,
  ),
  route(
    "event",
    () => import("./events/event.js"),
    ({ EventScreen }, { rest: [id] }) =>
      id &&
      html`
        <${EventScreen} key=${id} event=${id} />
      `,
  ),
  route(
    "events",
    later,
    ({ EventsScreen }) => html`
      <${EventsScreen} />
    `,
  ),
  route(
    "link",
    () => import("./account/comeback.js"),
    ({ LinkScreen }, { path, rest: [code], asked }) => html`
      <${LinkScreen} key=${path} code=${code} to=${asked.to} />
    `,
  ),
  route(
    "recover",
    () => import("./account/comeback.js"),
    ({ RecoverScreen }, { asked }) => html`
      <${RecoverScreen} to=${asked.to} />
    `,
  ),
  route(
    "replay",
    () => import("./review/replay.js"),
    ({ ReplayScreen }, { path, rest: [game, round], asked }) =>
      round &&
      html`
        <${ReplayScreen} key=${path} game=${game} round=${Number(round)} asked=${asked} />
      `,
  ),
  route(
    "appeal",
    loadAppeal,
    ({ AppealScreen }) => html`
      <${AppealScreen} />
    `,
  ),
  route(
    "calendar",
    () => import("./account/calendar.js"),
    ({ calendarScreen }, address) => calendarScreen(address),
  ),
  route(
    "alone",
    () => import("./alone/alone.js"),
    ({ aloneScreen }, address) => aloneScreen(address),
  ),
  route(
    "club",
    () => import("./clubs/club.js"),
    ({ clubScreen }, address) => clubScreen(address),
  ),
  route(
    "consent",
    () => import("./account/consent.js"),
    ({ consentScreen }, address) => consentScreen(address),
  ),
  route(
    "days",
    () => import("./start/days.js"),
    ({ daysScreen }) => daysScreen(),
  ),
  route(
    "deal",
    () => import("./deals/sentdeal.js"),
    ({ dealScreen }, address) => dealScreen(address),
  ),
  route(
    "dealt",
    () => import("./games/dealt.js"),
    ({ dealtScreen }, address) => dealtScreen(address),
  ),
  route(
    "devices",
    () => import("./account/devices.js"),
    ({ devicesScreen }) => devicesScreen(),
  ),
  route(
    "hall",
    () => import("./hall/hall.js"),
    ({ hallScreen }, address) => hallScreen(address),
  ),
  route(
    "learn",
    () => import("./lessons/learn.js"),
    ({ learnScreen }, address) => learnScreen(address),
  ),
  route(
    "operator",
    () => import("./operator/operator.js"),
    ({ operatorScreen }, address) => operatorScreen(address),
  ),
  route(
    "orders",
    () => import("./sitting/orders.js"),
    ({ ordersScreen }, address) => ordersScreen(address),
  ),
  route(
    "riddles",
    () => import("./coach/riddles.js"),
    ({ riddlesScreen }) => riddlesScreen(),
  ),
  route(
    "room",
    () => import("./rooms/room.js"),
    ({ roomScreen }, address) => roomScreen(address),
  ),
  route(
    "since",
    () => import("./sitting/since.js"),
    ({ sinceScreen }, address) => sinceScreen(address),
  ),
  route(
    "tables",
    () => import("./people/mytables.js"),
    ({ myTablesScreen }) => myTablesScreen(),
  ),
  route(
    "teams",
    () => import("./teamevents/teams.js"),
    ({ teamsScreen }, address) => teamsScreen(address),
  ),
  route(
    "ways",
    () => import("./account/ways.js"),
    ({ waysScreen }, address) => waysScreen(address),
  ),
];
