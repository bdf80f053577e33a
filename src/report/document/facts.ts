/** Lists the facts about a plan and its apply in the order that all formats use. */

import type { Plan } from "../../model/plan.ts";
import type { Run } from "../../model/report.ts";
import { approvalText, serverName } from "./notes.ts";

/** A fact's name and text. */
export type Fact = readonly [name: string, text: string];

/** Returns a plan's server, commits and tool, and the times and approval of its apply. */
export function factsOf(about: Plan, run?: Run): readonly Fact[] {
  const { git, tool } = about;
  const commit = git.commit === null ? "none" : `${git.commit}${git.dirty ? " and uncommitted changes" : ""}`;
  const facts = {
    Server: serverName(about),
    Commit: commit,
    Base: git.base ?? "none",
    Tool: tool,
    Started: run && timeText(run.startedAt),
    Ended: run && `${timeText(run.endedAt)}, exit code ${run.exitCode}`,
    Approved: run && approvalText(run),
    Stopped: run?.stopped,
  };
  return Object.entries(facts).flatMap(([name, fact]) => (fact === undefined ? [] : [[name, fact]]));
}

/** Formats an ISO 8601 time in readable form, with a precision of one second: "2026-01-31 12:00:00 UTC". */
export function timeText(instant: string): string {
  return instant.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, "$1 $2 UTC");
}
