/** Defines problems: mistakes in the input, or declared entities that the catalog does not have. */

import { canonicalJson, compareText } from "./json.ts";
import type { Origin } from "./origin.ts";
import { assetProblems } from "./problems/assets.ts";
import { deletionProblems } from "./problems/deletions.ts";
import { documentProblems } from "./problems/documents.ts";
import { fileProblems } from "./problems/files.ts";
import { baseProblems, changedSinceProblems, newerBaseProblems } from "./problems/history.ts";
import { policyProblems } from "./problems/policies.ts";
import type { ProblemDefinition, Severity } from "./problems/problem.ts";
import { referenceProblems } from "./problems/references.ts";
import { rollbackProblems } from "./problems/rollbacks.ts";
import { ruleProblems } from "./problems/rules.ts";
import { settingsProblems } from "./problems/settings.ts";
import { valueProblems } from "./problems/values.ts";
import { yamlProblems } from "./problems/yaml.ts";

const areas = {
  ...fileProblems,
  ...yamlProblems,
  ...documentProblems,
  ...valueProblems,
  ...referenceProblems,
  ...ruleProblems,
  ...policyProblems,
  ...settingsProblems,
  ...newerBaseProblems,
  ...baseProblems,
  ...changedSinceProblems,
  ...assetProblems,
  ...deletionProblems,
  ...rollbackProblems,
};

type Areas = typeof areas;

type ArgsOf<Definition> = Definition extends ProblemDefinition<infer Args> ? Readonly<Args> : never;

/** Every code's arguments. Codes and arguments are public. */
export type ProblemTable = { readonly [Code in keyof Areas]: ArgsOf<Areas[Code]> };

/** Every problem, by code. */
export const problems: { readonly [Code in ProblemCode]: ProblemDefinition<ProblemTable[Code]> } = areas;

export type ProblemCode = keyof Areas;

/** Any code's arguments. */
export type ProblemArgs = Readonly<Record<string, string | number | readonly string[] | undefined>>;

interface Common {
  readonly severity: Severity;
  /** The problem's position. */
  readonly origin?: Origin;
  /** Another position related to the problem, such as the first of two duplicates. */
  readonly related?: Origin;
}

/** A problem with one code, or with one of several codes that have the same arguments. */
export interface ProblemOf<Code extends ProblemCode> extends Common {
  readonly code: Code;
  readonly args: ProblemTable[Code];
}

/** A problem in this version, with any code. */
export type Problem = { readonly [Code in ProblemCode]: ProblemOf<Code> }[ProblemCode];

/** A problem in a saved plan. Another version may have written it, so the code may be unknown. */
export interface SavedProblem extends Common {
  readonly code: string;
  readonly args: ProblemArgs;
  readonly message: string;
  /** The saved source line, or an empty text. The tool reads no file to show it. */
  readonly source: string;
}

/** A problem in a new or a saved plan. */
export type PlanProblem = Problem | SavedProblem;

type Trait = NonNullable<Areas[ProblemCode]["trait"]>;

type CodeWith<Wanted extends Trait> = {
  readonly [Code in ProblemCode]: Areas[Code] extends { readonly trait?: Wanted } ? Code : never;
}[ProblemCode];

/** The problems whose codes have one of these traits. */
export type ProblemWith<Wanted extends Trait> = {
  readonly [Code in CodeWith<Wanted>]: ProblemOf<Code>;
}[CodeWith<Wanted>];

/** Returns a code's trait. The code may come from a saved plan. Decisions use traits or severities, and never compare codes. */
export function traitOf(code: string): Trait | undefined {
  return Object.hasOwn(areas, code) ? areas[code as ProblemCode].trait : undefined;
}

/** Whether a problem has one of these traits. A saved problem has none, because its arguments are unknown. */
export function hasTrait<Wanted extends Trait>(
  problem: PlanProblem,
  ...wanted: readonly Wanted[]
): problem is ProblemWith<Wanted> {
  if ("message" in problem) return false;
  const trait = traitOf(problem.code);
  return wanted.some((each) => each === trait);
}

/** Whether a problem is an error, not a warning. */
export function isError({ severity }: { readonly severity: PlanProblem["severity"] }): boolean {
  return severity === "error";
}

/** Sorts problems for display: by file, line, column, then code. */
export function sortProblems<Each extends PlanProblem>(list: readonly Each[]): readonly Each[] {
  return list.toSorted(
    (a, b) =>
      compareText(a.origin?.file ?? "", b.origin?.file ?? "") ||
      (a.origin?.line ?? 0) - (b.origin?.line ?? 0) ||
      (a.origin?.column ?? 0) - (b.origin?.column ?? 0) ||
      compareText(a.code, b.code) ||
      compareText(canonicalJson(a.args), canonicalJson(b.args)),
  );
}
