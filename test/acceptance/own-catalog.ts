import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { hidden, writeHidden } from "./hidden.ts";
import type { Target } from "./workspace.ts";

/** How many seconds its index is late: somewhat less than that of a real server, so that a run does not take long. */
const lagging = ["--lag", "2"];

/** By how many milliseconds the reads of a replica are late. */
const readLag = 2_000;

/** The options of `serve` by which a local catalog behaves as some servers do. */
export const moods = {
  plain: [],
  lagging,
  narrowing: [...lagging, "--float32"],
  refusing: [...lagging, "--alternate-validation"],
  restricted: [...lagging, "--restrict", hidden],
  replica: [...lagging, "--read-lag", `${readLag / 1000}`],
  gateway: [...lagging, "--max-batch", "3"],
} as const;

export type Mood = keyof typeof moods;

/** A local catalog of this run. */
export interface OwnCatalog {
  readonly target: Target;
  /** What it hides from its token. */
  readonly hidden: string | undefined;
  readonly close: () => Promise<void>;
}

/**
 * Starts the built local catalog with a directory of its own. It ends with this process, however that ends, and not by Ctrl-C:
 * what was made is taken away first.
 */
export async function startOwnCatalog(root: string, mood: Mood): Promise<OwnCatalog> {
  const token = randomBytes(16).toString("hex");
  const directory = mkdtempSync(join(tmpdir(), "acceptance-hidden-"));
  const file = join(directory, "hidden.json");
  writeHidden(file);
  const child = spawn(
    process.execPath,
    [
      join(root, "test/acceptance/keep-catalog.mjs"),
      join(root, "dist/cli.js"),
      ...moods[mood],
      "--load",
      file,
    ],
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
      rmSync(directory, { recursive: true, force: true });
    };
    const target = { address, token, ...(mood === "replica" && { readLag }) };
    return { target, hidden: mood === "restricted" ? hidden : undefined, close };
  }
  throw new Error("the local catalog did not start");
}
