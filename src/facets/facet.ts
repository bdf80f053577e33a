import type { FacetChange } from "../model/change.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Request } from "../model/operation.ts";
import type { ProblemTable } from "../model/problem.ts";
import type { FacetValue, KindName, Member, Scalar } from "../model/state.ts";
import { fabrics, type Urn, type UrnFault } from "../model/urn.ts";

/** A URN that a manifest refers to, with what it must be one of (in `entityType`'s spelling). */
interface Reference {
  readonly urn: Urn;
  readonly entityType: string;
}

/** The codes of problems that a facet finds in one written value. */
type RefusalCode =
  | "malformed-urn"
  | "malformed-colour"
  | "wrong-reference"
  | "unknown-ownership-type"
  | "custom-ownership-type";

interface RefusalOf<Code extends RefusalCode> {
  readonly code: Code;
  /** What the field is called and what was meant is added by who knows the manifest. */
  readonly args: Omit<ProblemTable[Code], "field" | "suggestion">;
  /** The way from the written value to the offending part. */
  readonly at: readonly string[];
  /** What was misspelt, and the names that it can be. */
  readonly misspelt?: { readonly text: string; readonly names: readonly string[] };
}

/** Why a written value cannot be taken. */
export type Refusal = { readonly [Code in RefusalCode]: RefusalOf<Code> }[RefusalCode];

/** A written value in normal form, with what it refers to. */
export interface Parsed<Value extends Member | Scalar = Member | Scalar> {
  readonly value: Value;
  readonly references: readonly Reference[];
}

/** A value of a column that cannot be edited where it stands: ingestion wrote it. */
export interface Ingested {
  readonly column: string;
  readonly value: Member;
}

/** A facet as it was read, and what stands beside it without being ours. */
interface Observed {
  readonly value: FacetValue;
  readonly ingested?: readonly Ingested[];
}

/** Where a facet's value is kept, for those who want to know who put it there. */
interface Stored {
  /** The aspect of entities of a kind. */
  aspect(kind: KindName): string | undefined;
  /** DataHub's MetadataAttribution of one value in that aspect, where it holds one for each value. */
  attribution?(aspect: JsonObject, value: Member | Scalar, column: string | undefined): Json | undefined;
}

/**
 * One managed field of an entity: everything the reconciler must know of it, as data.
 * Nothing outside `src/facets` knows a facet by name.
 */
export interface Facet {
  /** Its name in settings, plans and messages; its key in a manifest. `columns.x` stands in each column. */
  readonly name: string;
  readonly on: readonly KindName[];
  readonly shape: FacetValue["shape"];
  /** What its values name, in the spelling of URNs, where they name other entities. */
  readonly refersTo?: readonly string[];
  /** JSON Schema of the value in a manifest; for a map, of one entry. Without one it cannot be declared. */
  readonly schema?: JsonObject;
  /** Whether reading it costs the server a look-up for each entity: then it is asked for only where declared. */
  readonly costly: boolean;
  /** Fields, as `Type.field`, that only newer servers have and the selection uses where they do. */
  readonly optionalFields: readonly string[];
  /** The raw aspects of a kind that it is read from, beside what is selected. */
  aspects(kind: KindName): readonly string[];
  /** Only where one aspect of the entity itself holds it. */
  readonly stored?: Stored;
  /** What to select of the entity, as GraphQL text. */
  selection(has: (typeAndField: string) => boolean): string;
  /** Takes one written value: of a scalar the value, of a set or a map's set one element. */
  parse(written: Json): Parsed | { readonly refusal: Refusal };
  /** A value as a person reads it in a plan. */
  show(value: Member | Scalar): string;
  /** Reads the facet from the entity as the server answered it; `aspects` there holds the raw aspects by name. */
  observe(entity: JsonObject, kind: KindName): Observed;
  /** The writes that carry out one change of this facet, in the order in which they are sent. */
  requests(change: FacetChange): readonly Request[];
}

/** A facet that is read from what is selected alone. */
export function noAspects(): readonly string[] {
  return [];
}

/** A text, number or truth value as it stands. */
export function showPlain(value: Member | Scalar): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The refusal of a text that is no URN of the expected type. */
export function refuseUrn(
  text: string,
  fault: UrnFault,
  at: readonly string[] = [],
): { readonly refusal: Refusal } {
  if (fault.reason === "entity-type") {
    return { refusal: { code: "wrong-reference", args: { text, expected: fault.detail ?? "" }, at } };
  }
  const { reason, detail } = fault;
  const args = { text, reason, ...(detail !== undefined && { detail }) };
  const misspelt = reason === "fabric" && detail !== undefined && { text: detail, names: fabrics };
  return { refusal: { code: "malformed-urn", args, at, ...(misspelt && { misspelt }) } };
}
