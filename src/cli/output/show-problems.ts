import { sourceLines } from "../../manifests/yaml/source-lines.ts";
import type { Plan } from "../../model/plan.ts";
import { countsOf, renderProblems } from "../../report/problems.ts";
import { hasColor, type Io } from "../io.ts";

/** Prints the problems of a plan, or of what has become none, to stderr: with their source lines, and counted if some are warnings. */
export function showProblems({ problems = [], names }: Pick<Plan, "problems" | "names">, io: Io): void {
  if (problems.length === 0) return;
  const isMixed = new Set(problems.map(({ severity }) => severity)).size > 1;
  io.stderr.write(
    renderProblems(problems, {
      lineOf: sourceLines(io.cwd),
      width: io.stderr.columns,
      wrap: io.stderr.isTTY,
      color: hasColor(io.stderr, io.env),
      limit: problemLimit,
      names,
    }),
  );
  // An error is easily missed among warnings. A shortened list has the counts already.
  if (isMixed && problems.length <= problemLimit) io.stderr.write(`${countsOf(problems)}\n`);
}

const problemLimit = 100;
