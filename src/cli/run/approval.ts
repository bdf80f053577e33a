import { InvalidArgumentError } from "commander";
import type { Approver, Report, Run } from "../../model/report.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";

/** How an apply is approved. */
export interface ApprovalOptions {
  readonly autoApprove?: boolean;
  readonly approvedBy?: string;
}

/** The approval, as a report has it. */
export type Approval = Pick<Run, "approval" | "approvedBy">;

/** Takes the name of a person. */
export function parseName(text: string): string {
  const name = text.trim();
  if (name === "") throw new InvalidArgumentError("Use a name, such as alice@acme.com.");
  return name;
}

/** Who approved the changes of an apply, and how. Without `--approved-by` it is who started the run of a CI system. */
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

/** CI systems: the variable that each sets to `true`, and those that may name the person, the closest first. */
const systems = [
  // A run that is started again has another triggering actor than the first time
  // (docs.github.com/actions/reference/workflows-and-actions/variables).
  { marker: "GITHUB_ACTIONS", names: ["GITHUB_TRIGGERING_ACTOR", "GITHUB_ACTOR"] },
  // docs.gitlab.com/ci/variables/predefined_variables
  { marker: "GITLAB_CI", names: ["GITLAB_USER_LOGIN"] },
] as const;

function startedBy(env: Io["env"]): Approver | undefined {
  const system = systems.find(({ marker }) => env[marker] === "true");
  const source = system?.names.find((name) => (env[name] ?? "").trim() !== "");
  return source && { name: (env[source] ?? "").trim(), source };
}

/** A report with when it began and ended, how, and by whose approval. */
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
