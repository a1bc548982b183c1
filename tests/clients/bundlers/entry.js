// Plays some decisions, and says how the stream was opened: in Node with the address as its argument, in a page as `played(address)`.
import { Client, Problem, Table, example } from "shengji-client";

globalThis.played = async (url) => {
  const client = await Client.register(url, "Lin");
  const table = await Table.create(client, { ruleset: "sishifen", players: 4, ai_pace_ms: 0, options: { deal_pace: "instant" } });
  await table.sit(0);
  for (const seat of [1, 2, 3]) await table.seatAi(seat);
  await table.ready();
  let answered = 0;
  for await (const turn of table.turns()) {
    if (await turn.answer(example(turn.decision))) answered++;
    if (answered === 5) break;
  }
  const refused = await new Table(client, "tb_none").view().catch((problem) => problem);
  let stream;
  try {
    for await (const _ of new Table(client, "tb_none").follow()) throw new Error("a stream of no table");
  } catch (problem) {
    stream = problem;
  }
  return JSON.stringify({ answered, refused: refused instanceof Problem && refused.code, stream: stream instanceof Problem && stream.code });
};
if (globalThis.process?.argv?.[2]) globalThis.played(globalThis.process.argv[2]).then(console.log);
