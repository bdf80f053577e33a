/** Writes a run's facts into its commit message, and reads them back. */

import type { StoredRun, RunFacts } from "../model/run.ts";

/** The names of the commit message trailers. Each trailer is a line `Name: value`, as in `git interpret-trailers`. */
const trailers = {
  at: "At",
  exitCode: "Exit-Code",
  applied: "Applied",
  failed: "Failed",
  skipped: "Skipped",
  stale: "Stale",
  commit: "Commit",
  server: "Server",
} as const satisfies Readonly<Record<keyof RunFacts, string>>;

/** Returns the commit message for a run. */
export function messageOf(facts: RunFacts): string {
  const lines = Object.entries(trailers).map(
    ([key, name]) => `${name}: ${facts[key as keyof RunFacts] ?? "none"}`,
  );
  return `apply: ${facts.applied} applied, ${facts.failed} failed\n\n${lines.join("\n")}\n`;
}

/** Returns the run that a commit message describes; `undefined` if the message does not describe a run. */
export function runIn(object: string, id: string, message: readonly string[]): StoredRun | undefined {
  const field = (key: keyof RunFacts): string | undefined => {
    const start = `${trailers[key]}: `;
    return message.find((line) => line.startsWith(start))?.slice(start.length);
  };
  const number = (key: keyof RunFacts): number =>
    /^\d{1,15}$/.test(field(key) ?? "") ? Number(field(key)) : Number.NaN;
  const counts = {
    exitCode: number("exitCode"),
    applied: number("applied"),
    failed: number("failed"),
    skipped: number("skipped"),
    stale: number("stale"),
  };
  const [at = "", commit = "", server] = [field("at"), field("commit"), field("server")];
  const isNumeric = Object.values(counts).every((count) => !Number.isNaN(count));
  const isCommit = /^(?:none|[0-9a-f]{40,64})$/.test(commit);
  if (!isNumeric || !isCommit || Number.isNaN(Date.parse(at)) || server === undefined) return undefined;
  return { id, object, at, ...counts, commit: commit === "none" ? null : commit, server };
}
