import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { cli } from "../support/dist.ts";

/** A local catalog in a process of its own, which a test can kill. */
export interface ServedCatalog {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: undefined;
}

/** Serves a data directory with the built product until the test ends. `setup` is what its shell does before. */
export async function served(dataDir: string, setup = ""): Promise<ServedCatalog> {
  const argv = [cli, "serve", "--port", "0", "--no-auth", "--data", dataDir];
  const child = spawn("sh", ["-c", `${setup} exec "$0" "$@"`, process.execPath, ...argv], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const url = /^Catalog listening on (\S+)\n/.exec(line.toString())?.[1] ?? "";
  return { child, url, token: undefined };
}
