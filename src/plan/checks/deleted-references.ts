/** Checks references to deleted entities, and to definitions that are still live but no longer declared. */

import { isDefinitionKind } from "../../kinds/index.ts";
import type { Change } from "../../model/change.ts";
import type { Problem } from "../../model/problem.ts";
import type { DeclaredReference, References } from "../../model/reference.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Check } from "./check.ts";

/** Checks references to definitions that are deleted or no longer declared. */
export const checkDeletedReferences: Check = ({
  desired: { references, state: desired },
  catalog: { live },
  policy,
  sides,
  changes,
}) => [
  ...deletedReferences(references, changes),
  ...referencesNoLongerDeclared(references, {
    desired,
    base: policy.base,
    live: live.state,
    changes: sides.deletions,
    // All shards report the same problems. Merging their plans removes the duplicates.
    part: policy.shard ? undefined : policy.part,
  }),
];

function deletedBy(changes: readonly Change[]): ReadonlySet<Urn> {
  return new Set(changes.filter(({ action }) => action === "delete").map(({ urn }) => urn));
}

/** Returns a problem for each position that refers to a deleted entity. All assets that a rule matches share one position. */
export function deletedReferences(references: References, changes: readonly Change[]): readonly Problem[] {
  const deleted = deletedBy(changes);
  const byPlace = new Map<string, DeclaredReference>();
  for (const reference of deleted.size === 0 ? [] : references) {
    const { urn, origin } = reference;
    if (deleted.has(urn)) byPlace.set(`${urn} ${origin.file}:${origin.line}:${origin.column}`, reference);
  }
  return [...byPlace.values()].map(({ urn, origin }) => ({
    code: "deleted-reference",
    severity: "error",
    args: { urn },
    origin,
  }));
}

/** The input of `referencesNoLongerDeclared`. `part` contains the selected entities, if there is a selection. */
interface Compared {
  readonly desired: State;
  readonly base: State | undefined;
  readonly live: State;
  readonly changes: readonly Change[];
  readonly part?: ReadonlySet<Urn> | undefined;
}

/**
 * Returns a warning for each live definition that is still referenced but no longer declared. This can happen after an incomplete
 * rename.
 */
export function referencesNoLongerDeclared(
  references: References,
  { desired, base = new Map(), live, changes, part }: Compared,
): readonly Problem[] {
  const deleted = deletedBy(changes);
  const stays = ({ urn, kind }: Entity): boolean =>
    isDefinitionKind(kind) && !desired.has(urn) && !deleted.has(urn) && live.has(urn);
  const left = new Set([...base.values()].filter(stays).map(({ urn }) => urn));
  const problems: Problem[] = [];
  if (left.size === 0) return problems;
  for (const { urn, from, origin } of references) {
    if (part?.has(from) === false || !left.delete(urn)) continue;
    problems.push({ code: "no-longer-declared", severity: "warning", args: { urn }, origin });
  }
  return problems;
}
