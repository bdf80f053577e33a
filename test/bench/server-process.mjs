import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { environment } from "./measured-process.mjs";
import { processorTimeOf } from "./processor-time.mjs";

/**
 * Starts a Node process that serves, and waits until its first line says at which address.
 * @param {readonly string[]} argv
 */
export async function startServer(argv) {
  const child = spawn(process.execPath, argv, { env: environment(), stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, "line"), ended]);
  const [, url] = / listening on (\S+)$/.exec(String(line)) ?? [];
  const { pid } = child;
  if (url === undefined || pid === undefined) throw new Error(`the server did not start: ${line}`);
  return {
    url,
    processor: () => processorTimeOf(pid),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
