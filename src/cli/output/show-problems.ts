import { sourceLines } from "../../manifests/yaml/source-lines.ts";
import type { PlanProblem } from "../../model/problem.ts";
import { renderProblems } from "../../report/problems.ts";
import { hasColor, type Io } from "../io.ts";

/** Prints problems to stderr with their source lines. */
export function showProblems(problems: readonly PlanProblem[], io: Io): void {
  if (problems.length === 0) return;
  io.stderr.write(
    renderProblems(problems, {
      lineOf: sourceLines(io.cwd),
      width: io.stderr.columns,
      wrap: io.stderr.isTTY,
      color: hasColor(io.stderr, io.env),
      limit: problemLimit,
    }),
  );
}

const problemLimit = 100;
