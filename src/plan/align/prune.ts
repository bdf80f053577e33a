/** Determines the entities that a prune deletes, and builds the deletions. */

import { edgeSetOfInverse, edgesOfMembers, facetNamed } from "../../facets/index.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { EntityChange, OwnValue } from "../../model/change.ts";
import { isJsonList, isJsonObject } from "../../model/json.ts";
import type { Deletable, DeletionReads } from "../../model/live.ts";
import { type KnownEdges, noEdges, noMemberships } from "../../model/membership.ts";
import { placedLeaves } from "../../model/place.ts";
import type { PlannedChanges } from "../../model/plan.ts";
import { hasTrait, type Problem } from "../../model/problem.ts";
import { type Entity, setOf, type State } from "../../model/state.ts";
import { isUrn } from "../../model/urn.ts";
import { orderDeletions } from "../base/changes.ts";
import type { Ignored } from "../base/ignore.ts";
import type { EarlierDeclarations, PruneRules, PlannedPart } from "../base/policy.ts";
import { parentsIn } from "../base/parents.ts";
import { contentOf } from "./deleted-content.ts";
import { deletionFields } from "./deletion.ts";
import { withMembersRead } from "./references-read.ts";
import { sha256 } from "../base/hash.ts";

/** The catalog content that a prune needs. */
interface PrunedCatalog extends DeletionReads {
  readonly state: State;
  readonly known?: KnownEdges;
}

/** A prune's settings, history and selection. */
interface PrunePolicy extends EarlierDeclarations, PruneRules, PlannedPart {
  readonly ignored: Ignored;
}

/** Returns the deletions of a prune, with referenced entities last. `found` contains the entities' catalog content. */
export function deletionsFor(
  desired: State,
  live: State,
  policy: PrunePolicy,
  found: PrunedCatalog,
): readonly EntityChange[] {
  const deleted = prunable(desired, policy).filter(({ urn }) => live.has(urn));
  const parentOf = parentsIn(live, found.above ?? new Map());
  return orderDeletions(deleted, parentsIn(live)).map((entity) => {
    const parent = parentOf(entity.urn);
    const change = deletion(entity, found.state.get(entity.urn), deletableOf(entity, found));
    return parent === undefined ? change : { ...change, above: [parent] };
  });
}

/**
 * Returns the entities to delete if they are live: base declares them but the manifests do not, their kind is pruned, and no
 * ignore rule applies to them.
 */
export function prunable(
  desired: State,
  { base, prune, ignored, part, shard }: PrunePolicy,
): readonly Entity[] {
  if (!base || !prune) return [];
  return [...base.values()].filter(
    ({ urn, kind }) =>
      isDefinitionKind(kind) &&
      prune.has(kind) &&
      !desired.has(urn) &&
      !ignored.entity(urn) &&
      // Each shard needs all deletions, because its entities may refer to the deleted entities.
      (part === undefined || shard !== undefined || part.has(urn)),
  );
}

/** Returns a deleted entity's content and references, including its group members. */
function deletableOf(
  { urn, kind }: Entity,
  { deletable, known = noEdges }: PrunedCatalog,
): Deletable | undefined {
  const found = deletable?.get(urn);
  const own = edgesOfMembers.filter((edges) => edges.kind.name === kind);
  return (
    found &&
    own.reduce(
      (each, edges) => withMembersRead(each, urn, edges, known.get(edges.facet) ?? noMemberships),
      found,
    )
  );
}

function deletion(
  { urn, kind, origin }: Entity,
  live: Entity | undefined,
  found: Deletable | undefined,
): EntityChange {
  const values = live && [...ownValues(live), ...storedEdges(live, found)];
  return {
    action: "delete",
    shape: "entity",
    kind,
    urn,
    ...(origin && { source: { ...origin, base: true as const } }),
    fingerprint: sha256(urn),
    ...deletionFields(found, kind),
    ...(values && contentOf({ urn, kind }, values, found?.aspects)),
  };
}

/** Returns an entity's values. Each edge is included only in the values of its group. */
function ownValues({ facets }: Entity): readonly OwnValue[] {
  return placedLeaves(facets).flatMap(({ place, leaf }): readonly OwnValue[] => {
    if (edgeSetOfInverse(place.facet)) return [];
    if (leaf.shape === "set") return leaf.members.length === 0 ? [] : [{ ...place, elements: leaf.members }];
    const { value } = leaf;
    return value === null || value === facetNamed(place.facet).blank ? [] : [{ ...place, value }];
  });
}

/**
 * Returns one warning that lists all deletions, if an unreadable entity blocks them. `problems` and `isUnread` show whether there
 * is such an entity.
 */
export function blockedDeletions(
  { changes, problems }: PlannedChanges & { readonly problems: readonly Problem[] },
  isUnread = false,
): readonly Problem[] {
  const urns = changes.flatMap(({ action, urn }) => (action === "delete" ? [urn] : []));
  const isRead = !isUnread && !problems.some((problem) => hasTrait(problem, "unread"));
  return isRead || urns.length === 0 ? [] : [{ code: "deletion-held", severity: "warning", args: { urns } }];
}

/** Returns the groups of an entity that stores its own memberships. */
function storedEdges({ kind }: Entity, found: Deletable | undefined): readonly OwnValue[] {
  const own = edgesOfMembers.filter(({ inverseKinds }) => inverseKinds.some(({ name }) => name === kind));
  return own.flatMap(({ inverse: facet, storedByMembers: { lists } }) => {
    const groups = lists.flatMap(({ aspect, list }) => {
      const stored = found?.aspects[aspect];
      const listed = isJsonObject(stored) ? stored[list] : undefined;
      return isJsonList(listed) ? listed.filter(isUrn) : [];
    });
    return groups.length === 0 ? [] : [{ facet, elements: setOf(groups).members }];
  });
}
