// Checks recorded rounds with the client's check of shuffles, and prints what each showed.
import { readFileSync } from "node:fs";

const [folder, rounds] = process.argv.slice(2);
const { checkShuffle } = await import(`${folder}/shuffle.js`);
const { rememberSeals } = await import(`${folder}/seals.js`);
const outcomes = [];
for (const { record, game, views } of JSON.parse(readFileSync(rounds, "utf8"))) {
  views.forEach(rememberSeals);
  outcomes.push(await checkShuffle(record, game));
}
console.log(JSON.stringify(outcomes));
