/** The traits of problem codes: every decision that depends on a code uses a trait. */

import type { PlanProblem, ProblemCode, ProblemOf } from "./problem.ts";

/** Traits by code. Other decisions use only the severity; no other file compares codes. */
const traits = {
  "asset-missing": "absent-asset",
  "asset-removed": "soft-deleted-asset",
  "column-unknown": "gone-column",
  "no-schema": "gone-column",
  "column-ambiguous": "unclear-column",
  "column-twice": "unclear-column",
  "read-failed": "unread",
  restricted: "unread",
  "ownership-unread": "unread-owners",
  "reference-missing": "absent-reference",
  "reference-removed": "soft-deleted-reference",
  "deletion-held": "held-deletion",
  "rollback-held": "moved",
  "refused-change": "refused-definition",
  "undeclared-reference": "undeclared",
  "undeclared-references": "undeclared",
  "ignored-value": "ignored",
  "ignored-facet": "ignored",
  "ignored-entity": "ignored",
  "unknown-field": "lists-fields",
  "no-directory": "no-manifest",
  "no-manifests": "no-manifest",
  "unmatched-path": "no-manifest",
} as const satisfies { readonly [Code in ProblemCode]?: string };

type Traits = typeof traits;

export type Trait = Traits[keyof Traits];

type CodeWith<Wanted extends Trait> = {
  readonly [Code in keyof Traits]: Traits[Code] extends Wanted ? Code : never;
}[keyof Traits];

/** The problems whose codes have one of these traits. */
export type ProblemWith<Wanted extends Trait> = {
  readonly [Code in CodeWith<Wanted>]: ProblemOf<Code>;
}[CodeWith<Wanted>];

/** The trait of a code, which may come from a saved plan. */
export function traitOf(code: string): Trait | undefined {
  return Object.hasOwn(traits, code) ? traits[code as keyof Traits] : undefined;
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
