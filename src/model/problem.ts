import { canonicalJson, compareText } from "./json.ts";
import type { Origin } from "./origin.ts";

/** What a problem's text is made of; the text itself is in `report/problems.ts`. */
export type ProblemArgs = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * A mistake in the input, or something declared that is not there. `code` is public. `origin` is where it
 * stands, `related` is another place that belongs to it (the first of two duplicates, say). `source` is the line that
 * was kept with a problem, empty where none was; no file is asked for it then.
 */
export interface Problem {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly args: ProblemArgs;
  readonly origin?: Origin;
  readonly related?: Origin;
  readonly source?: string;
}

/** Problems in the order in which they are shown: by file, line, column, then code. */
export function sortProblems(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted(
    (a, b) =>
      compareText(a.origin?.file ?? "", b.origin?.file ?? "") ||
      (a.origin?.line ?? 0) - (b.origin?.line ?? 0) ||
      (a.origin?.column ?? 0) - (b.origin?.column ?? 0) ||
      compareText(a.code, b.code) ||
      compareText(canonicalJson(a.args), canonicalJson(b.args)),
  );
}
