import { sourceLines } from "../../manifests/yaml/source-lines.ts";
import type { Plan } from "../../model/plan.ts";
import { renderProblems } from "../../report/problems.ts";
import { hasColor, type Io } from "../io.ts";

/** Prints the problems of a plan, or of what has become none, to stderr with their source lines. */
export function showProblems({ problems = [], names }: Pick<Plan, "problems" | "names">, io: Io): void {
  if (problems.length === 0) return;
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
}

const problemLimit = 100;
