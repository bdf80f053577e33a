import { isDefinitionKind } from "../kinds/index.ts";
import type { Live, Settled } from "../model/live.ts";
import type { Problem } from "../model/problem.ts";
import { type Entity, type FacetValue, type Member, memberKey, type State } from "../model/state.ts";
import { isUrn, type Urn } from "../model/urn.ts";
import { existingByFacet } from "./checks/guards/removals.ts";
import { compareStates } from "./compare.ts";
import type { Policy } from "./policy.ts";
import { type ResolvedKeys, resolveKeys } from "./sides/resolve-keys.ts";
import { leafAt, leavesOf } from "../model/place.ts";
import { nothingIgnored } from "./adopt/ignore.ts";
import { modeOf } from "./adopt/modes.ts";

/** Looks at assets as they are read, a batch at a time, and tells which of them a plan has nothing to say of. */
export interface Settling {
  /** The assets of a batch that may be dropped. */
  readonly settle: (batch: Live) => ReadonlySet<Urn>;
  /** What a plan must know of all that were dropped. */
  readonly settled: () => Settled;
}

/**
 * Settles the assets that are as they shall be. Each is compared by the rules of every plan: of an asset they look at
 * nothing but what is declared of it, what was declared before, and what is there. Nothing refers to an asset, and no plan
 * deletes one; so what says nothing in a plan of its own says nothing in any.
 */
export function settling(declared: State, policy: Policy): Settling {
  let [dropped, present] = [0, 0];
  const existing: Record<string, number> = {};
  const settle = (batch: Live): ReadonlySet<Urn> => {
    // Other values of a pruned facet stay, and only such a plan counts them.
    if (policy.pruneAssignments === true) return new Set();
    const assets = assetsIn(batch, policy);
    const own = restricted(declared, assets);
    const named = resolveKeys(own, batch.state);
    const urns = settledOf(assets, { own, named }, batch, policy);
    const desired = restricted(named.state, urns);
    const { ignored } = policy;
    const counts = existingByFacet({ changes: [], desired, live: batch.state, ignored, isShard: true });
    for (const [facet, count] of Object.entries(counts)) existing[facet] = (existing[facet] ?? 0) + count;
    present += desired.size;
    dropped += urns.size;
    return urns;
  };
  return { settle, settled: () => ({ count: dropped, present, existing }) };
}

function assetsIn({ state }: Live, { part }: Policy): readonly Urn[] {
  const assets: Urn[] = [];
  for (const { urn, kind } of state.values()) {
    if (!isDefinitionKind(kind) && (part === undefined || part.has(urn))) assets.push(urn);
  }
  return assets;
}

/** What is declared of a batch, as it is written, and with columns named as the catalog names them. */
interface DeclaredBatch {
  readonly own: State;
  readonly named: ResolvedKeys;
}

function settledOf(
  assets: readonly Urn[],
  { own, named }: DeclaredBatch,
  batch: Live,
  policy: Policy,
): ReadonlySet<Urn> {
  const told = new Set<string>([...batch.unmanaged, ...(batch.several ?? [])].map(({ urn }) => urn));
  for (const { args } of named.problems) told.add(args.urn);
  const sidesOf = (urn: Urn): AssetSides => ({
    declared: own.get(urn),
    named: named.state.get(urn),
    there: batch.state.get(urn),
    before: policy.base?.get(urn),
  });
  const unclear = assets.filter((urn) => told.has(urn) || !isAsDeclared(sidesOf(urn)));
  const differing = new Set(unclear.filter((urn) => differs(sidesOf(urn), policy)));
  const urns = new Set(assets.filter((urn) => !differing.has(urn)));
  const others = unclear.filter((urn) => !differing.has(urn));
  if (others.length === 0) return urns;
  const { changes, unmanaged, problems } = compareStates(restricted(own, others), only(others, batch), {
    ...policy,
    base: policy.base && restricted(policy.base, others),
    applied: undefined,
    part: undefined,
    shard: undefined,
    prune: new Set(),
    classifyDrift: false,
  });
  for (const { urn } of [...changes, ...unmanaged]) urns.delete(urn);
  for (const urn of problems.flatMap(urnsIn)) urns.delete(urn);
  return urns;
}

function only(urns: readonly Urn[], batch: Live): Live {
  const own = new Set(urns);
  const isOwn = ({ urn }: { readonly urn: Urn }): boolean => own.has(urn);
  return {
    ...batch,
    state: restricted(batch.state, urns),
    unmanaged: batch.unmanaged.filter(isOwn),
    several: (batch.several ?? []).filter(isOwn),
  };
}

function urnsIn({ args }: Problem): readonly Urn[] {
  return Object.values(args).filter(isUrn);
}

function restricted(state: State, urns: Iterable<Urn>): State {
  const own = new Map<Urn, Entity>();
  for (const urn of urns) {
    const entity = state.get(urn);
    if (entity) own.set(urn, entity);
  }
  return own;
}

/** An asset: as it is written, with its columns named as the catalog names them, there, and declared before. */
export type AssetSides = Readonly<Record<"declared" | "named" | "there" | "before", Entity | undefined>>;

/** Whether exactly what is declared is live, and nothing else was declared before: then there is nothing to compare. */
export function isAsDeclared({ declared, named, there, before }: AssetSides): boolean {
  if (!declared || !named || !there) return false;
  for (const [facet, value] of named.facets) if (!isSame(value, there.facets.get(facet))) return false;
  return (
    before === undefined ||
    [...before.facets].every(([facet, value]) => isPartOf(value, declared.facets.get(facet)))
  );
}

/** Whether a value of an asset is certain to change, so that no other rule need be asked. */
export function differs({ named, there }: AssetSides, { modes, ignored }: Policy): boolean {
  if (!named || !there || ignored !== nothingIgnored) return false;
  for (const [facet, value] of named.facets) {
    const live = there.facets.get(facet);
    for (const [path, leaf] of leavesOf(value)) {
      if (modeOf(named, facet, modes, leaf) !== "authoritative") continue;
      if (!isSame(leaf, leafAt(live, path))) return true;
    }
  }
  return false;
}

function isSame(declared: FacetValue, live: FacetValue | undefined): boolean {
  if (declared.shape !== live?.shape) return false;
  if (declared.shape === "scalar") return live.shape === "scalar" && declared.value === live.value;
  if (declared.shape === "set") return live.shape === "set" && isSameSet(declared.members, live.members);
  if (live.shape !== "map") return false;
  for (const [key, below] of declared.entries) if (!isSame(below, live.entries.get(key))) return false;
  return true;
}

/** Two sets in normal form. */
function isSameSet(a: readonly Member[], b: readonly Member[]): boolean {
  return a.length === b.length && a.every((member, index) => isSameMember(member, b[index]));
}

function isSameMember(a: Member, b: Member | undefined): boolean {
  if (a === b || typeof a === "string") return a === b;
  return typeof b === "object" && memberKey(a) === memberKey(b);
}

/** Whether a facet, with each of its keys, is declared now as well, whatever its value. */
function isPartOf(before: FacetValue, now: FacetValue | undefined): boolean {
  if (before.shape !== "map" || now?.shape !== "map") return now !== undefined;
  return [...before.entries].every(([key, below]) => isPartOf(below, now.entries.get(key)));
}
