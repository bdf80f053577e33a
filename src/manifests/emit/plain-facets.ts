import { simpleColumn } from "../../facets/columns.ts";
import { type FacetValue, memberKey } from "../../model/state.ts";
import { canonicalJson, compareText, type Json } from "../../model/json.ts";

type Facets = ReadonlyMap<string, FacetValue>;

/** Whether facets hold the same, however columns are named. */
export function isSameFacets(a: Facets, b: Facets): boolean {
  return canonicalJson(plainFacets(a)) === canonicalJson(plainFacets(b));
}

/** Whether facets gain nothing by a change and lose only values of others. A list that is empty is no value of another. */
export function losesOnly(others: Facets, before: Facets, after: Facets): boolean {
  const [all, had] = [valueTexts(others), valueTexts(before)];
  return [...valueTexts(after)].every((each) => had.has(each)) && [...had].every((each) => all.has(each));
}

/** What facets hold, as data that is the same for equal ones: however a column is named, wherever they come from. */
function plainFacets(facets: Facets): Json {
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

/** Each value of facets as a text, and each list that is empty: the same for equal ones, as in `plainFacets`. */
function valueTexts(facets: Facets): ReadonlySet<string> {
  return new Set([...facets].flatMap(([name, value]) => textsOf(value).map((text) => `${name} ${text}`)));
}

function textsOf(value: FacetValue): readonly string[] {
  if (value.shape === "scalar") return [canonicalJson(value.value)];
  if (value.shape === "set") return value.members.length > 0 ? value.members.map(memberKey) : ["[]"];
  return [...value.entries].flatMap(([column, entry]) =>
    textsOf(entry).map((text) => `${canonicalJson(simpleColumn(column))} ${text}`),
  );
}
