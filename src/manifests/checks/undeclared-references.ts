/** Counts the references to entities that no manifest declares, and warns about them. */

import { definitionKinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Problem } from "../../model/problem.ts";
import type { State } from "../../model/state.ts";
import { keyOf, plainKeyOf, type Urn } from "../../model/urn.ts";
import { groupBy } from "../../model/group-by.ts";
import { definitionsIn } from "../../plan/base/definitions.ts";
import type { WrittenReference } from "../../model/reference.ts";
import { type EntitiesByName, entitiesByName, namedAs } from "../../plan/checks/suggestions.ts";
import { namesIn } from "../../plan/notes/names.ts";
import { warningAt } from "../base/problem.ts";
import { nearestSpelling } from "../../model/text/suggestion.ts";

/**
 * The maximum number of undeclared entities of a kind that are reported in separate warnings. If there are more, one warning
 * lists a few of them.
 */
const maxSingleWarnings = 5;

/** The maximum number of name pairs to compare for suggestions. This many comparisons take well under a second. */
const maxComparisons = 200_000;

/** Returns warnings about undeclared entities. Covers only kinds with at least one declared entity. */
export function undeclaredReferences(
  state: State,
  undeclared: ReadonlyMap<Urn, Undeclared>,
): readonly Problem[] {
  const definitions = definitionsIn(state);
  const declared = groupBy(definitions.values(), ({ kind }) => kind);
  const named = entitiesByName(namesIn(definitions, new Map()));
  return definitionKinds.flatMap((kind) => {
    const known = declared.get(kind.name)?.map(({ urn }) => urn);
    return known ? warningsOf(kind, undeclaredOf(kind, undeclared), known, named) : [];
  });
}

/** An undeclared entity: the first reference to it, and the number of references. */
export interface Undeclared {
  readonly first: WrittenReference;
  readonly times: number;
}

/** Counts a reference to an undeclared entity. */
export function countUndeclared(found: Map<Urn, Undeclared>, reference: WrittenReference): void {
  const before = found.get(reference.urn);
  found.set(reference.urn, { first: before?.first ?? reference, times: (before?.times ?? 0) + 1 });
}

function undeclaredOf(kind: Kind, undeclared: ReadonlyMap<Urn, Undeclared>): readonly Undeclared[] {
  return [...undeclared.values()].filter(
    ({ first: { urn, entityType } }) =>
      entityType === kind.entityType && kind.isSystem?.(keyOf(urn)) !== true,
  );
}

/** `known` contains the declared entities of the kind, and `named` all declared entities by display name. */
function warningsOf(
  kind: Kind,
  undeclared: readonly Undeclared[],
  known: readonly Urn[],
  named: EntitiesByName,
): readonly Problem[] {
  const ids = known.map(keyOf);
  const rows = undeclared.map((row, index) => {
    const { urn } = row.first;
    const suggestion = index * ids.length < maxComparisons ? nearestSpelling(keyOf(urn), ids) : undefined;
    return { ...row, suggestion, named: undefined, ...namedAs(urn, named) };
  });
  const isPlain = (row: (typeof rows)[number]): boolean => row.suggestion === undefined && !row.named;
  const plain = rows.filter(isPlain);
  const singly = plain.length > maxSingleWarnings ? rows.filter((row) => !isPlain(row)) : rows;
  const warnings = singly.map(({ first, ...row }) =>
    warningAt(first.origin, "undeclared-reference", {
      kind: kind.name,
      id: plainKeyOf(first.urn),
      times: row.times,
      named: row.named,
      suggestion: row.suggestion,
    }),
  );
  return singly.length === rows.length ? warnings : [...warnings, summaryOf(kind, plain)];
}

/** Builds a single warning for many entities. The warning has no position, because the references are in different places. */
function summaryOf(kind: Kind, plain: readonly Undeclared[]): Problem {
  const ids = plain.slice(0, maxSingleWarnings).map(({ first }) => plainKeyOf(first.urn));
  return {
    code: "undeclared-references",
    severity: "warning",
    args: { kind: kind.name, count: plain.length, ids },
  };
}
