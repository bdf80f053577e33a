import { facetsOf } from "../facets/index.ts";
import { isJsonObject } from "../model/json.ts";
import type { Entity } from "../model/state.ts";
import type { Reader } from "./client.ts";

/**
 * Which of the fields that only newer servers have can be asked for. One probe for each type that has some; none
 * where no facet in use wants any, and none of them where the server has introspection off.
 */
export async function availableFields(
  reader: Reader,
  entities: readonly Entity[],
): Promise<(typeAndField: string) => boolean> {
  const inUse = [...new Set(entities.map((entity) => entity.kind))].flatMap(facetsOf);
  const types = new Set(
    inUse.flatMap((facet) => facet.optionalFields).map((field) => field.split(".")[0] ?? ""),
  );
  const known = new Set<string>();
  for (const type of types) {
    for (const field of await fieldsOf(reader, type)) known.add(`${type}.${field}`);
  }
  return (typeAndField) => known.has(typeAndField);
}

/** The query that asks for the fields of a type. */
export const probeDocument = "query ProbeType($name: String!) { __type(name: $name) { fields { name } } }";

async function fieldsOf(reader: Reader, name: string): Promise<readonly string[]> {
  const { data } = await reader.query(probeDocument, { name });
  const type = data?.["__type"];
  const fields = isJsonObject(type) && Array.isArray(type["fields"]) ? type["fields"] : [];
  return fields
    .filter(isJsonObject)
    .flatMap((field) => (typeof field["name"] === "string" ? [field["name"]] : []));
}
