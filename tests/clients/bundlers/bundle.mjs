// Bundles entry.js of the current folder into BUNDLER.js or BUNDLER.mjs: node bundle.mjs BUNDLER MODULES
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [bundler, modules] = process.argv.slice(2);
const require = createRequire(join(resolve(modules), "package.json"));
const entry = resolve("entry.js");

const BUNDLERS = {
  async esbuild() {
    await require("esbuild").build({ entryPoints: [entry], bundle: true, platform: "browser", format: "esm", outfile: "esbuild.mjs" });
  },
  async rolldown() {
    const { build } = await import(require.resolve("rolldown"));
    await build({ input: entry, platform: "browser", output: { file: "rolldown.mjs", format: "esm", codeSplitting: false } });
  },
  async webpack() {
    const webpack = require("webpack");
    const output = { path: resolve("."), filename: "webpack.mjs", module: true, chunkFormat: "module" };
    const settings = { mode: "production", target: "es2022", experiments: { outputModule: true }, entry, output };
    const stats = await new Promise((done, fail) => webpack(settings, (error, stats) => (error ? fail(error) : done(stats))));
    if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString());
  },
  async metro() {
    const Metro = require("metro");
    const transform = { experimentalImportSupport: true };
    const config = await Metro.loadConfig(
      { cwd: resolve("."), maxWorkers: 1, resetCache: true },
      {
        projectRoot: resolve("."),
        watchFolders: [resolve(modules)],
        resolver: { nodeModulesPaths: [join(resolve(modules), "node_modules")] },
        reporter: { update() {} },
        transformer: { getTransformOptions: async () => ({ transform }) },
      },
    );
    await Metro.runBuild(config, { entry: "entry.js", out: resolve("metro.js"), minify: false, dev: false, platform: "ios" });
  },
};
await BUNDLERS[bundler]();
