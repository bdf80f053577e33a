import { sourceLines } from "../../manifests/yaml/source-lines.ts";
import type { Plan } from "../../model/plan.ts";
import { countsOf, problemRow } from "../../report/document/problems.ts";
import { problemsText } from "../../report/text/problems.ts";
import { hasColor, type Io } from "../io.ts";

const problemLimit = 100;

/** Prints the problems of a plan, or of manifests that no plan was made of, to stderr: with their source lines, and counted if some are warnings. */
export function showProblems(
  { problems = [], names }: Pick<Plan, "problems" | "names">,
  { cwd, env, stderr }: Io,
): void {
  if (problems.length === 0) return;
  const lineOf = sourceLines(cwd);
  const { columns: width, isTTY: wrap } = stderr;
  const rows = problems.map((problem) => problemRow(problem, lineOf, names));
  stderr.write(problemsText(rows, { width, wrap, color: hasColor(stderr, env), limit: problemLimit }));
  // An error is easily missed among warnings. A shortened list has the counts already.
  const isMixed = new Set(problems.map(({ severity }) => severity)).size > 1;
  if (isMixed && problems.length <= problemLimit) stderr.write(`${countsOf(problems)}\n`);
}
