import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Fault } from "../../src/local-catalog/faults/settings.ts";
import { cli } from "./dist.ts";
import { metadataFile, type MadeAspect, temporaryDirectory } from "./catalog.ts";

/** Starts the command line as a process that ends with the test. */
export function startProcess(
  argv: readonly string[],
  cwd: string,
  before: readonly string[] = [],
): ChildProcess {
  const child = spawn(process.execPath, [...before, cli, ...argv], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Waits until a process prints something to stdout or stderr, and answers with the first group of the match. */
export function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((found) => {
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        const [, match] = pattern.exec(text) ?? [];
        if (match !== undefined) found(match);
      });
  });
}

/** A local catalog in a process of its own. */
export interface KillableServer {
  readonly url: string;
  readonly dataDir: string;
  /** Kills it, and starts it again after a time in milliseconds at the same address. */
  readonly killFor: (duration: number) => Promise<void>;
  /** What somebody does in the UI, until the server says that it is done. */
  readonly edit: (mutation: string) => Promise<void>;
}

/** Starts a local catalog with faults, which holds these aspects. It ends with the test. */
export async function startKillable(
  world: readonly MadeAspect[],
  faults: readonly Fault[],
): Promise<KillableServer> {
  const dir = temporaryDirectory();
  writeFileSync(join(dir, "faults.yaml"), JSON.stringify({ faults }));
  const options = ["--no-auth", "--data", "data", "--faults", "faults.yaml"];
  const listen = async (...more: readonly string[]): Promise<readonly [ChildProcess, string]> => {
    const child = startProcess(["serve", ...options, ...more], dir);
    return [child, await printed(child, /Catalog listening on (\S+)\n/)];
  };
  let [server, url] = await listen("--port", "0", "--load", metadataFile(dir, world));
  return {
    url,
    dataDir: join(dir, "data"),
    killFor: async (duration) => {
      server.kill("SIGKILL");
      await once(server, "exit");
      await wait(duration);
      [server, url] = await listen("--port", new URL(url).port);
    },
    edit: async (mutation) => {
      let tries = 0;
      while (!(await isDone(url, mutation))) {
        tries += 1;
        if (tries === 100) throw new Error(`the server does not do it: ${mutation}`);
        await wait(100);
      }
    },
  };
}

async function isDone(url: string, mutation: string): Promise<boolean> {
  try {
    const body = JSON.stringify({ query: `mutation { ${mutation} }` });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}/api/graphql`, { method: "POST", headers, body });
    const { errors } = (await response.json()) as { readonly errors?: unknown };
    return response.ok && errors === undefined;
  } catch {
    // It has faults, or is being started.
    return false;
  }
}
