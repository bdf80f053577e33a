import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds `dist` before the tests, because those that spawn the command line must not meet an old one. Types are `lint`'s. */
export function setup(): void {
  const compiler = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));
  execFileSync(compiler, ["-p", "tsconfig.build.json", "--noCheck"], { stdio: "inherit" });
}
