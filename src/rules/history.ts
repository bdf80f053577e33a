import type { Entity, FacetValue, State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { addDeclared, unitedFacets } from "../plan/sides/declared-before.ts";
import type { Expansion } from "./expand.ts";
import { type Declaring, expander, type IsLeftAlone } from "./expander.ts";

/** What documents and rules declared at one time: of documents those of assets, where `only` is there of those. */
export interface Epoch extends Declaring {
  /** The assets of whose documents something was otherwise than before; without it the rules were, and all assets count. */
  readonly only?: ReadonlySet<Urn>;
}

/** What was declared before: by the last applied commit, and by those after it. */
export interface History {
  readonly anchor: Declaring;
  readonly later: readonly Epoch[];
  /** All that documents declared in any of these commits. */
  readonly documents: State;
}

/** What an applied commit declared, and all that was declared since, of the assets that there are today. */
export interface DeclaredBefore {
  readonly applied: State;
  readonly before: State;
}

/**
 * Expands the rules of earlier commits on the assets of today, each time with the priorities, exemptions and documents of
 * that commit. Entities of which the same was declared share it.
 */
export function historyOf(
  { anchor, later, documents }: History,
  isLeftAlone: IsLeftAlone,
): Expansion<DeclaredBefore> {
  const matchedFirst = expander(anchor, isLeftAlone);
  const epochs = later.map((epoch) => ({ ...epoch, matchedBy: expander(epoch, isLeftAlone) }));
  const applied = new Map(anchor.state);
  const before = new Map(anchor.state);
  const unite = sharedUnion();
  return {
    add: (asset) => {
      const first = matchedFirst(asset);
      if (first) applied.set(asset.urn, first.entity);
      if (first) before.set(asset.urn, first.entity);
      for (const { only, matchedBy } of epochs) {
        const matched = !only || only.has(asset.urn) ? matchedBy(asset) : undefined;
        if (matched) addShared(before, matched.entity, unite);
      }
    },
    result: () => {
      for (const entity of documents.values()) {
        // What the applied commit declares of an entity that no later one touched is there already.
        if (before.get(entity.urn) !== entity) addDeclared(before, entity);
      }
      return { applied, before };
    },
  };
}

type Facets = ReadonlyMap<string, FacetValue>;

const nothing: Facets = new Map();

type Union = (before: Facets, later: Facets) => Facets;

function addShared(before: Map<Urn, Entity>, later: Entity, unite: Union): void {
  const known = before.get(later.urn);
  const facets = unite(known?.facets ?? nothing, later.facets);
  const { urn, kind, origin } = known ?? later;
  before.set(urn, { urn, kind, facets, ...(origin && { origin }) });
}

/** Unites each pair of values once: the same few pairs come again for thousands of assets. */
function sharedUnion(): Union {
  const known = new WeakMap<Facets, WeakMap<Facets, Facets>>();
  return (before, later) => {
    const own = known.get(before) ?? new WeakMap<Facets, Facets>();
    known.set(before, own);
    const united = own.get(later) ?? unitedFacets(before, later);
    own.set(later, united);
    return united;
  };
}
