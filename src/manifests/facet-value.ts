import type { Facet, Parsed } from "../facets/facet.ts";
import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import type { Origin } from "../model/origin.ts";
import type { Problem } from "../model/problem.ts";
import {
  type FacetValue,
  type Member,
  memberKey,
  scalarOf,
  type ScalarValue,
  setOf,
  type SetValue,
} from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import type { DeclaredReference } from "../model/reference.ts";
import { errorAt } from "./problem.ts";
import { parseOnce } from "./parse-once.ts";
import { refusedAt } from "./refusal-problem.ts";
import { mapKeys } from "./schema/schema.ts";
import type { Checked } from "./schema/schema-problems.ts";
import { originIn, type SourcePlace, placesIn, type ParsedDocument } from "./yaml/parsed-document.ts";

/** A manifest whose fields are being read. `bad` holds what does not fit the schema: `owners`, or `columns/email`. */
export interface FieldReading {
  readonly checked: Checked;
  readonly urn: Urn;
  readonly bad: ReadonlySet<string>;
  readonly problems: Problem[];
  readonly references: DeclaredReference[];
}

/** The value a manifest gives a facet; `undefined` when it gives none that can be taken. */
export function facetValue(facet: Facet, reading: FieldReading): FacetValue | undefined {
  if (facet.shape === "map") return mapValue(facet, reading);
  const { document, value } = reading.checked;
  const place = placesIn(document, value).get(facet.name);
  if (!place || reading.bad.has(facet.name)) return undefined;
  const at: FieldPlace = { place, origin: originIn(document, place.key), name: facet.name };
  return entryValue(facet, reading, value[facet.name] ?? null, at, facet.shape === "set");
}

/** Where a value stands, and what to call the field. */
interface FieldPlace {
  readonly place: SourcePlace;
  /** The position of its changes. */
  readonly origin: Origin;
  readonly name: string;
  readonly column?: string;
}

function mapValue(facet: Facet, reading: FieldReading): FacetValue | undefined {
  const { document, value } = reading.checked;
  const { parent, child } = mapKeys(facet.name);
  const columns = value[parent];
  if (!isJsonObject(columns)) return undefined;
  const entries = new Map<string, ScalarValue | SetValue>();
  for (const [column, { key }] of placesIn(document, columns)) {
    if (reading.bad.has(`${parent}/${column}`)) continue;
    const own = columns[column] as JsonObject;
    const place = placesIn(document, own).get(child);
    if (!place) continue;
    const at = { place, origin: originIn(document, key), name: `${parent}.${column}.${child}`, column };
    const entry = entryValue(facet, reading, own[child] ?? null, at, facet.schema?.["type"] === "array");
    if (entry) entries.set(column, entry);
  }
  return entries.size > 0 ? { shape: "map", entries } : undefined;
}

function entryValue(
  facet: Facet,
  reading: FieldReading,
  value: Json,
  at: FieldPlace,
  isSet: boolean,
): ScalarValue | SetValue | undefined {
  if (isSet) return setValue(facet, reading, value as readonly Json[], at);
  if (value === "none" && at.place.plain) {
    if (at.name !== "name") return scalarOf(null, at.origin);
    const origin = originIn(reading.checked.document, at.place.value);
    reading.problems.push(errorAt(origin, "cannot-be-unset", { field: at.name }));
    return undefined;
  }
  const parsed = parseWith(facet, reading, value, at.place, at);
  return parsed && scalarOf(parsed.value as string, at.origin);
}

function setValue(
  facet: Facet,
  reading: FieldReading,
  values: readonly Json[],
  at: FieldPlace,
): SetValue | undefined {
  const places = reading.checked.document.listPlaces.get(values) ?? [];
  const members: Member[] = [];
  values.forEach((value, index) => {
    const parsed = parseWith(facet, reading, value, places[index] ?? at.place, at);
    if (parsed) members.push(parsed.value as Member);
  });
  if (members.length < values.length) return undefined;
  const set = setOf(members, at.origin);
  if (set.members.length < members.length)
    reading.problems.push(...duplicates(reading.checked.document, members, places, at.name));
  return set;
}

function parseWith(
  facet: Facet,
  reading: FieldReading,
  value: Json,
  place: SourcePlace,
  at: FieldPlace,
): Parsed | undefined {
  const parsed = parseOnce(facet, value);
  if ("refusal" in parsed) {
    reading.problems.push(refusedAt(reading.checked.document, value, place, parsed.refusal, at.name));
    return undefined;
  }
  if (parsed.references.length > 0) {
    const origin = originIn(reading.checked.document, place.value);
    const column = at.column === undefined ? {} : { column: at.column };
    for (const { urn, entityType } of parsed.references) {
      reading.references.push({ urn, entityType, from: reading.urn, facet: facet.name, ...column, origin });
    }
  }
  return parsed;
}

/** Each element of a list that stood there before, with its first place. */
export function duplicates(
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
