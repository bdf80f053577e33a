import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What one run makes, written down before it is made: a run that is killed leaves this file. */
export interface Journal {
  /** Writes down what is about to be made; once is enough. */
  readonly note: (urn: string) => void;
  readonly urns: ReadonlySet<string>;
  /** Everything has been taken away. */
  readonly close: () => void;
}

/** Where a run works: with it the next one takes away what is left. */
export interface Surroundings {
  readonly address: string;
  /** A directory of files. */
  readonly directory: string;
}

/** What a run left that has ended without taking it away. */
interface Left extends Surroundings {
  readonly file: string;
  readonly urns: readonly string[];
}

/** Opens the journal of a run. */
export function openJournal(folder: string, runId: string, surroundings: Surroundings): Journal {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, runId);
  writeFileSync(file, `${JSON.stringify({ ...surroundings, pid: process.pid })}\n`);
  const urns = new Set<string>();
  return {
    urns,
    note: (urn) => {
      if (urns.has(urn)) return;
      urns.add(urn);
      appendFileSync(file, `${urn}\n`);
    },
    close: () => rmSync(file, { force: true }),
  };
}

/** The journals of runs that have ended with something left at an address. */
export function journalsLeft(folder: string, address: string): readonly Left[] {
  const names = readdirSync(folder, { withFileTypes: true }).map(({ name }) => join(folder, name));
  return names.flatMap((file) => {
    const [head = "", ...urns] = readFileSync(file, "utf8").split("\n");
    // A run that was killed before it wrote anything has made nothing.
    if (head === "") return [];
    const { pid, ...surroundings } = JSON.parse(head) as Surroundings & { readonly pid: number };
    if (surroundings.address !== address || isRunning(pid)) return [];
    return [{ ...surroundings, file, urns: urns.filter((urn) => urn !== "") }];
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
