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

/** Arguments of any code. */
export type ProblemArgs = Readonly<Record<string, string | number | readonly string[] | undefined>>;

interface Common {
  readonly severity: "error" | "warning";
  /** Where it is. */
  readonly origin?: Origin;
  /** Another place that belongs to it: the first of two duplicates, for example. */
  readonly related?: Origin;
}

/** A problem of a code, or of one of several codes that have the same arguments. */
export interface ProblemOf<Code extends ProblemCode> extends Common {
  readonly code: Code;
  readonly args: ProblemTable[Code];
}

/** A mistake in the input, or something declared that is not in the catalog. */
export type Problem = { readonly [Code in ProblemCode]: ProblemOf<Code> }[ProblemCode];

/** A problem of a saved plan, which another version may have written: its code may be unknown. */
export interface SavedProblem extends Common {
  readonly code: string;
  readonly args: ProblemArgs;
  readonly message: string;
  /** The line that was saved with it, or empty: no file is read for it. */
  readonly source: string;
}

/** A problem of a plan that was just made, or of a saved one. */
export type PlanProblem = Problem | SavedProblem;

/** Whether a problem is an error, and no warning. */
export function isError({ severity }: Pick<PlanProblem, "severity">): boolean {
  return severity === "error";
}

/** Problems in the order in which they are shown: by file, line, column, then code. */
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
