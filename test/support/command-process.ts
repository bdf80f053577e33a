import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Ran } from "./command-line.ts";
import { refuseToken } from "./refuse-token.ts";

/** The command line as it is installed. */
export const cli = join(import.meta.dirname, "../../dist/cli.js");

/** The command line for a shell: `datahub-gitops plan >out.json`. */
export const asCommand = `datahub-gitops() { "${process.execPath}" "${cli}" "$@"; }\nset -o pipefail\n`;

/** Runs a line of a shell that calls `datahub-gitops`, as a process of its own. */
export async function runInShell(
  line: string,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ran> {
  const child = spawn("bash", ["-c", asCommand + line], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (texts.stderr += chunk.toString()));
  const code = await new Promise<number>((resolve) => {
    child.on("close", (status) => resolve(status ?? -1));
  });
  refuseToken(options.env?.["DATAHUB_GMS_TOKEN"], Object.values(texts));
  return { code, ...texts };
}
