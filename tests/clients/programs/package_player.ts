// Plays whole games with the package `shengji-client` against AI players: URL RULESET:PLAYERS …
// Prints a line for each trick, and as its last line what it has seen, as JSON.
import { Client, example, Problem, Table, type View } from "shengji-client";

declare const process: { argv: string[] };
const [url = "", ...games] = process.argv.slice(2);
let opened = 0;
const said: string[] = [];
const client = await Client.register(url, "Lin", {
  warn: (text) => said.push(text),
  fetch: (address, how) => {
    if (new Headers(how.headers).get("Accept") === "text/event-stream") opened++;
    return fetch(address, how);
  },
});

/** A view without what depends on when it was read. */
function lasting({ server_time: _, decision, ...rest }: View): unknown {
  return { ...rest, decision: decision && { ...decision, remaining_ms: 0 } };
}

const sorted = (_: string, value: unknown): unknown =>
  value && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value;

async function play(ruleset: string, players: number) {
  const options = ruleset === "arms_length" ? {} : { deal_pace: "instant", start_level: "A" };
  const table = await Table.create(client, { ruleset: ruleset as "shengji", players, options, ai_pace_ms: 0 });
  const ended = new AbortController();
  const seqs: number[] = [];
  const watching = (async () => {
    let last: View | undefined;
    for await (const { view, event } of table.watch(ended.signal)) {
      last = view;
      if (event) seqs.push(event.seq);
      if (event?.type === "trick_won") console.log(ruleset, event.data.number);
    }
    return last;
  })();
  await table.sit(0);
  for (let seat = 1; seat < players; seat++) await table.seatAi(seat);
  await table.ready();
  let actions = 0;
  for await (const { decision, answer } of table.turns()) if (await answer(example(decision))) actions++;
  const last = await watching;
  const view = await table.view();
  const same = last && JSON.stringify(lasting(last), sorted) === JSON.stringify(lasting(view), sorted);
  const gaps = seqs.filter((seq, at) => at > 0 && seq !== (seqs[at - 1] ?? 0) + 1);
  return { ruleset, actions, gaps, same, status: view.status, winners: view.game?.winners };
}

const seen = await Promise.all(games.map((game) => play(game.split(":")[0] ?? "", Number(game.split(":")[1]))));
const refused = await new Table(client, "tb_none").view().catch((problem: unknown) => problem);
if (!(refused instanceof Problem)) throw refused;
const { status, code, detail, help } = refused;
console.log(JSON.stringify({ seen, opened, said, refused: { status, code, detail, help } }));
