import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readContainedFile } from "../../../files/read-file.ts";
import { workTreeAbove } from "../../../files/links.ts";
import { type Check, ok, problem, warning } from "../../../model/diagnosis.ts";
import type { Io } from "../../io.ts";
import { withAction, workflowNames } from "../workflow-files.ts";

const id = "workflows";

/** Checks the workflows for GitHub that use the action: that it is set, that they have the history, and that all are there. */
export function checkWorkflows(directory: string, io: Io): readonly Check[] {
  const root = resolve(io.cwd, directory);
  const folder = join(workTreeAbove(root) ?? root, ".github", "workflows");
  const own = workflowsIn(folder).filter(({ text }) => text.includes("/datahub-gitops@"));
  if (own.length === 0) return [ok(id, "no workflow for GitHub uses this program")];
  const found = own.flatMap(({ name, text }) => checkWorkflow(name, text));
  const commands = new Set(
    own.flatMap(({ text }) => [...text.matchAll(/^ +command: (\w+)$/gm)].map(([, each]) => each)),
  );
  const missing = workflowNames.filter((name) => !commands.has(name));
  const [first] = missing;
  return [
    ...found,
    ...(first === undefined
      ? []
      : [
          warning(
            id,
            `no workflow runs the command ${missing.join(" or ")}`,
            "write it with datahub-gitops init --workflows, if the commands run nowhere else",
          ),
        ]),
    ...(found.length === 0 && first === undefined
      ? [ok(id, `${own.map(({ name }) => name).join(", ")} are complete`)]
      : []),
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

function workflowsIn(folder: string): readonly Workflow[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .toSorted();
  return names.map((name) => ({ name, text: readContainedFile(join(folder, name)).toString("utf8") }));
}
