import { facetsOf } from "../../facets/index.ts";
import { isJsonObject } from "../../model/json.ts";
import type { State } from "../../model/state.ts";
import type { Answer, Reader } from "../client/client.ts";

/** Whether the server has a field, written as `Type.field`, that only newer servers have. */
export type SupportsField = (typeAndField: string) => boolean;

/** Of a server of which nothing is known: no field that only newer servers have is asked for. */
export const supportsNone: SupportsField = () => false;

/** The types whose optional fields the reading of these entities would ask for. */
export function optionalTypes(wanted: State): readonly string[] {
  const used = new Set(
    [...wanted.values()].flatMap(({ kind, facets }) =>
      facetsOf(kind).filter(({ readWhenDeclared, name }) => !readWhenDeclared || facets.has(name)),
    ),
  );
  return [...new Set([...used].flatMap((facet) => facet.optionalFields.map(typeOf)))];
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
 * The fields of a type, as `Type.field`. None where the server has introspection off. Throws `CatalogError`, and the
 * reason of `signal`.
 */
export async function probeType(
  reader: Reader,
  type: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  return probedFields(await reader.query(probeDocument(type), {}, signal), type);
}

/** The fields of a type that a document with its `probeSelection` was answered. */
export function probedFields({ data }: Answer, type: string): readonly string[] {
  const found = data?.["__type"];
  const fields = isJsonObject(found) && Array.isArray(found["fields"]) ? found["fields"] : [];
  return fields
    .filter(isJsonObject)
    .flatMap(({ name }) => (typeof name === "string" ? [`${type}.${name}`] : []));
}

function typeOf(typeAndField: string): string {
  return typeAndField.split(".")[0] ?? "";
}
