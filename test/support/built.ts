import { execFile } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Plugin } from "vite";

const root = join(import.meta.dirname, "../..");

/** What `dist` is made of. */
const inputs = ["src", "build", "schemas", "package.json", "package-lock.json", "tsconfig.build.json"];

/** The file that the build writes last. */
const last = "dist/index.d.ts";

/**
 * Builds `dist` if a source is newer, when the first test asks for `dist.ts`: tests that start the command line must not start an
 * old one, and the others need not wait. The types are checked by `npm run lint`.
 */
export function builtDist(): Plugin {
  let built: Promise<void> | undefined;
  return {
    name: "built-dist",
    load: {
      filter: { id: /[\\/]test[\\/]support[\\/]dist\.ts$/ },
      handler: async () => await (built ??= build()),
    },
  };
}

async function build(): Promise<void> {
  const written = statSync(join(root, last), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (!inputs.some((path) => newest(join(root, path)) > written)) return;
  await run(process.execPath, "build/bundle.mjs");
  await run("node_modules/.bin/tsc", "-p", "tsconfig.build.json", "--noCheck");
}

/** When a file, or anything in a folder, was last changed. A removed file changes its folder. */
function newest(path: string): number {
  const stat = statSync(path);
  const entries = stat.isDirectory() ? readdirSync(path) : [];
  return Math.max(stat.mtimeMs, ...entries.map((name) => newest(join(path, name))));
}

async function run(command: string, ...argv: readonly string[]): Promise<void> {
  await promisify(execFile)(command, argv, { cwd: root });
}
