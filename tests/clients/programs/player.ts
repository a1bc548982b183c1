// Plays a round with the client that openapi-generator makes for TypeScript (fetch): URL RULESET PLAYERS.
import { ActionsApi, Configuration, EventsApi, PlayersApi, SeatsApi, TablesApi } from "./index.js";
import type { OpenDecision, TableSetupRulesetEnum } from "./index.js";

declare const process: { argv: string[] };
const [basePath = "", ruleset = "", players = ""] = process.argv.slice(2);

const name = { name: "Lin", kind: "bot" } as const;
const { token } = await new PlayersApi(new Configuration({ basePath })).register({ registration: name });
const me = new Configuration({ basePath, accessToken: token });
const [actionsApi, eventsApi, seatsApi, tablesApi] = [
  new ActionsApi(me),
  new EventsApi(me),
  new SeatsApi(me),
  new TablesApi(me),
];
const tableSetup = {
  ruleset: ruleset as TableSetupRulesetEnum,
  players: Number(players),
  options: { deal_pace: "instant" },
  aiPaceMs: 0,
};
const table = (await tablesApi.createTable({ tableSetup })).id;
await seatsApi.takeSeat({ table, sitting: { seat: 0 } });
for (let seat = 1; seat < Number(players); seat++) await seatsApi.seatAi({ table, seat, aiSeat: {} });
await seatsApi.ready({ table, readyState: {} });

let [after, actions, tricks] = [0, 0, 0];
let points: number | null | undefined;
while (points === undefined) {
  const page = await eventsApi.listEvents({ table, after, wait: 20 });
  if (!page) break;
  after = page.nextAfter;
  for (const event of page.events) {
    if (event.type === "trick_won") tricks = event.data.number;
    if (event.type === "round_scored") points = event.data.points;
  }
  const view = await tablesApi.getTable({ table });
  if (view.version <= after && view.decision && points === undefined) actions += await act(view.decision);
}
console.log(`${actions} actions, ${tricks} tricks, ${points} points`);

/** Answers a decision by its hints, which have a type for each kind. Returns the number of actions sent. */
async function act(open: OpenDecision): Promise<number> {
  const decisionId = open.id;
  if (!open.hints) return 0;
  if (open.kind === "play") await actionsApi.play({ table, playAction: { decisionId, cards: open.hints.example } });
  else if (open.kind === "discard")
    await actionsApi.discard({ table, discardAction: { decisionId, cards: open.hints.example } });
  else if (open.kind === "call")
    await actionsApi.callFriends({ table, callAction: { decisionId, calls: open.hints.example } });
  else if (open.kind === "declare" && open.hints.possible[0])
    await actionsApi.declare({ table, declareAction: { decisionId, cards: open.hints.possible[0] } });
  else if (open.kind === "declare" || open.kind === "defend")
    await actionsApi.passDecision({ table, passAction: { decisionId } });
  else return 0;
  return 1;
}
