// Runs the acceptance: `npm run test:acceptance`. It is written in TypeScript, which Node 20 does not run.
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

process.chdir(dirname(dirname(import.meta.dirname)));
const program = "node_modules/.cache/acceptance/program";
const bundle = await rolldown({
  input: { main: "test/acceptance/main.ts" },
  platform: "node",
  // Libraries are taken from `node_modules`.
  external: (id) => !id.startsWith(".") && !id.startsWith("/") && id !== "test/acceptance/main.ts",
});
await bundle.write({ dir: program, cleanDir: true, chunkFileNames: "[name].js" });
await import(pathToFileURL(join(process.cwd(), program, "main.js")).href);
