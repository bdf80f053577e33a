import type { Path } from "../model/place.ts";
import type { Facet, MapFacet, Parsed, Parsing, ScalarFacet, SetFacet } from "../facets/facet.ts";
import { appendTo } from "../model/append.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import type { Origin } from "../model/origin.ts";
import type { Problem } from "../model/problem.ts";
import {
  type FacetValue,
  type Member,
  memberKey,
  type Scalar,
  scalarOf,
  type ScalarValue,
  setOf,
  type SetValue,
} from "../model/state.ts";
import { isUrn, type Urn } from "../model/urn.ts";
import type { DeclaredReference } from "../model/reference.ts";
import { errorAt, warningAt } from "./problem.ts";
import { parseOnce } from "./parse-once.ts";
import { refusedAt } from "./refusal-problem.ts";
import { mapKeys } from "./schema/schema.ts";
import type { Checked } from "./schema/schema-problems.ts";
import { originIn, type SourcePlace, placesIn, type ParsedDocument } from "./yaml/parsed-document.ts";

/** A manifest whose fields are being read. `bad` holds what does not fit the schema: `owners`, or `columns/email`. */
export interface FieldReading {
  readonly checked: Checked;
  readonly bad: ReadonlySet<string>;
  readonly problems: Problem[];
  /** What its values refer to. Who refers is known to who knows what the manifest is about. */
  readonly references: Omit<DeclaredReference, "from">[];
  /** Entities that are declared as elements of a list. */
  readonly inline: InlineEntity[];
}

/** An entity that is written out where another one lists it. */
export interface InlineEntity {
  readonly kind: string;
  readonly urn: Urn;
  readonly value: JsonObject;
  /** Where it begins in its source. */
  readonly start: number;
}

/** The reading of a manifest's fields that begins. */
export function readingOf(about: Omit<FieldReading, "references" | "inline">): FieldReading {
  return { ...about, references: [], inline: [] };
}

/** The value a manifest gives a facet; `undefined` when it gives none that can be taken. */
export function facetValue(facet: Facet, reading: FieldReading): FacetValue | undefined {
  if (facet.shape === "map") return mapValue(facet, reading);
  const { document, value } = reading.checked;
  const place = placesIn(document, value).get(facet.name);
  if (!place || reading.bad.has(facet.name)) return undefined;
  const at: FieldPlace = { place, origin: originIn(document, place.key), name: facet.name };
  const given = value[facet.name] ?? null;
  return facet.shape === "set" ? setValue(facet, reading, given, at) : scalarValue(facet, reading, given, at);
}

/** Where a value stands, and what to call the field. */
interface FieldPlace {
  readonly place: SourcePlace;
  /** The position of its changes. */
  readonly origin: Origin;
  readonly name: string;
  /** The keys below the facet that lead to it. */
  readonly path?: Path;
}

function mapValue(facet: MapFacet, reading: FieldReading): FacetValue | undefined {
  const { document, value } = reading.checked;
  const { parent, child } = mapKeys(facet.name);
  const columns = value[parent];
  if (!isJsonObject(columns)) return undefined;
  const entries = new Map<string, SetValue>();
  for (const [column, { key }] of placesIn(document, columns)) {
    const own = columns[column];
    if (reading.bad.has(`${parent}/${column}`) || !isJsonObject(own)) continue;
    const place = placesIn(document, own).get(child);
    if (!place) continue;
    const at = {
      place,
      origin: originIn(document, key),
      name: `${parent}.${column}.${child}`,
      path: [column],
    };
    const entry = setValue(facet, reading, own[child] ?? null, at);
    if (entry) entries.set(column, entry);
  }
  return entries.size > 0 ? { shape: "map", entries } : undefined;
}

function scalarValue(
  facet: ScalarFacet,
  reading: FieldReading,
  value: Json,
  at: FieldPlace,
): ScalarValue | undefined {
  if (value === "none" && at.place.plain) {
    if (!facet.isRequired) return scalarOf(null, at.origin);
    const origin = originIn(reading.checked.document, at.place.value);
    reading.problems.push(errorAt(origin, "cannot-be-unset", { field: at.name }));
    return undefined;
  }
  const parsed = taken(parseOnce(facet, value), { facet, reading, at, place: at.place, value });
  return parsed && scalarOf(parsed.value, at.origin);
}

function setValue(
  facet: SetFacet | MapFacet,
  reading: FieldReading,
  values: Json,
  at: FieldPlace,
): SetValue | undefined {
  if (!isJsonList(values)) return undefined;
  const places = reading.checked.document.listPlaces.get(values) ?? [];
  const members: Member[] = [];
  values.forEach((value, index) => {
    const place = places[index] ?? at.place;
    const parsed = taken(parseOnce(facet, value), { facet, reading, at, place, value });
    if (!parsed) return;
    members.push(parsed.value);
    if (facet.inlineKind !== undefined)
      appendTo(reading.inline, inlineEntity(facet.inlineKind, value, parsed.value, place));
  });
  if (members.length < values.length) return undefined;
  const set = setOf(members, at.origin);
  if (set.members.length < members.length)
    appendTo(reading.problems, duplicates(reading.checked.document, members, places, at.name));
  return set;
}

/** The entity that an element declares when it is written out. */
function inlineEntity(
  kind: string,
  value: Json,
  member: Member,
  { value: start }: SourcePlace,
): readonly InlineEntity[] {
  if (!isJsonObject(value) || !isUrn(member)) return [];
  return [{ kind, urn: member, value, start }];
}

/** What was written, and where: a value or an element of a list. */
interface Written {
  readonly facet: Facet;
  readonly reading: FieldReading;
  readonly at: FieldPlace;
  readonly place: SourcePlace;
  readonly value: Json;
}

/** A parsed value, its references noted; a refused one becomes a problem. */
function taken<Value extends Member | Scalar>(
  parsed: Parsing<Value>,
  { facet, reading, at, place, value }: Written,
): Parsed<Value> | undefined {
  const { document } = reading.checked;
  if ("refusal" in parsed) {
    reading.problems.push(refusedAt({ document, value, place, field: at.name }, parsed.refusal));
    return undefined;
  }
  if (parsed.warning) {
    const { code, args } = parsed.warning;
    const origin = originIn(document, place.value);
    // TypeScript does not see that the code and the arguments still belong together.
    reading.problems.push(warningAt(origin, code, { ...args, field: at.name }) as Problem);
  }
  if (parsed.references.length > 0) {
    const [origin, { path }] = [originIn(document, place.value), at];
    for (const { urn, entityType } of parsed.references) {
      const about = { urn, entityType, facet: facet.name, origin };
      reading.references.push(path === undefined ? about : { ...about, path });
    }
  }
  return parsed;
}

/** Each element of a list that stood there before, with its first place. */
function duplicates(
  document: ParsedDocument,
  members: readonly Member[],
  places: readonly SourcePlace[],
  field: string,
): readonly Problem[] {
  const first = new Map<string, number>();
  const originAt = (index: number) => originIn(document, places[index]?.value ?? 0);
  return members.flatMap((member, index) => {
    const key = memberKey(member);
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, index);
      return [];
    }
    const element = typeof member === "string" ? member : Object.values(member).join(" as ");
    return [errorAt(originAt(index), "duplicate-element", { field, element }, originAt(before))];
  });
}
