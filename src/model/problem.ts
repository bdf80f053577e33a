/** Defines problems: mistakes in the input, and declared entities that are not in the catalog. */

import { canonicalJson, compareText } from "./json.ts";
import type { Origin } from "./origin.ts";
import { assetProblems } from "./problems/assets.ts";
import { deletionProblems } from "./problems/deletions.ts";
import { documentProblems } from "./problems/documents.ts";
import { fileProblems } from "./problems/files.ts";
import { baseProblems, changedSinceProblems, newerBaseProblems } from "./problems/history.ts";
import { membershipProblems } from "./problems/memberships.ts";
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
  ...membershipProblems,
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

/** The arguments of every problem, keyed by code. Both codes and arguments are part of the public JSON output. */
export type ProblemTable = { readonly [Code in keyof Areas]: ArgsOf<Areas[Code]> };

/** All problems, keyed by code. */
export const problems: { readonly [Code in ProblemCode]: ProblemDefinition<ProblemTable[Code]> } = areas;

export type ProblemCode = keyof Areas;

/** The arguments of a problem with any code. */
export type ProblemArgs = Readonly<Record<string, string | number | readonly string[] | undefined>>;

interface Common {
  readonly severity: Severity;
  readonly origin?: Origin;
  /** Another position related to the problem, such as the first of two duplicates. */
  readonly related?: Origin;
}

/** A problem with one code, or with one of several codes that have the same arguments. */
export interface ProblemOf<Code extends ProblemCode> extends Common {
  readonly code: Code;
  readonly args: ProblemTable[Code];
}

/** A problem with any code that this version defines. */
export type Problem = { readonly [Code in ProblemCode]: ProblemOf<Code> }[ProblemCode];

/** A problem in a saved plan. A different version of the tool may have written the plan, so the code may be unknown. */
export interface SavedProblem extends Common {
  readonly code: string;
  readonly args: ProblemArgs;
  readonly message: string;
  /** The saved source line, or an empty string. The tool shows this line and does not read the file. */
  readonly source: string;
}

/** A problem in a new or a saved plan. */
export type PlanProblem = Problem | SavedProblem;

type Trait = NonNullable<Areas[ProblemCode]["trait"]>;

type CodeWith<Wanted extends Trait> = {
  readonly [Code in ProblemCode]: Areas[Code] extends { readonly trait?: Wanted } ? Code : never;
}[ProblemCode];

/** The problems that have one of the given traits. */
export type ProblemWith<Wanted extends Trait> = {
  readonly [Code in CodeWith<Wanted>]: ProblemOf<Code>;
}[CodeWith<Wanted>];

/**
 * Returns the trait of a code, which may come from a saved plan. Decisions depend on traits or severities, never on individual
 * codes.
 */
export function traitOf(code: string): Trait | undefined {
  return Object.hasOwn(areas, code) ? areas[code as ProblemCode].trait : undefined;
}

/** Whether a problem has one of the given traits. A problem from a saved plan has none, because its arguments are unknown. */
export function hasTrait<Wanted extends Trait>(
  problem: PlanProblem,
  ...wanted: readonly Wanted[]
): problem is ProblemWith<Wanted> {
  if ("message" in problem) return false;
  const trait = traitOf(problem.code);
  return wanted.some((each) => each === trait);
}

/** Whether a problem is an error rather than a warning. */
export function isError({ severity }: { readonly severity: PlanProblem["severity"] }): boolean {
  return severity === "error";
}

/**
 * Whether a problem prevents an apply. Errors about unreadable entities do not, because they do not affect other entities.
 */
export function isRefusing({
  severity,
  code,
}: {
  readonly severity: PlanProblem["severity"];
  readonly code: string;
}): boolean {
  return severity === "error" && traitOf(code) !== "unread";
}

/** Sorts problems for display by file, line, column, and then code. */
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
