import { type FacetValue, memberKey } from "../../model/state.ts";
import { canonicalJson, compareText, type Json } from "../../model/json.ts";
import { simpleColumn } from "../../plan/sides/columns.ts";

/** What facets hold, as data that is the same for equal ones: however a column is named, wherever they come from. */
export function plainFacets(facets: ReadonlyMap<string, FacetValue>): Json {
  return [...facets].map(([name, value]): Json => [name, plainValue(value)]).toSorted(byText);
}

function plainValue(value: FacetValue): Json {
  if (value.shape === "scalar") return value.value;
  if (value.shape === "set") return value.members.map(memberKey);
  const columns = [...value.entries].map(([column, entry]): Json => [
    simpleColumn(column),
    plainValue(entry),
  ]);
  return columns.toSorted(byText);
}

function byText(a: Json, b: Json): number {
  return compareText(canonicalJson(a), canonicalJson(b));
}
