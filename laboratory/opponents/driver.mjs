// Runs an opponent written in JavaScript. Each line on stdin is a call, `["function", ...arguments]`; each line on
// stdout is its `{"result": ...}` or `{"error": "..."}`.
//
//     node driver.mjs PATH
//
// PATH is a module, whose exports can be called, or a page, of which the first inline script is run as a CommonJS
// module, without a document.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { createContext, runInContext } from "node:vm";

// Stdout is for answers.
console.log = console.info = console.debug = console.error;

async function load(path) {
  if (!path.endsWith(".html")) {
    return import(pathToFileURL(resolve(path)));
  }
  const script = /<script>([\s\S]*?)<\/script>/.exec(readFileSync(path, "utf8"));
  const globals = createContext({ module: { exports: {} }, console });
  runInContext(script[1], globals);
  return globals.module.exports;
}

const engine = await load(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...values] = JSON.parse(line);
  let answer;
  try {
    answer = { result: engine[name](...values) ?? null };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
