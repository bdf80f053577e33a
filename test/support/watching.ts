import { Ajv } from "ajv";
import { expect, onTestFinished } from "vitest";
import type { Round } from "../../src/model/round.ts";
import { roundSchema } from "../../src/report/saved/round-schema.ts";
import type { Output } from "../../src/cli/io.ts";
import { capture, type Ran, runCli, type RunOptions } from "./command-line.ts";
import type { Site } from "./site.ts";

/** A watch that waits after each of its rounds until it is asked for the next one. */
export interface Watching {
  /** Answers with what the next round came to, which begins now unless it is the first one. */
  readonly round: () => Promise<Round>;
  /** What it answers by HTTP. */
  readonly get: (path: string) => Promise<{ readonly status: number; readonly text: string }>;
  /** Where it listens. */
  readonly address: Promise<string>;
  /** Interrupts it, and answers with how it ended. */
  readonly stop: () => Promise<Ran>;
}

const isRound = new Ajv().compile(roundSchema);

/** Starts a watch, whose first round begins at once. It is interrupted when the test ends. */
export async function startWatch(
  site: Pick<Site, "root" | "catalog">,
  argv: readonly string[] = [],
  options: Partial<RunOptions> & { readonly server?: string } = {},
): Promise<Watching> {
  const gate = createGate();
  const [stdout, stderr, interruption] = [capture(80), capture(80), new AbortController()];
  const lines = createLines();
  const watched: Output = {
    ...stdout,
    write: (text) => {
      gate.close();
      stdout.write(text);
      lines.add(text);
    },
    flush: gate.opened,
  };
  let listens = (_: string): void => {};
  const url = new Promise<string>((resolve) => (listens = resolve));
  const told: Output = {
    ...stderr,
    write: (text) => {
      stderr.write(text);
      const [, address] = /^Listening on (\S+):/.exec(text) ?? [];
      if (address !== undefined) listens(address);
    },
  };
  const words = ["watch", "--every", "0s", "--listen", "127.0.0.1:0", "--format", "json", ...argv];
  const ended = runCli([...words, "--server", options.server ?? site.catalog.url], {
    cwd: site.root,
    ...options,
    stdout: watched,
    stderr: told,
    interrupted: interruption.signal,
  });
  const stop = async (): Promise<Ran> => {
    interruption.abort(new Error("interrupted"));
    gate.open();
    const { code } = await ended;
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  };
  onTestFinished(async () => void (await stop()));
  return {
    round: async () => {
      gate.open();
      const line = lines.next();
      const round: unknown = JSON.parse(await Promise.race([line, ended.then(() => stderr.text())]));
      expect({ round, errors: isRound(round) ? null : isRound.errors }).toEqual({ round, errors: null });
      return round as Round;
    },
    get: async (path) => {
      const response = await fetch((await url) + path);
      return { status: response.status, text: await response.text() };
    },
    address: url,
    stop,
  };
}

interface Gate {
  readonly open: () => void;
  readonly close: () => void;
  readonly opened: () => Promise<void>;
}

function createGate(): Gate {
  let isOpen = true;
  let waiting: (() => void)[] = [];
  return {
    open: () => {
      isOpen = true;
      for (const go of waiting) go();
      waiting = [];
    },
    close: () => {
      isOpen = false;
    },
    opened: async () => {
      if (!isOpen) await new Promise<void>((go) => waiting.push(go));
    },
  };
}

function createLines(): { readonly add: (text: string) => void; readonly next: () => Promise<string> } {
  const read: string[] = [];
  let waiting: ((text: string) => void) | undefined;
  return {
    add: (text) => {
      if (waiting) waiting(text);
      else read.push(text);
      waiting = undefined;
    },
    next: () => {
      const text = read.shift();
      return text === undefined
        ? new Promise((take) => {
            waiting = take;
          })
        : Promise.resolve(text);
    },
  };
}

/** The samples of an exposition, by name with labels. Fails where it is not one, by version 0.0.4 of the format. */
export function samplesIn(exposition: string): Readonly<Record<string, number>> {
  expect(exposition).toMatch(/^(.+\n)*$/);
  const samples: Record<string, number> = {};
  let current = "";
  const seen = new Set<string>();
  for (const line of exposition.split("\n").slice(0, -1)) {
    const [, kind, about = ""] = /^# (HELP|TYPE) ([a-z_]+) (?:\S.*)$/.exec(line) ?? [];
    if (kind === "HELP") {
      expect(seen, line).not.toContain(about);
      seen.add(about);
      current = about;
    } else if (kind === "TYPE") {
      expect({ line, about }).toEqual({ line, about: current });
      expect(line).toMatch(/ (gauge|counter)$/);
      if (line.endsWith("counter")) expect(about).toMatch(/_total$/);
    } else {
      const [, name = "", labels = "", value = ""] =
        /^([a-z_]+)(\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\["\\n])*")*\})? ([\d.e+-]+)$/.exec(
          line,
        ) ?? [];
      expect({ line, name }).toEqual({ line, name: current });
      expect(samples, line).not.toHaveProperty([name + labels]);
      samples[name + labels] = Number(value);
    }
  }
  return samples;
}

/** How many rounds ended with each exit code, as metrics say. */
export function roundsIn(exposition: string): Readonly<Record<string, number>> {
  const counted = Object.entries(samplesIn(exposition)).flatMap(([name, value]) => {
    const [, code] = /^datahub_gitops_watch_rounds_total\{exit_code="(\d+)"\}$/.exec(name) ?? [];
    return code === undefined ? [] : [[code, value] as const];
  });
  return Object.fromEntries(counted);
}
