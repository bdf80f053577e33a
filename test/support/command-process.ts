import type { Ran } from "./command-line.ts";
import { cli } from "./dist.ts";
import { refuseToken } from "./refuse-token.ts";
import { quoted, runLine } from "./spawner.ts";

/** The command line for a shell: `datahub-gitops plan >out.json`. */
export const asCommand = `datahub-gitops() { "${process.execPath}" "${cli}" "$@"; }\nset -o pipefail\n`;

/** Runs a line of a shell that calls `datahub-gitops`, as a process of its own. */
export async function runInShell(
  line: string,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ran> {
  const env = { ...process.env, ...options.env };
  const ended = await runLine(`exec ${quoted("bash", "-c", asCommand + line)}`, { cwd: options.cwd, env });
  const texts = { stdout: ended.output.toString(), stderr: ended.said.toString() };
  refuseToken(options.env?.["DATAHUB_GMS_TOKEN"], Object.values(texts));
  return { code: ended.code, ...texts };
}
