// Folds recorded logs with the client's model and compares each view with the service's own.
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";

const [model, logs] = process.argv.slice(2);
const { apply } = await import(model);
// Without what depends on when a view is read; JSON drops the fields that are undefined in the model.
const comparable = (view) =>
  JSON.parse(
    JSON.stringify({ ...view, server_time: null, decision: view.decision && { ...view.decision, remaining_ms: null }, vote: view.vote && { ...view.vote, remaining_ms: null }, pause: view.pause && { ...view.pause, remaining_ms: null } }),
  );
let compared = 0;
for (const { name, first, steps } of JSON.parse(readFileSync(logs, "utf8"))) {
  let view = first;
  for (const step of steps) {
    const before = view;
    const frozen = JSON.stringify(before);
    for (const event of step.events) view = apply(view, event);
    assert.equal(JSON.stringify(before), frozen, "a view was changed in place");
    assert.deepEqual(comparable(view), comparable(step.view), `${name}: ${step.events.map((event) => event.type)}`);
    compared++;
  }
}
console.log(compared);
