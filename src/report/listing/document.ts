import { type ListedFacet, listedColumns } from "../../facets/index.ts";
import { nounOf } from "../../kinds/index.ts";
import { nameKey } from "../../kinds/match-key.ts";
import type { Coverage, CoverageCounts, ListedEntity, PolicyCoverage } from "../../model/listing.ts";
import type { Names } from "../../model/plan.ts";
import { type Member, memberKey, type Scalar } from "../../model/state.ts";
import { isUrn, plainKeyOf } from "../../model/urn.ts";
import { countRestricted } from "../../model/restricted.ts";
import { many, numberText, restrictedText } from "../count.ts";
import { plainNameOf } from "../document/values.ts";
import { printableLine } from "../printable.ts";
import { isDeclaredOf, valuesIn } from "../../plan/listing/filter.ts";

/** What is known of a list before its entities are. */
interface ListHead {
  /** The server, as plans name it. */
  readonly target: string;
}

/** What is known of a list when all of its entities are. */
export interface ListEnd {
  readonly entities: number;
  readonly declared: number;
  /** How many there are of each kind. */
  readonly kinds: ReadonlyMap<string, number>;
  /** What could not be read, each with the reason. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** How a list is shown. */
export interface ListView {
  /** Whether columns are listed, and not entities. */
  readonly byColumn?: boolean | undefined;
  /** Whether text has the colors of a terminal. */
  readonly color?: boolean;
  /** The address of DataHub's web interface. */
  readonly links?: string | undefined;
}

/** Prints a list part by part, in their order, as it is read: a catalog need not fit into memory. */
export interface ListPrinter {
  readonly head: (head: ListHead) => string;
  readonly entity: (entity: ListedEntity, names: Names) => string;
  readonly end: (end: ListEnd) => string;
}

/** Prints counts of assets. */
export type CoveragePrinter = (coverage: Coverage, names: Names, view: ListView) => string;

/** The line that sums a list up. */
export function listLine(
  { entities, declared, kinds, unreadable }: ListEnd,
  { byColumn = false }: ListView,
): string {
  const [one, several] = byColumn ? ["column", "columns"] : ["entity", "entities"];
  const restricted = restrictedText(countRestricted(unreadable.values()));
  if (entities === 0) return `No ${several} found.${restricted}`;
  const parts = byColumn ? [] : [...kinds].map(([kind, number]) => many(number, nounOf(kind)));
  const of = parts.length > 1 ? ` (${parts.join(", ")})` : "";
  return `${many(entities, one, several)}${of}, ${numberText(declared)} declared.${restricted}`;
}

/** The line that sums up how many assets have what. */
export function coverageLine({
  total,
  difference,
  restricted = 0,
}: Pick<Coverage, "total" | "difference" | "restricted">): string {
  const { assets } = total;
  const others = restrictedText(restricted);
  const assetsText = `${many(assets, "asset")}${changeText(difference?.total.assets)}`;
  if (assets === 0) return (difference?.total.assets ? `${assetsText}.` : "No assets found.") + others;
  return `${assetsText}: ${sharesText(total, difference?.total)}.${others}`;
}

/** The sentence that says what the numbers are compared with; none where they are not. */
export function sinceLines({ difference }: Pick<Coverage, "difference">): readonly string[] {
  return difference ? [`Compared with the numbers of ${printableLine(difference.since)}.`] : [];
}

/** By how much a number is greater than an earlier one, as it stands behind it; empty where it is not another. */
export function changeText(difference = 0, noun = ""): string {
  if (difference === 0) return "";
  const number = Math.abs(difference);
  return ` (${difference > 0 ? "+" : "-"}${noun === "" ? numberText(number) : many(number, noun)})`;
}

/** A line for each policy that says how many of its verdicts pass. */
export function policyLines({ policies, difference }: Coverage): readonly string[] {
  return policies.map((policy) => policyLine(policy, earlierPolicy(policy, difference)));
}

/** By how much the numbers of a policy are greater than earlier ones; `new` for a policy that those did not have. */
export function earlierPolicy(
  { id }: PolicyCoverage,
  difference: Coverage["difference"],
): PolicyCoverage | "new" | undefined {
  return difference && (difference.policies.find((each) => each.id === id) ?? "new");
}

function policyLine({ id, matched, passes }: PolicyCoverage, more?: PolicyCoverage | "new"): string {
  const name = more === "new" ? `${id} (new)` : id;
  if (matched === 0) return `policy ${name}: nothing matches`;
  const earlier = more === "new" ? undefined : more;
  const [passing, of] = [changeText(earlier?.passes), changeText(earlier?.matched)];
  return `policy ${name}: ${numberText(passes)}${passing} of ${numberText(matched)}${of} pass (${percentText(passes, matched)})`;
}

/** How many of some assets have what. */
export function sharesOf({ facets, declared }: CoverageCounts): readonly (readonly [string, number])[] {
  return [...facets, ["declared", declared]];
}

/** How many of some assets have what, as a sentence, with how many more that are than before. */
export function sharesText(counts: CoverageCounts, difference?: CoverageCounts): string {
  const { assets, declared, documents, rules } = counts;
  const more = difference && new Map(sharesOf(difference));
  const shares = sharesOf(counts).map(
    ([what, number]) => `${what} ${percentText(number, assets)}${changeText(more?.get(what), "asset")}`,
  );
  const by = [
    ["documents", documents],
    ["rules", rules],
    ["both", documents + rules - declared],
  ] as const;
  const some = by.filter(([, number]) => number > 0).map(([what, number]) => `${what} ${numberText(number)}`);
  return `${shares.join(", ")}${some.length === 0 ? "" : ` (${some.join(", ")})`}`;
}

/** What a group of assets is called: by the display name of what it shares, or that it has none. */
export function groupName(key: string, by: string, names: Names): string {
  if (key === "") return `no ${by}`;
  if (!isUrn(key)) return printableLine(key);
  return printableLine(by === "platform" ? plainKeyOf(key) : plainNameOf(key, names));
}

/** A share in percent, rounded down: only all are 100%, and only none are 0%. */
export function percentText(number: number, all: number): string {
  if (all === 0 || number === 0) return "0%";
  return `${100 * number < all ? "<1" : Math.floor((100 * number) / all)}%`;
}

/** Counts by the names of the columns of a table. */
export function countColumns(counts: CoverageCounts): Readonly<Record<string, number>> {
  const { assets, declared, documents, rules, facets } = counts;
  return { assets, declared, documents, rules, ...Object.fromEntries(facets) };
}

/** The names of the columns of a table of entities, or of columns. */
export function listHeader({ byColumn = false }: ListView): readonly string[] {
  const values = listedColumns.map(({ name }) => name);
  return ["urn", ...(byColumn ? ["column"] : []), "kind", nameKey, "platform", "env", ...values, "declared"];
}

/** The cells of an entity, in the order of the columns. A cell with several values has a semicolon between them. */
export function listCells(entity: ListedEntity, { byColumn = false }: ListView): readonly string[] {
  const { urn, column = "", kind, name, platform = "", env = "" } = entity;
  const values = listedColumns.map((facet) => cellOf(entity, facet));
  const declared = String(isDeclaredOf(entity));
  return [urn, ...(byColumn ? [column] : []), kind, name, platform, env, ...values, declared];
}

function cellOf({ facets }: ListedEntity, { name, listing }: ListedFacet): string {
  const cell = listing.cellOf ?? textOf;
  return valuesIn(facets.get(name)).map(cell).join("; ");
}

function textOf(value: Member | Scalar): string {
  return typeof value === "object" && value !== null ? memberKey(value) : String(value);
}
