import { execFileSync } from "node:child_process";

/** Builds `dist` before the tests, because those that spawn the command line must not meet an old one. */
export function setup(): void {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
}
