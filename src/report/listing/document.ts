import { type ListedFacet, listedColumns } from "../../facets/index.ts";
import { nameKey } from "../../kinds/match-key.ts";
import type { Coverage, ListedEntity, PolicyCoverage } from "../../model/listing.ts";
import type { Names } from "../../model/plan.ts";
import { type Member, memberKey, type Scalar } from "../../model/state.ts";
import { isUrn } from "../../model/urn.ts";
import { many, numberText } from "../count.ts";
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
  { entities, declared }: Omit<ListEnd, "unreadable">,
  { byColumn = false }: ListView,
): string {
  const [one, several] = byColumn ? ["column", "columns"] : ["entity", "entities"];
  if (entities === 0) return `No ${several} found.`;
  return `${many(entities, one, several)}, ${numberText(declared)} declared.`;
}

/** The line that sums up how many assets have what. */
export function coverageLine({ assets, ...counts }: CoverageCounts): string {
  if (assets === 0) return "No assets found.";
  return `${many(assets, "asset")}: ${sharesText({ assets, ...counts })}.`;
}

/** The line that says how many verdicts of a policy pass. */
export function policyLine({ id, matched, passes }: PolicyCoverage): string {
  if (matched === 0) return `policy ${id}: nothing matches`;
  return `policy ${id}: ${numberText(passes)} of ${numberText(matched)} pass (${percentText(passes, matched)})`;
}

/** Counts of a group, or of all. */
export type CoverageCounts = Coverage["total"];

/** How many of some assets have what. */
export function sharesOf({ facets, declared }: CoverageCounts): readonly (readonly [string, number])[] {
  return [...facets, ["declared", declared]];
}

/** How many of some assets have what, as a sentence. */
export function sharesText(counts: CoverageCounts): string {
  const { assets, declared, documents, rules } = counts;
  const shares = sharesOf(counts).map(([what, number]) => `${what} ${percentText(number, assets)}`);
  const by = declared === 0 ? "" : ` (documents ${numberText(documents)}, rules ${numberText(rules)})`;
  return `${shares.join(", ")}${by}`;
}

/** What a group of assets is called: by the display name of what it shares, or that it has none. */
export function groupName(key: string, by: string, names: Names): string {
  if (key === "") return `no ${by}`;
  return printableLine(isUrn(key) ? plainNameOf(key, names) : key);
}

/** A share in percent, rounded down: only all are 100%. */
export function percentText(number: number, all: number): string {
  return `${all === 0 ? 0 : Math.floor((100 * number) / all)}%`;
}

/** Counts by the names of the columns of a table. */
export function countColumns({ facets, ...counts }: CoverageCounts): Readonly<Record<string, number>> {
  return { ...counts, ...Object.fromEntries(facets) };
}

/** A table of counts: the names of its columns, then a row for each group. */
export function coverageTable({ groups, total }: Coverage): readonly (readonly string[])[] {
  return [
    ["key", ...Object.keys(countColumns(total))],
    ...groups.map(({ key, ...counts }) => coverageRow(key, counts)),
  ];
}

/** A row of a table of counts. */
export function coverageRow(key: string, counts: CoverageCounts): readonly string[] {
  return [key, ...Object.values(countColumns(counts)).map(String)];
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
