import { facets } from "../../facets/index.ts";
import { isJsonObject } from "../../model/json.ts";
import type { State } from "../../model/state.ts";
import type { Answer, Reader } from "../../datahub/client.ts";

/** Whether the server has a field, written as `Type.field`, that only newer servers have. */
export type SupportsField = (typeAndField: string) => boolean;

/** Of a server of which nothing is known: no field that only newer servers have is asked for. */
export const supportsNone: SupportsField = () => false;

/** The fields that only newer servers have, by the facet whose reading asks for them. */
const optionalFields = facets.flatMap((facet) =>
  facet.shape === "map" && facet.columnEntity ? [{ facet: facet.name, field: facet.columnEntity.field }] : [],
);

/** The types of the fields that only newer servers have and the reading of these entities asks for. */
export function optionalTypes(wanted: State): readonly string[] {
  const used = new Set<string>();
  for (const { facets: values } of wanted.values()) {
    if (used.size === optionalFields.length) break;
    for (const { facet, field } of optionalFields) if (values.has(facet)) used.add(field);
  }
  return typesOf([...used]);
}

/** The types of some fields, each once. */
export function typesOf(fields: readonly string[]): readonly string[] {
  return [...new Set(fields.map((typeAndField) => typeAndField.split(".")[0] ?? ""))];
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
  const fields = isJsonObject(found) && Array.isArray(found["fields"]) ? found["fields"] : [];
  return fields
    .filter(isJsonObject)
    .flatMap(({ name }) => (typeof name === "string" ? [`${type}.${name}`] : []));
}
