/** Reads the definitions that determine which values are valid, such as structured properties. */

import type { Facet } from "../../facets/facet.ts";
import { facets } from "../../facets/index.ts";
import { entitiesNamedIn } from "../../facets/places.ts";
import { kindOf } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import { leavesOf, type Path, shapedLike, valueFrom } from "../../model/place.ts";
import type { Rule } from "../../model/rule.ts";
import type { Existence } from "../../model/reference.ts";
import { emptyLeaf, type Entity, type Leaf, type State } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import type { Reader } from "../../datahub/client.ts";
import { discover } from "./discover.ts";
import { withStoredInColumns } from "./column-entities.ts";
import { entityToRead, stateOf, withAllFacets } from "./entities-to-read.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";

/** The facets whose values refer to definitions. */
const withDefinitions = facets.flatMap((facet) =>
  facet.shape === "map" && facet.definitions ? [{ name: facet.name, definitions: facet.definitions }] : [],
);

/** The entity types of the definitions that facet values refer to. */
const defining: ReadonlySet<string> = new Set(
  withDefinitions.map(({ definitions }) => kindOf(definitions.kind).entityType),
);

/** Reads the definitions that entities refer to but manifests do not declare. Leaves out unreadable definitions. */
export async function readDefinitions(
  reader: Reader,
  existence: ReadonlyMap<Urn, Existence>,
  options: ReadOptions,
): Promise<State> {
  const urns = [...existence].flatMap(([urn, { status }]) =>
    status === "present" && defining.has(entityTypeOf(urn)) ? [urn] : [],
  );
  return await definitionsAt(reader, urns, options);
}

async function definitionsAt(reader: Reader, urns: readonly Urn[], options: ReadOptions): Promise<State> {
  const wanted = stateOf(urns.flatMap((urn) => entityToRead(urn, () => [])));
  return (await readLive(reader, wanted, options)).state;
}

/**
 * Returns the facets that store values in column entities and for which a definition in the catalog allows column values. Reads
 * definitions only for the requested facets. Throws the same errors as `discover`.
 */
export async function facetsInColumns(
  reader: Reader,
  isWanted: (facet: Facet) => boolean,
  options: ReadOptions,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const facet of facets) {
    if (facet.shape !== "map" || !facet.storedInColumns || !facet.definitions) continue;
    if (!isWanted(facet)) continue;
    const { definitions: defined } = facet;
    const isAllowed = ({ facets: own }: Entity): boolean =>
      facet.kinds.some((each) => defined.typesInstead(each, own) === undefined);
    for await (const { urns } of discover(reader, { kind: kindOf(defined.kind) }, options.signal)) {
      const definitions = await definitionsAt(reader, urns, options);
      // An unreadable definition may allow column values.
      if (definitions.size === urns.length && ![...definitions.values()].some(isAllowed)) continue;
      found.push(facet.name);
      break;
    }
  }
  return found;
}

/** Entity declarations, and the rules that may declare column values. */
interface DeclaredInColumns {
  readonly entities: readonly (Entity | undefined)[];
  readonly rules: readonly { readonly columns: Rule["columns"] }[];
}

/**
 * Returns each facet that stores values in column entities, if it is declared or a definition in the catalog allows it on
 * columns. Without a reader, returns only declared facets.
 */
export async function facetsToReadInColumns(
  reader: Reader | undefined,
  { entities, rules }: DeclaredInColumns,
  options: ReadOptions,
): Promise<readonly string[]> {
  const byRules = rules.flatMap(({ columns }) => columns);
  const known = entities.filter((each) => each !== undefined);
  const declared = new Set([...known, ...byRules].flatMap(({ facets: own }) => [...own.keys()]));
  const isOpen = ({ name }: Facet): boolean => !declared.has(name);
  const allowed = new Set(reader && (await facetsInColumns(reader, isOpen, options)));
  return facets.flatMap((facet) => {
    if (facet.shape !== "map" || !facet.storedInColumns) return [];
    return declared.has(facet.name) || allowed.has(facet.name) ? [facet.name] : [];
  });
}

/**
 * Reads entities with all facets, each value in the shape that its definition specifies. Reads the facets in `inColumns` for all
 * columns.
 */
export async function readAllFacets(
  reader: Reader,
  urns: readonly Urn[],
  inColumns: readonly string[],
  options: ReadOptions,
): Promise<Live> {
  const found = await readLive(reader, withAllFacets(urns, inColumns), options);
  return await withDefinedShapes(reader, await withStoredInColumns(reader, found, options), options);
}

/**
 * Converts each value to the shape that its definition specifies: a single value or a set. Values without a definition keep their
 * stored shape.
 */
async function withDefinedShapes(reader: Reader, live: Live, options: ReadOptions): Promise<Live> {
  const [holders, urns] = [new Set<Entity>(), new Set<Urn>()];
  for (const entity of live.state.values())
    for (const { name } of withDefinitions)
      for (const [path] of leavesOf(entity.facets.get(name))) {
        holders.add(entity);
        for (const urn of entitiesNamedIn({ facet: name, path })) urns.add(urn);
      }
  const definitions = await definitionsAt(reader, [...urns], options);
  const state = new Map(live.state);
  for (const entity of holders) state.set(entity.urn, shapedBy(entity, definitions));
  return { ...live, state };
}

function shapedBy(entity: Entity, known: State): Entity {
  const shaped = withDefinitions.flatMap(({ name, definitions }) => {
    const value = entity.facets.get(name);
    if (!value) return [];
    const leaves = leavesOf(value).flatMap(([path]): readonly (readonly [Path, Leaf])[] => {
      const definition = known.get(entitiesNamedIn({ facet: name, path }).at(-1) ?? entity.urn);
      if (!definition) return [];
      return [[path, emptyLeaf(definitions.shapeBy(definition.facets))]];
    });
    return [[name, shapedLike(value, valueFrom(leaves))] as const];
  });
  return { ...entity, facets: new Map([...entity.facets, ...shaped]) };
}
