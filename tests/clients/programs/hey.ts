// Plays a round with the client that @hey-api/openapi-ts makes: URL RULESET PLAYERS.
import * as api from "./client/index";
import { client } from "./client/client.gen";

declare const process: { argv: string[] };
const [baseUrl = "", ruleset = "", players = ""] = process.argv.slice(2);
client.setConfig({ baseUrl, throwOnError: true });

const { token } = (await api.register({ body: { name: "Lin", kind: "bot" }, throwOnError: true })).data;
client.setConfig({ auth: token });
const body = {
  ruleset: ruleset as api.TableSetup["ruleset"],
  players: Number(players),
  options: { deal_pace: "instant" },
  ai_pace_ms: 0,
};
const path = { table: (await api.createTable({ body, throwOnError: true })).data.id };
await api.takeSeat({ path, body: { seat: 0 } });
for (let seat = 1; seat < Number(players); seat++) await api.seatAi({ path: { ...path, seat }, body: {} });
await api.ready({ path, body: {} });

let [after, actions, tricks] = [0, 0, 0];
let points: number | null | undefined;
while (points === undefined) {
  const page = (await api.listEvents({ path, query: { after, wait: 20 }, throwOnError: true })).data;
  if (!page || typeof page === "string") throw new Error("no page");
  after = page.next_after;
  for (const event of page.events) {
    if (event.type === "trick_won") tricks = event.data.number;
    if (event.type === "round_scored") points = event.data.points;
  }
  const view = (await api.getTable({ path, throwOnError: true })).data;
  if (view.version <= after && view.decision && points === undefined) actions += await act(view.decision);
}
console.log(`${actions} actions, ${tricks} tricks, ${points} points`);

/** Answers a decision by its hints, which have a type for each kind. Returns the number of actions sent. */
async function act(open: api.OpenDecision): Promise<number> {
  const decision_id = open.id;
  if (!open.hints) return 0;
  if (open.kind === "play") await api.play({ path, body: { decision_id, cards: open.hints.example } });
  else if (open.kind === "discard") await api.discard({ path, body: { decision_id, cards: open.hints.example } });
  else if (open.kind === "call") await api.callFriends({ path, body: { decision_id, calls: open.hints.example } });
  else if (open.kind === "declare" && open.hints.possible[0])
    await api.declare({ path, body: { decision_id, cards: open.hints.possible[0] } });
  else if (open.kind === "declare" || open.kind === "defend") await api.passDecision({ path, body: { decision_id } });
  else return 0;
  return 1;
}
