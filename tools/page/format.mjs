/**
 * Format sources: node format.mjs CONFIG [--check] FILE...
 *
 * A source is left alone, and named, if formatting would change what one of its templates draws: htm drops white space
 * around a line break, so a space that is drawn must be an expression where a line may break: ${" "}
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parse } from "acorn";
import htm from "htm";
import { format } from "prettier";

const [config, ...rest] = process.argv.slice(2);
const options = JSON.parse(readFileSync(config, "utf-8"));
const only = rest[0] === "--check";
const html = htm.bind((type, props, ...children) => ({ type, props, children: children.flat() }));

/** Texts that stand side by side are one; white space within is drawn as one space. */
function joined(tree) {
  if (typeof tree !== "object" || tree === null) return tree;
  if (!Array.isArray(tree)) return { ...tree, children: joined(tree.children) };
  const parts = [];
  for (const part of tree.map(joined)) {
    if (typeof part === "string" && typeof parts.at(-1) === "string") parts.push(parts.pop() + part);
    else parts.push(part);
  }
  return parts.map((part) => (typeof part === "string" ? part.replace(/\s+/g, " ") : part));
}

/** The tree of each template of a module, in their order, with a number for each expression that is no text. */
function trees(source) {
  const found = [];
  (function visit(node) {
    if (node.type === "TaggedTemplateExpression" && node.tag.name === "html") {
      let count = 0;
      const strings = node.quasi.quasis.map((each) => each.value.cooked);
      const values = node.quasi.expressions.map(({ value }) => (typeof value === "string" ? value : ["expression", (count += 1)]));
      found.push({ start: node.start, tree: JSON.stringify(joined(html(strings, ...values))) });
    }
    for (const part of Object.values(node).flat()) if (part && typeof part.type === "string") visit(part);
  })(parse(source, { ecmaVersion: "latest", sourceType: "module" }));
  return found.sort((one, other) => one.start - other.start);
}

/** Lines of the templates that formatting would change. */
function changed(before, after) {
  const later = trees(after);
  return trees(before)
    .filter(({ tree }, at) => tree !== later[at]?.tree)
    .map(({ start }) => before.slice(0, start).split("\n").length);
}

let wrong = 0;
for (const file of only ? rest.slice(1) : rest) {
  const source = readFileSync(file, "utf-8");
  const formatted = await format(source, { ...options, filepath: file });
  if (formatted === source) continue;
  const lines = file.endsWith(".js") ? changed(source, formatted) : [];
  if (lines.length) console.log(`${file}:${lines}: a space that is drawn stands where a line may break; write \${" "}`);
  else if (only) console.log(`${file}: not formatted; run make format`);
  else writeFileSync(file, formatted);
  if (lines.length || only) wrong += 1;
}
process.exit(wrong ? 1 : 0);
