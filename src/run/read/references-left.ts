import { facetsOf } from "../../facets/index.ts";
import { kindOfType } from "../../kinds/index.ts";
import type { Referring } from "../../model/live.ts";
import { type Entity, type FacetValue, scalarOf } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { textsIn, valuesOf } from "../../plan/diff/values.ts";
import type { Reader } from "../../datahub/client.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";
import { deletableIn, readReferring } from "./referring.ts";

/** They seldom have any references, and an apply asks for all that it creates. */
const entitiesOfARequest = 500;

/**
 * How many references to each of these entities there are, which need not exist; those without any are left out. The index
 * names the references and may lag, so each counts twice: once in the index, and once where the entity that has it, by its
 * own facets, still does. Throws `CatalogError` when the server cannot be asked, and the reason of a signal.
 */
export async function readReferencesLeft(
  reader: Reader,
  entities: readonly Pick<Entity, "urn" | "kind">[],
  options: ReadOptions,
): Promise<ReadonlyMap<Urn, number>> {
  const answers = await readReferring(reader, entities, { ...options, batch: entitiesOfARequest });
  const indexed = entities.flatMap(({ urn: to, kind }) => {
    const answer = answers.get(to);
    const found = typeof answer === "object" ? deletableIn(answer, kind) : undefined;
    return typeof found === "object" ? found.referring.map((each) => ({ ...each, to })) : [];
  });
  const wanted = new Map(indexed.flatMap(holderOf).map((holder) => [holder.urn, holder]));
  const { state } =
    wanted.size > 0 ? await readLive(reader, wanted, options) : { state: new Map<Urn, Entity>() };
  const left = new Map<Urn, number>();
  for (const each of indexed) {
    const times = isLeft(each, each.urn && state.get(each.urn)) ? 2 : 1;
    left.set(each.to, (left.get(each.to) ?? 0) + times);
  }
  return left;
}

function holderOf({ urn }: Referring): readonly Entity[] {
  const kind = urn && kindOfType(entityTypeOf(urn))?.name;
  if (!urn || !kind) return [];
  const facets = facetsOf(kind).filter(({ relationship }) => relationship !== undefined);
  return [{ urn, kind, facets: new Map(facets.map(({ name }) => [name, scalarOf(null)])) }];
}

function isLeft({ type, to }: Referring & { readonly to: Urn }, holder: Entity | undefined): boolean {
  const own = holder ? facetsOf(holder.kind).filter(({ relationship }) => relationship === type) : [];
  if (own.length === 0) return true;
  return own.some(({ name }) => namesIt(holder?.facets.get(name), to));
}

function namesIt(value: FacetValue | undefined, urn: Urn): boolean {
  if (value?.shape === "map") return [...value.entries.values()].some((entry) => namesIt(entry, urn));
  return valuesOf(value).flatMap(textsIn).includes(urn);
}
