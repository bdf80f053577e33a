// `npm run pictures`: takes the pictures in docs/pictures again; with a folder, pictures of each page in each look into it.
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { pageAssets } from "../../build/page-assets.mjs";

process.chdir(dirname(dirname(import.meta.dirname)));
const program = "node_modules/.cache/pictures";
const bundle = await rolldown({
  input: { main: "test/browser/pictures.ts" },
  platform: "node",
  // Libraries are taken from `node_modules`.
  external: (id) => !id.startsWith(".") && !id.startsWith("/") && id !== "test/browser/pictures.ts",
  plugins: [pageAssets()],
});
await bundle.write({ dir: program, cleanDir: true, chunkFileNames: "[name].js" });
await import(pathToFileURL(join(process.cwd(), program, "main.js")).href);
