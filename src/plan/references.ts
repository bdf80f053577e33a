import { kinds } from "../kinds/index.ts";
import { type Change, isSetChange } from "../model/change.ts";
import type { Problem } from "../model/problem.ts";
import type { DeclaredReference, Existence } from "../model/reference.ts";
import type { Member, Scalar } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";

/** The references that the changes would write: only these must exist in the catalog. */
export function referencesToCheck(
  references: readonly DeclaredReference[],
  changes: readonly Change[],
): readonly DeclaredReference[] {
  const added = new Map<string, Set<string>>();
  for (const change of changes) {
    const place = `${change.urn} ${change.facet}`;
    const urns = added.get(place) ?? new Set();
    added.set(place, urns);
    for (const value of isSetChange(change) ? change.add : [change.after])
      textsIn(value).forEach((urn) => urns.add(urn));
  }
  return references.filter(({ from, facet, urn }) => added.get(`${from} ${facet}`)?.has(urn) === true);
}

/** What is referred to and cannot be used: each once, at its first place. */
export function referenceProblems(
  references: readonly DeclaredReference[],
  existence: ReadonlyMap<Urn, Existence>,
): readonly Problem[] {
  const first = new Map<Urn, DeclaredReference>();
  for (const reference of references) if (!first.has(reference.urn)) first.set(reference.urn, reference);
  return [...first.values()].flatMap(
    (reference) => referenceProblem(reference, existence.get(reference.urn)) ?? [],
  );
}

function referenceProblem(
  { urn, entityType, origin }: DeclaredReference,
  existence: Existence | undefined,
): Problem | undefined {
  const what = kinds.find((kind) => kind.entityType === entityType)?.name ?? nameOfType(entityType);
  const about = { severity: "error", origin } as const;
  switch (existence?.status) {
    case "present":
      return undefined;
    case "absent":
      return { code: "reference-missing", args: { urn, what }, ...about };
    case "soft-deleted":
      return { code: "reference-removed", args: { urn, what }, ...about };
    case "unreadable":
      return { code: "read-failed", args: { urn, error: existence.error }, ...about };
    case undefined:
      return { code: "read-failed", args: { urn, error: "it was not asked for" }, ...about };
  }
}

// `ownershipType` is the one type that is referred to and no kind.
function nameOfType(entityType: string): string {
  return entityType.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function textsIn(value: Member | Scalar): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}
