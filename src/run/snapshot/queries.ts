import { isJsonList, isJsonObject, type JsonObject } from "../../model/json.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import type { FoundEntities } from "./snapshot.ts";

/** The name of a query, and where its answer begins if it is asked in pages: `ReadReferring 500`. */
export function queryKey(document: string, { start }: JsonObject): string {
  const name = /^query (\w+)/.exec(document)?.[1] ?? "";
  return typeof start === "number" && start > 0 ? `${name} ${start}` : name;
}

/** The URNs that a query asks for as `u0`, `u1`, …: their answers are `e0`, `e1`, …. */
export function numberedUrns(variables: JsonObject): readonly Urn[] {
  const urns: Urn[] = [];
  for (let urn = variables["u0"]; isUrn(urn); urn = variables[`u${urns.length}`]) urns.push(urn);
  return urns;
}

/** The URNs that a query asks for by `entities(urns)`. */
export function listedUrns({ urns }: JsonObject): readonly Urn[] {
  return isJsonList(urns) ? urns.filter(isUrn) : [];
}

/** What a scroll asks the index for. */
export function scrollOf({ types, orFilters }: JsonObject): Pick<FoundEntities, "type" | "anyOf"> {
  const [type] = isJsonList(types) ? types : [];
  const lists = isJsonList(orFilters) ? orFilters.filter(isJsonObject) : [];
  const anyOf = lists.map(({ and }) => (isJsonList(and) ? and.filter(isJsonObject) : []));
  return { type: typeof type === "string" ? type : "", anyOf };
}
