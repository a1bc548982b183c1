// Builds the package into dist/: node build.mjs ROOT, where ROOT is the repository.
//
// Its types are generated from openapi.yaml, its fold is the module of the web client, and its recorded games are those
// of the package for Python.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** Files of the web client, relative to `service/web/client/app`. */
const FOLD = ["table/model.js", "table/events.js", "cards/cards.js", "types.d.ts"];

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(process.argv[2] ?? "../..");
const build = join(here, "build");
const run = (tool, ...options) => execFileSync(join(here, "node_modules", ".bin", tool), options, { cwd: here, stdio: ["ignore", "inherit", "inherit"] });

for (const folder of ["build", "dist"]) rmSync(join(here, folder), { recursive: true, force: true });
cpSync(join(here, "src"), build, { recursive: true });
for (const file of FOLD) cpSync(join(root, "service", "web", "client", "app", file), join(build, "app", file));
cpSync(join(root, "LICENSE"), join(here, "LICENSE"));

const document = join(root, "openapi.yaml");
const version = /^ {2}version: (\S+)$/m.exec(readFileSync(document, "utf8"))[1];
const recorded = join(root, "clients", "python", "shengji_client", "recorded");
const games = readdirSync(recorded).filter((name) => name.endsWith(".json.gz")).map((name) => name.replace(".json.gz", ""));
writeFileSync(join(build, "made.ts"), `/** Version of the service for which the package was made. */\nexport const MADE_FOR = "${version}";\n`);
const recordings = `import type { Recording } from "./testing.js";
import type { ProblemBody } from "./types.js";

/** Ruleset -> its recorded game. */
export const RECORDINGS: Record<string, () => Promise<{ default: Recording }>> = {
${games.map((game) => `  // @ts-ignore: written when this has been compiled\n  ${game}: () => import("./recorded/${game}.js"),`).join("\n")}
};
export const PROBLEMS: Record<string, ProblemBody> = ${readFileSync(join(recorded, "problems.json"), "utf8")};
`;
writeFileSync(join(build, "recordings.ts"), recordings);
run("openapi-typescript", document, "--output", join(build, "api.ts"));
run("tsc");
mkdirSync(join(here, "dist", "recorded"));
for (const game of games) {
  const text = gunzipSync(readFileSync(join(recorded, `${game}.json.gz`))).toString();
  writeFileSync(join(here, "dist", "recorded", `${game}.js`), `export default ${text};\n`);
}
