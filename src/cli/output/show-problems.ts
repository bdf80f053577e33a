import { sourceLines } from "../../manifests/yaml/source-lines.ts";
import type { Problem } from "../../model/problem.ts";
import { problemsJson, renderProblems } from "../../report/problems.ts";
import { hasColor, type Io } from "../io.ts";

/** Prints problems with their source lines to stderr. */
export function showProblems(problems: readonly Problem[], io: Io): void {
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

/** Problems as JSON. */
export function problemsAsJson(problems: readonly Problem[], io: Io): readonly object[] {
  return problemsJson(problems, sourceLines(io.cwd));
}

const problemLimit = 100;
