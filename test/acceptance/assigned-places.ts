import { facetsOf, otherEndOf } from "../../src/facets/index.ts";
import type { Facet } from "../../src/facets/facet.ts";
import { valueInAspect, writesFor } from "../../src/facets/writes.ts";
import { kindOf, kinds } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import type { FacetChange } from "../../src/model/change.ts";
import type { Json } from "../../src/model/json.ts";
import { nameOfRequest, type WriteMode } from "../../src/model/operation.ts";
import { leafAt } from "../../src/model/place.ts";
import type { Mode } from "../../src/model/settings.ts";
import { isFields, isMember, type Member, memberKey, type Scalar, without } from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { elementsOf as samplesOf, scalarsOf } from "../support/values.ts";
import { isForAnyVersion } from "../support/sent-documents.ts";
import { expectEqual, expectSet } from "./expect-equal.ts";
import { anyVersionRow } from "./required.ts";
import { textOfRound } from "./texts.ts";
import type { Trying } from "./trial.ts";

/** A facet of a kind whose values are assigned: all but the fields of definitions, and memberships. */
export interface Place {
  readonly kind: Kind;
  readonly facet: Facet;
}

export const places: readonly Place[] = kinds.flatMap((kind) =>
  facetsOf(kind.name)
    .filter((facet) => isAssigned(kind, facet))
    .map((facet) => ({ kind, facet })),
);

function isAssigned({ storage }: Kind, facet: Facet): boolean {
  const { name, schema } = facet;
  const isEdge = otherEndOf(name) !== undefined;
  return schema !== undefined && storage[name] === undefined && !isEdge && !isDefined(facet);
}

/** Whether definitions say what values it may have, or it is a part of these: it has a trial of its own. */
export function isDefined(facet: Facet): boolean {
  if (facet.shape === "map") return facet.definitions !== undefined;
  return facet.kinds.some((kind) => kindOf(kind).refusedChanges !== undefined && facet.kinds.length === 1);
}

/** How values are assigned. */
export interface Assigning {
  readonly name: string;
  readonly writes: WriteMode;
  readonly mode: Mode;
  readonly places: readonly Place[];
}

/** Values are set, replaced and taken away. */
export type Round = 0 | 1 | 2;

export const rounds: readonly Round[] = [0, 1, 2];

/** What is assigned. */
export const otherNames = ["a", "b", "c"] as const;

/** A column of everything that has columns. */
export const column = "email";

function pathOf({ shape }: Facet): readonly string[] | undefined {
  return shape === "map" ? [column] : undefined;
}

type UrnOf = (kind: Kind, name: string) => Urn;

/** What a round assigns: of a set some elements, else one value, `null` for none. */
export function valuesOf(facet: Facet, round: Round, urnOf: UrnOf): readonly (Member | Scalar)[] {
  if (facet.set) return facet.isOwnership ? ownersOf(round, urnOf) : elementsOf(facet, round, urnOf);
  if (round === 2) return [null];
  const [type] = facet.refersTo;
  if (type !== undefined) return [named(type, otherNames[round], urnOf)];
  // A value of several fields can only be drawn from the examples of its schema.
  const examples = scalarsOf(facet).filter((value) => value !== null && isFields(value));
  const example = examples[round];
  return [example === undefined ? textOfRound(round, "text") : withTexts(example, round)];
}

/** The fields of values that hold any text. */
const textFields: ReadonlySet<string> = new Set(["label", "note"]);

function withTexts<Value extends Member | Scalar>(value: Value, round: 0 | 1): Value {
  if (value === null || !isFields(value)) return value;
  const entries = Object.entries(value).map(([field, text]) => [
    field,
    textFields.has(field) && typeof text === "string" ? textOfRound(round, text) : text,
  ]);
  return Object.fromEntries(entries) as Value;
}

