// Checks what the package `shengji-client` sends when answers are lost, refused, or break off; silent if it is right.
import assert from "node:assert/strict";
import { Client, follow, Problem, Table, Unreachable } from "shengji-client";

globalThis.setTimeout = ((real) => (work, ms) => real(work, ms >= 10_000 ? ms : 0))(setTimeout); // pauses take no time

/** Returns a client that gets these answers, one after the other, and what it has sent. */
function prepared(...answers) {
  const sent = [];
  const fetch = async (url, how) => {
    if (url.endsWith("/v1")) return Response.json({ version: "0.2.0", api_versions: ["v1"] });
    sent.push({ url, headers: new Headers(how.headers), body: how.body });
    const next = answers.shift();
    assert.ok(next, `nothing is prepared for ${url}`);
    if (next instanceof Error) throw next;
    return next;
  };
  return { client: new Client("http://service", { token: "sjt_1", fetch, warn: assert.fail }), sent };
}

const problem = (status, body = {}, headers = {}) => Response.json(body, { status, headers });
const broken = (text) => new Response(new ReadableStream({ start: (to) => (to.enqueue(new TextEncoder().encode(text)), to.error(new TypeError("reset"))) }));

{
  const { client, sent } = prepared(new TypeError("lost"), problem(503), broken("{"), Response.json({ id: "tb_1" }));
  assert.equal((await Table.create(client, { ruleset: "shengji", players: 4 })).id, "tb_1");
  assert.equal(new Set(sent.map(({ headers }) => headers.get("Idempotency-Key"))).size, 1);
  assert.match(sent[0].headers.get("Idempotency-Key"), /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.equal(sent[3].headers.get("Authorization"), "Bearer sjt_1");
  assert.deepEqual(JSON.parse(sent[3].body), { ruleset: "shengji", players: 4 });
}
{
  const body = { type: "/docs/problems#seat-taken", code: "seat-taken", detail: "Seat 2 is taken.", params: { seat: 2 } };
  const { client, sent } = prepared(problem(409, body));
  const refused = await new Table(client, "tb_1").sit(2).catch((error) => error);
  assert.ok(refused instanceof Problem && refused instanceof Error);
  assert.deepEqual([refused.code, refused.detail, refused.params, refused.help], ["seat-taken", "Seat 2 is taken.", { seat: 2 }, "http://service/docs/problems#seat-taken"]);
  assert.equal(sent.length, 1);
}
{
  const watched = [Response.json({ table: "tb_7", grants: "watch" }), new Response(null, { status: 204 })];
  const { client, sent } = prepared(...watched, Response.json({ table: "tb_8", grants: "seat" }));
  assert.equal((await Table.byCode(client, "WATCH7")).id, "tb_7");
  assert.equal((await Table.byCode(client, "JOIN88")).id, "tb_8"); // to sit down there: nothing is used yet
  assert.deepEqual(sent.map(({ url }) => url.slice("http://service/v1".length)), ["/join-codes/WATCH7", "/tables/tb_7/watchers/me", "/join-codes/JOIN88"]);
  assert.deepEqual(JSON.parse(sent[1].body), { watch_code: "WATCH7" });
}
{
  const { client } = prepared(new TypeError("no"));
  client.patience = -1;
  await assert.rejects(new Table(client, "tb_1").view(), Unreachable);
}
{
  const stream = (text) => new Response(text, { headers: { "Content-Type": "text/event-stream" } });
  const first = 'retry: 1\n\nid: 4\ndata: {"seq": 4}\n\nevent: heartbeat\ndata: {"after": 6}\n\nid: 9\ndata: {"se';
  const again = 'event: reset\nid: 3\ndata: {"view": {}}\n\nevent: end\ndata: {"reason": "over"}\n\n';
  const { client, sent } = prepared(stream(first), problem(503), new TypeError("lost"), problem(400), stream(again));
  const told = [];
  for await (const message of follow(client, "/v1/tables/tb_1/events", { after: 3 })) told.push(message.name);
  assert.deepEqual(told, ["message", "heartbeat", "reset", "end"]);
  // The last place was lost in an outage.
  assert.deepEqual(sent.map(({ headers }) => headers.get("Last-Event-ID")), ["3", "6", "6", "6", null]);
}
{
  const { client } = prepared(new Response(null, { status: 204 }));
  for await (const _ of follow(client, "/v1/tables/tb_1/events", { after: 8 })) assert.fail();
}
{
  const { client } = prepared(problem(409, { code: "stale-decision" }), problem(422, { code: "illegal-play" }));
  const view = { version: 3, my: { seat: 0 }, decision: { id: "dc_3", kind: "play", seats: [0] } };
  const table = new Table(client, "tb_1");
  table.watch = async function* () { yield { view }; yield { view }; };
  const turns = [];
  for await (const turn of table.turns()) turns.push(turn);
  assert.equal(turns.length, 1);
  assert.equal(await turns[0].answer({ type: "play", cards: ["2H"] }), null);
  await assert.rejects(turns[0].answer({ type: "play", cards: ["2H"] }), { code: "illegal-play" });
}
