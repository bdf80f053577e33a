/** Checks the GitHub workflows that use this program's action. */

import { resolve } from "node:path";
import { enclosingWorkTree } from "../../../files/links.ts";
import { type Check, ok, problem, warning } from "../../../model/diagnosis.ts";
import type { Io } from "../../io.ts";
import { withAction, workflowNames } from "../workflow-files.ts";
import { readWorkflows, type Step, type Workflow } from "./read-workflows.ts";

const id = "workflows";

/** The part of an action reference between the owner and the release. */
const action = "/datahub-gitops@";

/**
 * Checks that each workflow specifies the action and checks out the full history, and that the workflows run all commands in
 * `workflowNames`. Returns a warning for each unreadable workflow.
 */
export function checkWorkflows(directory: string, io: Io): readonly Check[] {
  const root = resolve(io.cwd, directory);
  const { workflows, unread } = readWorkflows(enclosingWorkTree(root) ?? root, action);
  const own = workflows.filter((workflow) => ownSteps(workflow).length > 0);
  const found = [
    ...unread.map(({ name, reason }) =>
      warning(id, `${name} cannot be read: ${reason}`, "fix or remove this file; it was not checked"),
    ),
    ...own.flatMap(checkWorkflow),
  ];
  // An unreadable workflow may contain the missing commands.
  const missing = unread.length === 0 ? missingCommands(own) : [];
  if (found.length > 0 || missing.length > 0) return [...found, ...missing];
  if (own.length === 0) return [ok(id, "no GitHub workflow uses datahub-gitops")];
  const names = own.map(({ name }) => name).join(", ");
  return [ok(id, `${names} ${own.length === 1 ? "is" : "are"} set up correctly`)];
}

function ownSteps({ jobs }: Workflow): readonly Step[] {
  return jobs.flatMap(({ steps }) => steps.filter(isOwn));
}

function isOwn({ uses }: Step): boolean {
  return uses.includes(action);
}

function missingCommands(own: readonly Workflow[]): readonly Check[] {
  const commands = new Set(own.flatMap(ownSteps).map(({ inputs }) => inputs["command"]));
  const missing = workflowNames.filter((name) => !commands.has(name));
  if (own.length === 0 || missing.length === 0) return [];
  return [
    warning(
      id,
      `no workflow runs ${missing.join(" or ")}`,
      "run `datahub-gitops init --workflows`, unless a different CI system already runs these commands",
    ),
  ];
}

function checkWorkflow(workflow: Workflow): readonly Check[] {
  const { name, jobs } = workflow;
  const used = ownSteps(workflow).map(({ uses }) => uses);
  const isUnset = used.some((uses) => withAction(uses, "") !== undefined);
  const movable = isUnset
    ? undefined
    : used
        .map((uses) => uses.slice(uses.indexOf(action) + action.length))
        .find((release) => !/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(release));
  const shallow = jobs.filter(({ steps }) => steps.slice(0, steps.findLastIndex(isOwn) + 1).some(isShallow));
  return [
    ...(isUnset
      ? [
          problem(
            id,
            `${name} does not specify the action yet`,
            "run `datahub-gitops init --workflows --action OWNER/NAME@COMMIT`, or edit the line marked (1)",
          ),
        ]
      : []),
    ...(movable === undefined
      ? []
      : [
          warning(
            id,
            `${name} uses the action at ${movable}, which can later point to different code`,
            "pin the action to a full 40-digit commit hash, because the job has access to the DataHub token",
          ),
        ]),
    ...shallow.map((job) =>
      problem(
        id,
        `job ${job.id} in ${name} checks out only part of the history`,
        "add `fetch-depth: 0` to each actions/checkout step before the action, which needs the full history to find earlier declarations",
      ),
    ),
  ];
}

function isShallow({ uses, inputs }: Step): boolean {
  const depth = inputs["fetch-depth"];
  // The value of an expression is unknown until the workflow runs.
  const isExpression = typeof depth === "string" && depth.includes("${{");
  return uses.startsWith("actions/checkout@") && depth !== 0 && depth !== "0" && !isExpression;
}
