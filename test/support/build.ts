import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What `dist` is made of. */
const inputs = ["src", "build", "schemas", "package.json", "package-lock.json", "tsconfig.build.json"];

/** The file that the build writes last. */
const last = "dist/index.d.ts";

/**
 * Builds `dist` before the tests if a source is newer, because tests that spawn the command line must not run an old one. The
 * types are checked by `npm run lint`.
 */
export function setup(): void {
  const built = statSync(join(root, last), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (!inputs.some((path) => newest(join(root, path)) > built)) return;
  run(process.execPath, "build/bundle.mjs");
  run("node_modules/.bin/tsc", "-p", "tsconfig.build.json", "--noCheck");
}

/** When a file, or anything in a folder, was last changed. A removed file changes its folder. */
function newest(path: string): number {
  const stat = statSync(path);
  const entries = stat.isDirectory() ? readdirSync(path) : [];
  return Math.max(stat.mtimeMs, ...entries.map((name) => newest(join(path, name))));
}

function run(command: string, ...argv: readonly string[]): void {
  execFileSync(command, argv, { cwd: root, stdio: "inherit" });
}
