// Adapter of `clients/typescript` for the conformance kit: `node typescript_client.mjs`, where `shengji-client` is installed.
import { createInterface } from "node:readline";
import { Client, example, fold, follow, Problem, Table } from "shengji-client";

const goals = {
  async register({ url }) {
    return { token: (await Client.register(url, "Lin")).token };
  },
  async create({ setup, count }, client) {
    const tables = [];
    for (let made = 0; made < count; made++) tables.push((await Table.create(client, setup)).id);
    return { tables };
  },
  async view({ table }, client) {
    const { version, status, decision } = await new Table(client, table).view();
    return { version, status, decision: decision?.kind ?? null };
  },
  async act({ table: id }, client) {
    const table = new Table(client, id);
    const { decision } = await table.view();
    return { version: (await table.act(decision.id, example(decision))).version };
  },
  async play({ table: id }, client) {
    const table = new Table(client, id);
    await table.ready();
    for await (const turn of table.turns()) await turn.answer(example(turn.decision));
    const { version, status, game } = await table.view();
    return { version, status, winners: game.winners };
  },
  async poll({ table: id, after, limit, wait }, client) {
    const [table, seqs] = [new Table(client, id), []];
    for (let version; after !== version; ) {
      const page = await table.events(after, { limit, wait });
      seqs.push(...page.events.map(({ seq }) => seq));
      [after, version] = [page.next_after, page.version];
    }
    return { seqs };
  },
  async follow({ table, after }, client) {
    const told = { seqs: [], resets: [], end: null };
    for await (const { name, data } of new Table(client, table).follow({ after })) {
      if (name === "message") told.seqs.push(data.seq);
      if (name === "reset") told.resets.push(data.view.version);
      if (name === "end") told.end = data.reason;
    }
    return told;
  },
  async account({ after }, client) {
    const told = { ids: [], snapshots: 0, resets: 0, end: null };
    for await (const { name, data, id } of follow(client, "/v1/me/events", { after })) {
      if (name === "message") told.ids.push(id);
      if (name === "snapshot") told.snapshots++;
      if (name === "reset") told.resets++;
      if (name === "end") told.end = data.reason;
    }
    return told;
  },
  async fold({ view, events }) {
    return { view: events.reduce(fold, view) };
  },
};

async function report(task) {
  try {
    return await goals[task.goal](task, new Client(task.url, { token: task.token }));
  } catch (error) {
    if (!(error instanceof Problem)) return { failed: String(error) };
    return { problem: { status: error.status, code: error.code, text: error.message } };
  }
}

const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
write({ client: "shengji-client for TypeScript", can: Object.keys(goals) });
for await (const line of createInterface({ input: process.stdin })) write(await report(JSON.parse(line)));
