// Makes `dist`: the sources and their libraries as one bundle, in parts that are loaded when they are used. The optional
// dependencies stay beside it, as npm installs them.
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { rolldown } from "rolldown";
import { checksChunk, compiledChecks } from "./compiled-checks.mjs";
import { notices } from "./notices.mjs";
import { pageAssets } from "./page-assets.mjs";
import { plainHeaders } from "./plain-headers.mjs";

process.chdir(dirname(import.meta.dirname));
const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const installed = Object.keys(optionalDependencies);

const bundle = await rolldown({
  input: { cli: "src/cli.ts", index: "src/index.ts" },
  platform: "node",
  // The main file of `graphql` is CommonJS, of which every part would be loaded with the first.
  resolve: { mainFields: ["module", "main"] },
  external: (id) => installed.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [compiledChecks(), pageAssets(), plainHeaders(), notices()],
});
await bundle.write({
  dir: "dist",
  cleanDir: true,
  chunkFileNames: "[name].js",
  codeSplitting: { groups: [checksChunk] },
});
