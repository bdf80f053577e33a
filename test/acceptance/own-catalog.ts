import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Target } from "./workspace.ts";

/** How many seconds its index is late: somewhat less than that of a real server, so that a run does not take long. */
const lag = "2";

/** A local catalog of this run. */
export interface OwnCatalog {
  readonly target: Target;
  readonly close: () => Promise<void>;
}

/**
 * Starts the built local catalog with a directory of its own. It ends with this process, however that ends, and not by Ctrl-C:
 * what was made is taken away first.
 */
export async function startOwnCatalog(root: string): Promise<OwnCatalog> {
  const token = randomBytes(16).toString("hex");
  const child = spawn(
    process.execPath,
    [join(root, "test/acceptance/keep-catalog.mjs"), join(root, "dist/cli.js"), lag],
    {
      detached: true,
      env: { ...process.env, DATAHUB_GMS_TOKEN: token },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    },
  );
  const ended = once(child, "exit");
  if (!child.stdout) throw new Error("the local catalog has no output");
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /^Catalog listening on (\S+)/.exec(line) ?? [];
    if (address === undefined) continue;
    const close = async (): Promise<void> => {
      child.disconnect();
      await ended;
    };
    return { target: { address, token }, close };
  }
  throw new Error("the local catalog did not start");
}
