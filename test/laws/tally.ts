import { isInFull } from "../support/runs.ts";

/** Counts what happens in the worlds of a law, by name. */
export interface Tally {
  readonly add: (name: string, times?: number) => void;
  /** Prints what was counted, where the law was tried in full. */
  readonly print: () => void;
}

export function tallyOf(title: string): Tally {
  const counts = new Map<string, number>();
  return {
    add: (name, times = 1) => {
      if (times > 0) counts.set(name, (counts.get(name) ?? 0) + times);
    },
    print: () => {
      if (!isInFull) return;
      const lines = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
      process.stdout.write(`${title}: ${lines.map(([name, count]) => `${name} ${count}`).join(", ")}\n`);
    },
  };
}
