import { facets } from "../../facets/index.ts";
import type { Feature } from "../../facets/facet.ts";
import { featuresOf, hasFeatures } from "../../facets/features.ts";
import { isJsonList, isJsonObject } from "../../model/json.ts";
import { typeOfField } from "../../model/live.ts";
import { leavesOf } from "../../model/place.ts";
import type { Entity, Leaf, State } from "../../model/state.ts";
import type { Answer, Reader } from "../../datahub/client.ts";

/** The fields that only newer servers have, by the facet whose reading asks for them. */
const optionalFields = facets.flatMap((facet) =>
  facet.shape === "map" && facet.columnEntity ? [{ facet: facet.name, field: facet.columnEntity.field }] : [],
);

const withFeatures = facets.filter(hasFeatures);

/** The fields without which a value of a facet cannot be taken away. */
const unsettingFields = facets.flatMap(({ name, scalar }) =>
  scalar?.unsetBy === undefined ? [] : [{ facet: name, field: scalar.unsetBy }],
);

function isUnset(leaf: Leaf): boolean {
  return leaf.shape === "scalar" && leaf.value === null;
}

/** The types of the fields that only newer servers have and that these entities, or their reading, depend on. */
export function optionalTypes(wanted: State): readonly string[] {
  const used = new Set<string>();
  for (const entity of wanted.values()) {
    for (const { facet, field } of optionalFields) if (entity.facets.has(facet)) used.add(field);
    for (const { field } of featuresIn(entity)) used.add(field);
    for (const { facet, field } of unsettingFields)
      if (leavesOf(entity.facets.get(facet)).some(([, leaf]) => isUnset(leaf))) used.add(field);
  }
  return typesOf([...used]);
}

function featuresIn({ kind, facets: values }: Entity): readonly Feature[] {
  return withFeatures.flatMap((facet) => {
    const value = values.get(facet.name);
    return value ? featuresOf(facet, kind, value) : [];
  });
}

/** The types of some fields, each once. */
export function typesOf(fields: readonly string[]): readonly string[] {
  return [...new Set(fields.map(typeOfField))];
}

/**
 * What asks for the fields of a type. One a document: graphql-java refuses a second `__type` as introspection in bad
 * faith (GoodFaithIntrospection.java).
 */
export function probeSelection(type: string): string {
  return `__type(name: ${JSON.stringify(type)}) { fields { name } }`;
}

/** The query that asks for the fields of a type and nothing else. */
export function probeDocument(type: string): string {
  return `query ProbeType { ${probeSelection(type)} }`;
}

/**
 * The fields of some types, as `Type.field`, one request a type. None where the server has introspection off. Throws
 * `CatalogError`, and the reason of `signal`.
 */
export async function probeTypes(
  reader: Reader,
  types: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const type of types) {
    const answer = await reader.query(probeDocument(type), {}, signal);
    for (const field of probedFields(answer, type)) known.add(field);
  }
  return known;
}

/** The fields of a type that a document with its `probeSelection` was answered. */
export function probedFields({ data }: Answer, type: string): readonly string[] {
  const found = data?.["__type"];
  const fields = isJsonObject(found) ? found["fields"] : undefined;
  if (!isJsonList(fields)) return [];
  return fields
    .filter(isJsonObject)
    .flatMap(({ name }) => (typeof name === "string" ? [`${type}.${name}`] : []));
}
