/** Computes the content that all list and coverage formats print: lines, numbers, columns and cells. */

import { type ListedFacet, listedColumns } from "../../facets/index.ts";
import { nounOf } from "../../kinds/index.ts";
import { nameKey } from "../../kinds/match-key.ts";
import type { Coverage, CoverageCounts, ListedEntity, PolicyCoverage } from "../../model/listing.ts";
import type { Names } from "../../model/plan.ts";
import { isUrn, plainKeyOf } from "../../model/urn.ts";
import { countRestricted } from "../../model/restricted.ts";
import { countedText, numberText, restrictedText } from "../count.ts";
import { keyOf, plainNameOf } from "../document/values.ts";
import { printableLine } from "../printable.ts";
import { isDeclaredOf, valuesIn } from "../../plan/listing/filter.ts";

/** The totals that are printed after the last entity in a list. */
export interface ListEnd {
  readonly entities: number;
  readonly declared: number;
  /** The number of entities, keyed by kind. */
  readonly kinds: ReadonlyMap<string, number>;
  /** The entities that could not be read, each with the reason. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** The options for printing a list. */
export interface ListView {
  /** Whether to list columns instead of entities. */
  readonly byColumn?: boolean | undefined;
  readonly color?: boolean;
  /** The URL of DataHub's web interface. */
  readonly links?: string | undefined;
}

/** Prints a list while the catalog is being read, because a catalog may not fit into memory. */
export interface ListPrinter {
  /** Prints the text before the first entity. `target` is the server, in the same format as in plans. */
  readonly head: (target: string) => string;
  readonly entity: (entity: ListedEntity, names: Names) => string;
  readonly end: (end: ListEnd) => string;
}

/** Prints asset counts. */
export type CoveragePrinter = (coverage: Coverage, names: Names, view: ListView) => string;

/** Summarizes a list in one line. */
export function listLine(
  { entities, declared, kinds, unreadable }: ListEnd,
  { byColumn = false }: ListView,
): string {
  const [one, several] = byColumn ? ["column", "columns"] : ["entity", "entities"];
  const restricted = restrictedText(countRestricted(unreadable.values()));
  if (entities === 0) return `No ${several} found.${restricted}`;
  const parts = byColumn ? [] : [...kinds].map(([kind, number]) => countedText(number, nounOf(kind)));
  const of = parts.length > 1 ? ` (${parts.join(", ")})` : "";
  return `${countedText(entities, one, several)}${of}, ${numberText(declared)} declared.${restricted}`;
}

/** Summarizes coverage counts in one line. */
export function coverageLine({ total, difference, restricted = 0 }: Coverage): string {
  const { assets } = total;
  const others = restrictedText(restricted);
  const assetsText = `${countedText(assets, "asset")}${differenceText(difference?.total.assets)}`;
  if (assets === 0) return (difference?.total.assets ? `${assetsText}.` : "No assets found.") + others;
  return `${assetsText}: ${sharesText(total, difference?.total)}.${others}`;
}

/** Returns a line that states the time of the earlier counts. Returns an empty list without a comparison. */
export function comparisonLines({ difference }: Coverage): readonly string[] {
  return difference ? [`Compared with ${printableLine(difference.since)}.`] : [];
}

/** Formats the difference from an earlier number, such as ` (+3)`. Returns an empty string if the numbers are equal. */
export function differenceText(difference = 0, noun = ""): string {
  if (difference === 0) return "";
  const number = Math.abs(difference);
  return ` (${difference > 0 ? "+" : "-"}${noun === "" ? numberText(number) : countedText(number, noun)})`;
}

/** Returns a line for each policy with the number of passing verdicts. */
export function policyLines({ policies, difference }: Coverage): readonly string[] {
  return policies.map((policy) => {
    const { matched, passes } = policy;
    const { name, more } = comparedPolicy(policy, difference);
    if (matched === 0) return `policy ${name}: nothing matches`;
    const [passing, of] = [differenceText(more?.passes), differenceText(more?.matched)];
    return `policy ${name}: ${numberText(passes)}${passing} of ${numberText(matched)}${of} pass (${percentText(passes, matched)})`;
  });
}

/** Returns a policy's name, which states whether the policy is new, and the differences from its earlier counts. */
export function comparedPolicy(
  { id }: PolicyCoverage,
  difference: Coverage["difference"],
): { readonly name: string; readonly more: PolicyCoverage | undefined } {
  const more = difference?.policies.find((each) => each.id === id);
  return { name: difference && !more ? `${id} (new)` : id, more };
}

/** Returns, for each counted facet, the number of assets that have it, followed by the number of declared assets. */
export function sharesOf({ facets, declared }: CoverageCounts): readonly (readonly [string, number])[] {
  return [...facets, ["declared", declared]];
}

/** Describes the percentage of assets that have each facet, and the differences from earlier counts. */
export function sharesText(counts: CoverageCounts, difference?: CoverageCounts): string {
  const { assets, declared, documents, rules } = counts;
  const more = difference && new Map(sharesOf(difference));
  const shares = sharesOf(counts).map(
    ([what, number]) => `${what} ${percentText(number, assets)}${differenceText(more?.get(what), "asset")}`,
  );
  const by = [
    ["documents", documents],
    ["rules", rules],
    ["both", documents + rules - declared],
  ] as const;
  const some = by.filter(([, number]) => number > 0).map(([what, number]) => `${what} ${numberText(number)}`);
  return `${shares.join(", ")}${some.length === 0 ? "" : ` (${some.join(", ")})`}`;
}

/** Returns an asset group's display name, such as `no domain` for assets without a domain. */
export function groupName(key: string, by: string, names: Names): string {
  if (key === "") return `no ${by}`;
  if (!isUrn(key)) return printableLine(key);
  return printableLine(by === "platform" ? plainKeyOf(key) : plainNameOf(key, names));
}

/** Formats a percentage, rounded down. The result is 100% only if `number` equals `all`, and 0% only if `number` is zero. */
export function percentText(number: number, all: number): string {
  if (all === 0 || number === 0) return "0%";
  return `${100 * number < all ? "<1" : Math.floor((100 * number) / all)}%`;
}

/** Returns the counts, keyed by table column. */
export function countColumns(counts: CoverageCounts): Readonly<Record<string, number>> {
  const { assets, declared, documents, rules, facets } = counts;
  return { assets, declared, documents, rules, ...Object.fromEntries(facets) };
}

/** Returns a table's column names, for entities or for columns. */
export function listHeader({ byColumn = false }: ListView): readonly string[] {
  const values = listedColumns.map(({ name }) => name);
  return ["urn", ...(byColumn ? ["column"] : []), "kind", nameKey, "platform", "env", ...values, "declared"];
}

/** Returns an entity's cells in the order of `listHeader`. Multiple values in a cell are separated by semicolons. */
export function listCells(entity: ListedEntity, { byColumn = false }: ListView): readonly string[] {
  const { urn, column = "", kind, name, platform = "", env = "" } = entity;
  const values = listedColumns.map((facet) => cellOf(entity, facet));
  const declared = String(isDeclaredOf(entity));
  return [urn, ...(byColumn ? [column] : []), kind, name, platform, env, ...values, declared];
}

function cellOf({ facets }: ListedEntity, { name, listing }: ListedFacet): string {
  const cell = listing.cellOf ?? keyOf;
  return valuesIn(facets.get(name)).map(cell).join("; ");
}
