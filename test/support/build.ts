import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Builds `dist` before the tests, because those that spawn the command line must not meet an old one. Types are `lint`'s. */
export function setup(): void {
  run(process.execPath, "build/bundle.mjs");
  run("node_modules/.bin/tsc", "-p", "tsconfig.build.json", "--noCheck");
}

function run(command: string, ...argv: readonly string[]): void {
  execFileSync(command, argv, { cwd: root, stdio: "inherit" });
}
