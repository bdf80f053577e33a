import { randomBytes } from "node:crypto";

/** How every id begins that the acceptance makes. */
export const prefix = "gitops-acceptance-";

// In a URN the name of a trial follows, and that of an entity.
const inUrn = new RegExp(`${prefix}[0-9a-z]{12}(?=\\.[a-z]+\\.)`);

/** An id for one run: when it began, and some random characters. It stands in every URN that the run makes. */
export function newRunId(now = Date.now()): string {
  const random = (randomBytes(4).readUInt32BE() % 36 ** 4).toString(36).padStart(4, "0");
  return `${prefix}${now.toString(36).padStart(8, "0")}${random}`;
}

/** The id of the run that made a URN; `undefined` of what no run has made. */
export function runIdIn(urn: string): string | undefined {
  return inUrn.exec(urn)?.[0];
}

/** When a run began. */
export function startOf(runId: string): number {
  return Number.parseInt(runId.slice(prefix.length, -4), 36);
}
