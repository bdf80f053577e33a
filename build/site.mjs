// `npm run site`: makes the site of the documentation in docs/.vitepress/dist, or in the folder that is given. Its generator is a
// package of its own, which is installed where it is not there; to build it then needs no network.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { demoPage } from "./demo-page.mjs";

const out = resolve(process.argv[2] ?? "docs/.vitepress/dist");
process.chdir(dirname(import.meta.dirname));
const site = "docs/.vitepress";
const generator = join(site, "node_modules/vitepress/bin/vitepress.js");
if (!existsSync(generator)) execFileSync("npm", ["ci", "--prefix", site], { stdio: "inherit" });
await demoPage(join(site, "public/demo.html"));
execFileSync(process.execPath, [generator, "build", "docs", "--outDir", out], { stdio: "inherit" });
