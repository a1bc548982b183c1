// Plays every recorded game of `shengji-client/testing` to its end; prints their rulesets.
import assert from "node:assert/strict";
import { example, Problem } from "shengji-client";
import { problems, RecordedGame, rulesets } from "shengji-client/testing";

for (const ruleset of rulesets) {
  const game = await RecordedGame.of(ruleset);
  const table = game.table();
  const { version } = await table.ready();
  assert.deepEqual((await table.events(version)).events, []);
  const event = game.step();
  assert.deepEqual((await table.events(version)).events, [event]);
  const told = [];
  const following = (async () => { for await (const message of table.follow({ after: version + 1 })) told.push(message.data.seq); })();
  game.run();
  for await (const turn of table.turns()) assert.ok(await turn.answer(example(turn.decision)));
  await following;
  assert.ok(game.isOver && game.view.game.winners.length);
  assert.deepEqual(told, [...Array.from({ length: game.view.version - version - 1 }, (_, at) => version + 2 + at), undefined]); // the last is `end`
  assert.deepEqual(game.slept, []);
  console.log(ruleset);
}

const game = await RecordedGame.of();
for (const code of Object.keys(problems).filter((each) => !["rate-limited", "too-many-streams", "unavailable"].includes(each))) {
  game.refuse(code);
  const refused = await game.table().view().catch((error) => error);
  assert.ok(refused instanceof Problem);
  assert.deepEqual([refused.code, refused.status], [code, problems[code].status]);
}
game.refuse("rate-limited", 2);
assert.equal((await game.table().view()).version, game.view.version);
assert.equal(game.slept[0], 12_000);
await game.table().ready();
const { decision } = game.turn();
await assert.rejects(game.table().act("dc_1", example(decision)), { code: "stale-decision" });