function elementsOf(facet: Facet, round: Round, urnOf: UrnOf): readonly Member[] {
  const [type] = facet.refersTo;
  const [a, b, c] =
    type === undefined
      ? samplesOf(facet).map((member, index) => withTexts(member, index === 0 ? 0 : 1))
      : otherNames.map((name) => named(type, name, urnOf));
  const those = ([[a, b], [b, c], []] as const)[round];
  return those.flatMap((member) => (member === undefined ? [] : [member]));
}

/** The same owner gets another type, which is another element. */
function ownersOf(round: Round, urnOf: UrnOf): readonly Member[] {
  const pairs = [
    ["corpuser a technical_owner", "corpuser b technical_owner", "corpGroup a data_steward"],
    ["corpuser a data_steward", "corpGroup a data_steward"],
    [],
  ][round];
  return (pairs ?? []).map((pair) => {
    const [entityType = "", name = "", type] = pair.split(" ");
    return { owner: named(entityType, name, urnOf), type: `urn:li:ownershipType:__system__${type}` };
  });
}

function named(entityType: string, name: string, urnOf: UrnOf): Urn {
  const kind = kinds.find((each) => each.entityType === entityType);
  if (!kind) throw new Error(`nothing of type ${entityType} can be made`);
  return urnOf(kind, name);
}

/** The values of a facet as a manifest writes them. */
export function writtenOf(facet: Facet, values: readonly (Member | Scalar)[]): Json {
  const written = values.map((value) => (value === null ? "none" : facet.written(value)));
  return facet.set ? written : (written[0] ?? "none");
}

/** The names of the operations that carry out a round for a facet of a kind. */
export function operationsAt(
  how: Assigning,
  { kind, facet }: Place,
  round: Round,
  urnOf: UrnOf,
): readonly string[] {
  const before = round === 0 ? [] : valuesOf(facet, round === 1 ? 0 : 1, urnOf);
  const after = valuesOf(facet, round, urnOf);
  const path = pathOf(facet);
  const common = {
    action: "update",
    kind: kind.name,
    urn: urnOf(kind, "main"),
    facet: facet.name,
    fingerprint: "",
    ...(path && { path }),
  } as const;
  const [had, has] = [before.filter(isMember), after.filter(isMember)];
  const change: FacetChange = facet.set
    ? {
        ...common,
        shape: "set",
        add: without(has, had),
        remove: without(had, has),
        ...(how.mode === "merge" && { covers: { elements: [], except: ["*"] } }),
      }
    : { ...common, shape: "scalar", before: before[0] ?? null, after: after[0] ?? null };
  return writesFor(change, how.writes).flatMap(({ request }) => {
    const name = nameOfRequest(request);
    return isForAnyVersion(request) ? [anyVersionRow(name)] : [name];
  });
}

/** The names of all operations that assign values so, each once. */
export function operationsOf(how: Assigning): readonly string[] {
  const urnOf: UrnOf = (kind, name) => `urn:li:${kind.entityType}:${name}` as Urn;
  const names = how.places.flatMap((place) =>
    rounds.flatMap((round) => operationsAt(how, place, round, urnOf)),
  );
  return [...new Set(names)];
}

/** What is stored of a facet is what a round assigns. */
export async function expectStored({ kind, facet }: Place, round: Round, trying: Trying): Promise<void> {
  const urn = trying.urnOf(kind, "main");
  const stored = await trying.stored.aspects(urn);
  const aspect = facet.storedIn?.(kind.name) ?? "";
  const path = pathOf(facet);
  const place = {
    action: "update",
    kind: kind.name,
    urn,
    facet: facet.name,
    fingerprint: "",
    ...(path && { path }),
  } as const;
  const change: FacetChange = facet.set
    ? { ...place, shape: "set", add: [], remove: [] }
    : { ...place, shape: "scalar", before: null, after: null };
  const found = leafAt(valueInAspect([change], aspect, stored[aspect]), path);
  const expected = valuesOf(facet, round, trying.urnOf);
  const what = `${facet.name} of the ${kind.noun}`;
  if (found?.shape === "set")
    expectSet(what, found.members.map(memberKey), expected.filter(isMember).map(memberKey));
  else expectEqual(what, found?.value ?? null, expected[0] ?? null);
}
