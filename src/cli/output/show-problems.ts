/** Prints problems to stderr with their source lines. */

import { renderProblems } from "../../workflow/render.ts";
import type { Plan } from "../../model/plan.ts";
import { countsOf } from "../../report/document/problems.ts";
import { hasColor, type Io } from "../io.ts";

const problemLimit = 100;

/** Prints up to 100 problems found in a plan or in manifests. Adds counts if there are both errors and warnings. */
export function showProblems(
  { problems = [], names }: Pick<Plan, "problems" | "names">,
  { cwd, env, stderr }: Io,
): void {
  if (problems.length === 0) return;
  const width = stderr.isTTY ? stderr.columns : undefined;
  stderr.write(
    renderProblems(problems, { cwd, names, width, color: hasColor(stderr, env), limit: problemLimit }),
  );
  // The counts make an error among warnings easier to notice. A truncated list already contains the counts.
  const isMixed = new Set(problems.map(({ severity }) => severity)).size > 1;
  if (isMixed && problems.length <= problemLimit) stderr.write(`${countsOf(problems)}\n`);
}
