/** Drops in-sync assets while batches are read, so a plan does not have to store and compare them. */

import { edgeSetOfInverse } from "../facets/index.ts";
import { isDefinitionKind } from "../kinds/index.ts";
import type { InSync, Live } from "../model/live.ts";
import {
  type Entity,
  type FacetValue,
  isSameValue,
  type Member,
  type Scalar,
  type State,
} from "../model/state.ts";
import { leavesOf } from "../model/place.ts";
import type { Urn } from "../model/urn.ts";
import { type Ignored, nothingIgnored } from "./base/ignore.ts";
import { prunable } from "./align/prune.ts";
import { textsIn } from "./base/values.ts";
import { existingByFacet } from "./checks/guards/removals.ts";
import type { Policy } from "./base/policy.ts";
import { withLiveTexts } from "./align/live-texts.ts";
import { resolveKeys } from "./align/resolve-keys.ts";
import { valuesOf } from "../model/values.ts";

/** A filter that drops in-sync assets for one plan. */
export interface InSyncFilter {
  /** Returns the droppable assets in a batch. */
  readonly drop: (batch: Live) => ReadonlySet<Urn>;
  /** Returns the counts for all assets that were dropped. */
  readonly dropped: () => InSync;
}

/**
 * Creates a filter for the assets in a plan. Each asset can be checked independently, because nothing refers to an asset and no
 * plan deletes assets.
 */
export function inSyncFilter(declared: State, policy: Policy): InSyncFilter {
  let [count, present] = [0, 0];
  const existing: Record<string, number> = {};
  const deleted = new Set<string>(prunable(declared, policy).map(({ urn }) => urn));
  const drop = (batch: Live): ReadonlySet<Urn> => {
    // If a prune removes values, no asset is dropped, because only a full comparison counts undeclared values.
    if (policy.pruneAssignments === true) return new Set();
    const assets = [...batch.state.values()].filter(
      ({ urn, kind }) => !isDefinitionKind(kind) && (policy.part === undefined || policy.part.has(urn)),
    );
    const own = restricted(declared, assets);
    const named = resolveKeys(own, batch.state);
    const alike = withLiveTexts(named.state, batch);
    const reported = new Set<string>([...batch.unmanaged, ...(batch.several ?? [])].map(({ urn }) => urn));
    for (const { args } of named.problems) reported.add(args.urn);
    const inSync = assets.filter((live) => {
      const { urn } = live;
      const sides = {
        written: own.get(urn),
        named: alike.get(urn),
        live,
        before: policy.base?.get(urn),
      };
      // If base declares a reference to an entity that the plan deletes, the reference may still be live.
      return !reported.has(urn) && !namesOneOf(deleted, sides.before) && isInSync(sides, policy.ignored);
    });
    const desired = restricted(named.state, inSync);
    const { ignored } = policy;
    const counts = existingByFacet({ changes: [], desired, live: batch.state, ignored, isShard: true });
    for (const [facet, values] of Object.entries(counts)) existing[facet] = (existing[facet] ?? 0) + values;
    present += desired.size;
    count += inSync.length;
    return new Set(inSync.map(({ urn }) => urn));
  };
  return { drop, dropped: () => ({ count, present, existing }) };
}

function namesOneOf(urns: ReadonlySet<string>, entity: Entity | undefined): boolean {
  if (urns.size === 0 || !entity) return false;
  const leaves = [...entity.facets.values()].flatMap((value) => leavesOf(value));
  return leaves.some(([, leaf]) =>
    valuesOf(leaf)
      .flatMap(textsIn)
      .some((text) => urns.has(text)),
  );
}

function restricted(state: State, assets: readonly Entity[]): State {
  return new Map(
    assets.flatMap(({ urn }): readonly (readonly [Urn, Entity])[] => {
      const entity = state.get(urn);
      return entity ? [[urn, entity]] : [];
    }),
  );
}

/** An asset's declaration as written, its declaration with resolved keys, its live state, and its earlier declaration. */
interface AssetSides {
  readonly written: Entity | undefined;
  readonly named: Entity | undefined;
  readonly live: Entity;
  readonly before: Entity | undefined;
}

/**
 * Whether an asset's live values equal its declared values, except for ignored values, and base declares no other facet or key.
 * The result is then the same in every mode. Most assets are in sync, and this check is much cheaper than a full comparison.
 */
export function isInSync({ written, named, live, before }: AssetSides, ignored: Ignored): boolean {
  for (const [facet, value] of named?.facets ?? []) {
    // Plans compare these edges in the group instead.
    if (edgeSetOfInverse(facet)) continue;
    const isIgnored = (each: Member | Scalar): boolean => ignored.value(live.urn, facet, each) !== undefined;
    if (!isSame(value, live.facets.get(facet), ignored === nothingIgnored ? undefined : isIgnored))
      return false;
  }
  for (const [facet, value] of before?.facets ?? [])
    if (!edgeSetOfInverse(facet) && !isPartOf(value, written?.facets.get(facet))) return false;
  return true;
}

type IsIgnored = (value: Member | Scalar) => boolean;

function isSame(declared: FacetValue, live: FacetValue | undefined, isIgnored?: IsIgnored): boolean {
  if (declared.shape === "scalar") {
    if (live?.shape !== "scalar") return false;
    return (
      isSameValue(declared.value, live.value) ||
      isIgnored?.(declared.value) === true ||
      isIgnored?.(live.value) === true
    );
  }
  if (declared.shape === "set") {
    if (live?.shape !== "set") return false;
    const [a, b] = [declared.members, live.members].map((members) =>
      isIgnored ? members.filter((member) => !isIgnored(member)) : members,
    );
    // Both lists are normalized, so they can be compared element by element.
    return a?.length === b?.length && a?.every((member, index) => isSameValue(member, b?.[index])) === true;
  }
  if (live?.shape !== "map") return false;
  for (const [key, below] of declared.entries)
    if (!isSame(below, live.entries.get(key), isIgnored)) return false;
  return true;
}

/** Whether a facet and each of its keys are still declared, regardless of their values. */
function isPartOf(before: FacetValue, now: FacetValue | undefined): boolean {
  if (before.shape !== "map" || now?.shape !== "map") return now !== undefined;
  return [...before.entries].every(([key, below]) => isPartOf(below, now.entries.get(key)));
}
