/** Prints a list of stored runs. */

import type { StoredRun } from "../../model/run.ts";
import { countedText } from "../count.ts";
import { jsonText } from "../json/pieces.ts";
import { printableLine } from "../printable.ts";

/** Prints stored runs. */
export type RunsPrinter = (runs: readonly StoredRun[]) => string;

/** Prints runs as text: a line for each run (newest first), and the number of runs. */
export const printRunsText: RunsPrinter = (runs) => {
  const lines = runs.map((run) => `${printableLine(lineOf(run))}\n`);
  return `${lines.join("")}${lines.length > 0 ? "\n" : ""}${runs.length === 0 ? "No runs." : `${countedText(runs.length, "run")}.`}\n`;
};

function lineOf({ id, at, exitCode, applied, failed, skipped, stale, commit, server }: StoredRun): string {
  const others = Object.entries({ failed, skipped, stale }).flatMap(([status, number]) =>
    number > 0 ? [`${number} ${status}`] : [],
  );
  const counts = [`${applied} applied`, ...others].join(", ");
  const of = commit === null ? "no commit" : `commit ${commit.slice(0, 12)}`;
  return `${id}  ${at}  exit ${exitCode}  ${counts}  ${of}  ${server}`;
}

/** Prints runs as JSON. */
export const printRunsJson: RunsPrinter = (runs) =>
  jsonText({ formatVersion: "1", runs: runs.map(({ object: _, ...run }) => run) });
