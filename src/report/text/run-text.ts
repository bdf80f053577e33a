import type { Report, Run } from "../../model/report.ts";
import { printable } from "../printable.ts";

/**
 * What a report says of itself, line by line: where it was applied, which commit, when, by whose approval, and how it
 * ended. Ends in a line break; empty for a report without a run.
 */
export function runText({ plan, run }: Report): string {
  if (!run) return "";
  const { commit, dirty, base } = plan.git;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ["target", plan.target],
    ["commit", commit === null ? "none" : `${commit}${dirty ? " and uncommitted changes" : ""}`],
    ["base", base ?? "none"],
    ["tool", plan.tool],
    ["started", run.startedAt],
    ["ended", `${run.endedAt}, exit code ${run.exitCode}`],
    ["approved", approvalText(run)],
    ["stopped", run.stopped],
  ];
  return lines
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(10)}${printable(value)}\n`]))
    .join("");
}

const ways = {
  answer: "answered with yes",
  "auto-approve": "--auto-approve",
  "saved-plan": "as a saved plan",
};

/** Who approved, by which source, and how; `undefined` if nobody did. */
export function approvalText({ approvedBy, approval }: Run): string | undefined {
  const way = approval === undefined ? [] : [ways[approval]];
  const who = approvedBy === undefined ? [] : [`by ${approvedBy.name} (${approvedBy.source})`];
  return way.length + who.length === 0 ? undefined : [...who, ...way].join(", ");
}
