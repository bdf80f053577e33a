/** Determines how and by whom an apply was approved, based on the options or the CI system. Adds the run to a report. */

import { InvalidArgumentError } from "commander";
import type { Approver, Report, Run } from "../../model/report.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";

/** The options for approval. */
export interface ApprovalOptions {
  readonly autoApprove?: boolean;
  readonly approvedBy?: string;
}

/** The approval of an apply, as recorded in the report. */
export type Approval = Pick<Run, "approval" | "approvedBy">;

/** Parses the name of an approver. */
export function parseName(text: string): string {
  const name = text.trim();
  if (name === "") throw new InvalidArgumentError("Use a name, such as alice@acme.com.");
  return name;
}

/** Returns the approval to record for an apply. Without `--approved-by`, the approver is the user who started the CI run. */
export function approvalOf(
  approval: NonNullable<Approval["approval"]>,
  { approvedBy }: ApprovalOptions,
  { env }: Io,
): Approval {
  const approver = approvedBy === undefined ? startedBy(env) : { name: approvedBy, source: "--approved-by" };
  return {
    approval,
    ...(approver && { approvedBy: approver }),
  };
}

/**
 * CI systems. Each entry has the variable that the system sets to `true`, and the variables for the user who started the run,
 * most specific first.
 */
const systems = [
  // A rerun can have a different triggering actor (docs.github.com/actions/reference/workflows-and-actions/variables).
  { marker: "GITHUB_ACTIONS", names: ["GITHUB_TRIGGERING_ACTOR", "GITHUB_ACTOR"] },
  // docs.gitlab.com/ci/variables/predefined_variables
  { marker: "GITLAB_CI", names: ["GITLAB_USER_LOGIN"] },
] as const;

function startedBy(env: Io["env"]): Approver | undefined {
  const system = systems.find(({ marker }) => env[marker] === "true");
  const source = system?.names.find((name) => (env[name] ?? "").trim() !== "");
  return source && { name: (env[source] ?? "").trim(), source };
}

/** Adds the run's times, exit code and approval to a report. */
export function withRun(
  report: Report,
  { startedAt, code, approval }: { startedAt: Date; code: ExitCode; approval: Approval },
  io: Io,
): Report {
  const run: Run = {
    startedAt: startedAt.toISOString(),
    endedAt: io.now().toISOString(),
    exitCode: code,
    ...approval,
    ...(report.stopped !== undefined && { stopped: report.stopped }),
  };
  return { ...report, run };
}
