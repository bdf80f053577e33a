import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readContainedFile } from "../../../files/read-file.ts";
import { workTreeAbove } from "../../../files/links.ts";
import { reasonOf, unreadableProblem } from "../../../manifests/catalog-files.ts";
import { type Check, ok, problem, warning } from "../../../model/diagnosis.ts";
import type { Problem } from "../../../model/problem.ts";
import { messageOf } from "../../../report/document/problems.ts";
import type { Io } from "../../io.ts";
import { withAction, workflowNames } from "../workflow-files.ts";

const id = "workflows";

/**
 * Checks the workflows for GitHub that use the action: that it is set, that they have the history, and that all are there. What
 * cannot be read is a warning.
 */
export function checkWorkflows(directory: string, io: Io): readonly Check[] {
  const root = resolve(io.cwd, directory);
  const folder = join(workTreeAbove(root) ?? root, ".github", "workflows");
  const { workflows, unread } = workflowsIn(folder);
  const own = workflows.filter(({ text }) => text.includes("/datahub-gitops@"));
  const found = [...unread, ...own.flatMap(({ name, text }) => checkWorkflow(name, text))];
  // What is not found may be in a workflow that cannot be read.
  const missing = unread.length === 0 ? missingCommands(own) : [];
  if (found.length > 0 || missing.length > 0) return [...found, ...missing];
  const names = own.map(({ name }) => name).join(", ");
  return [ok(id, own.length === 0 ? "no workflow for GitHub uses this program" : `${names} are complete`)];
}

function missingCommands(own: readonly Workflow[]): readonly Check[] {
  const commands = new Set(
    own.flatMap(({ text }) => [...text.matchAll(/^ +command: (\w+)$/gm)].map(([, each]) => each)),
  );
  const missing = workflowNames.filter((name) => !commands.has(name));
  if (own.length === 0 || missing.length === 0) return [];
  return [
    warning(
      id,
      `no workflow runs the command ${missing.join(" or ")}`,
      "write it with datahub-gitops init --workflows, if the commands run nowhere else",
    ),
  ];
}

function checkWorkflow(name: string, text: string): readonly Check[] {
  const isUnset = withAction(text, "") !== undefined;
  const isShallow = text.includes("actions/checkout@") && !/^ +fetch-depth: 0\b/m.test(text);
  return [
    ...(isUnset
      ? [
          problem(
            id,
            `${name} does not name the action yet`,
            "set it with datahub-gitops init --workflows --action OWNER/NAME@COMMIT, or by hand at the mark (1)",
          ),
        ]
      : []),
    ...(isShallow
      ? [
          problem(
            id,
            `${name} checks out the last commit alone`,
            "add `fetch-depth: 0` to its step actions/checkout: what was declared before is in earlier commits",
          ),
        ]
      : []),
  ];
}

interface Workflow {
  readonly name: string;
  readonly text: string;
}

interface Workflows {
  readonly workflows: readonly Workflow[];
  readonly unread: readonly Check[];
}

function workflowsIn(folder: string): Workflows {
  let names: readonly string[];
  try {
    names = readdirSync(folder)
      .filter((name) => /\.ya?ml$/.test(name))
      .toSorted();
  } catch (error) {
    const unread = reasonOf(error) === "ENOENT" ? [] : [unreadable(".github/workflows", error)];
    return { workflows: [], unread };
  }
  const workflows: Workflow[] = [];
  const unread: Check[] = [];
  for (const name of names) {
    try {
      workflows.push({ name, text: readContainedFile(join(folder, name)).toString("utf8") });
    } catch (error) {
      unread.push(unreadable(name, error));
    }
  }
  return { workflows, unread };
}

function unreadable(name: string, error: unknown): Check {
  return notRead(name, unreadableProblem(name, error));
}

function notRead(name: string, reason: Problem): Check {
  const why = messageOf(reason).replace(/^cannot be read: /, "");
  return warning(id, `${name} cannot be read: ${why}`, "correct it, or remove it: it was not checked");
}
