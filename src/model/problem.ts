/** Problems: mistakes in the input, or declared entities that the catalog does not have. */

import { canonicalJson, compareText } from "./json.ts";
import type { Origin } from "./origin.ts";
import type {
  AheadProblems,
  BaseProblems,
  ChangedSinceProblems,
  FileProblems,
  LiveProblems,
  ManifestProblems,
  SettingsProblems,
} from "./problem-codes.ts";

/** The arguments of every code. Codes and arguments are public; the texts are in `report/problem-texts`. */
export interface ProblemTable
  extends
    FileProblems,
    ManifestProblems,
    SettingsProblems,
    AheadProblems,
    BaseProblems,
    ChangedSinceProblems,
    LiveProblems {}

export type ProblemCode = keyof ProblemTable;

/** The arguments of any code. */
export type ProblemArgs = Readonly<Record<string, string | number | readonly string[] | undefined>>;

interface Common {
  readonly severity: "error" | "warning";
  /** The place of the problem. */
  readonly origin?: Origin;
  /** Another place that belongs to it, such as the first of two duplicates. */
  readonly related?: Origin;
}

/** A problem with one code, or with one of several codes that have the same arguments. */
export interface ProblemOf<Code extends ProblemCode> extends Common {
  readonly code: Code;
  readonly args: ProblemTable[Code];
}

/** A problem of this version, with any code. */
export type Problem = { readonly [Code in ProblemCode]: ProblemOf<Code> }[ProblemCode];

/** A problem of a saved plan. Another version may have written it, so the code may be unknown. */
export interface SavedProblem extends Common {
  readonly code: string;
  readonly args: ProblemArgs;
  readonly message: string;
  /** The saved source line, or an empty text: no file is read for it. */
  readonly source: string;
}

/** A problem of a new or a saved plan. */
export type PlanProblem = Problem | SavedProblem;

/** Whether a problem is an error, not a warning. */
export function isError({ severity }: Pick<PlanProblem, "severity">): boolean {
  return severity === "error";
}

/** The problems in the order of display: by file, line, column, then code. */
export function sortProblems<Each extends PlanProblem>(problems: readonly Each[]): readonly Each[] {
  return problems.toSorted(
    (a, b) =>
      compareText(a.origin?.file ?? "", b.origin?.file ?? "") ||
      (a.origin?.line ?? 0) - (b.origin?.line ?? 0) ||
      (a.origin?.column ?? 0) - (b.origin?.column ?? 0) ||
      compareText(a.code, b.code) ||
      compareText(canonicalJson(a.args), canonicalJson(b.args)),
  );
}
