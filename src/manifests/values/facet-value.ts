/** Reads a facet's value from a manifest, and collects its references, inline entities and problems. */

import type { Path } from "../../model/place.ts";
import type { Facet } from "../../facets/facet.ts";
import { type Parsed, refuseUrn } from "../../facets/parsing.ts";
import { appendTo } from "../../model/append.ts";
import { urnOfId } from "../../model/identifier.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import {
  type FacetValue,
  isMember,
  type Member,
  memberKey,
  scalarOf,
  type ScalarValue,
  setOf,
  type SetValue,
} from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import type { WrittenReference } from "../../model/reference.ts";
import { errorAt, warningAt } from "../base/problem.ts";
import { isExactNumber } from "../../model/text/decimal.ts";
import { cachedParse } from "./cached-parse.ts";
import { originBelow, refusalProblem } from "./refusal-problem.ts";
import { innerKey, outerKey } from "../../facets/places.ts";
import type { Checked } from "../schema/schema-problems.ts";
import {
  elementsIn,
  originIn,
  type SourcePlace,
  placesIn,
  sourceAt,
  type ParsedDocument,
  type PlacedValue,
} from "../yaml/parsed-document.ts";

/** A mapping that was checked against a schema, and the names of its fields with errors. */
export interface CheckedFields {
  readonly checked: Checked;
  readonly bad: ReadonlySet<string>;
}

/**
 * A manifest whose fields are being read. `bad` contains the fields that do not match the schema, such as `owners` or
 * `columns/email`.
 */
export interface FieldReading extends CheckedFields {
  readonly problems: Problem[];
  /** The references in the values. The caller adds the entity that contains the references. */
  readonly references: WrittenReference[];
  /** The entities that are declared inline in lists. */
  readonly inline: InlineEntity[];
}

/** An entity that is declared inline in another entity's list. */
interface InlineEntity {
  readonly kind: string;
  readonly urn: Urn;
  readonly value: JsonObject;
  /** The offset at which the entity's mapping starts. */
  readonly start: number;
}

/** Creates the initial state for reading a manifest's fields. */
export function readingOf(checked: Checked, bad: ReadonlySet<string>, problems: Problem[]): FieldReading {
  return { checked, bad, problems, references: [], inline: [] };
}

/** Returns the value of a facet in a manifest; `undefined` if there is no valid value. */
export function facetValue(facet: Facet, reading: FieldReading): FacetValue | undefined {
  const { document, value } = reading.checked;
  const outer = outerKey(facet);
  const place = placesIn(document, value).get(outer);
  if (!place) return undefined;
  const at: FieldPlace = { place, origin: originIn(document, place.key), names: [outer], path: [] };
  return valueAt(facet, reading, value[outer] ?? null, at);
}

/** A value's location in the manifest and in the facet. */
interface FieldPlace {
  readonly place: SourcePlace;
  /** The position that plans show for changes to the value. */
  readonly origin: Origin;
  /** The manifest keys that lead to the value, as shown in messages. */
  readonly names: readonly string[];
  /** The keys below the facet that lead to the value. */
  readonly path: Path;
}

/** Reads the part of a facet's value at this location: a mapping, or a leaf if the facet has no further keys. */
function valueAt(facet: Facet, reading: FieldReading, value: Json, at: FieldPlace): FacetValue | undefined {
  if (facet.shape === "map" && at.path.length < facet.keys.length) return mapValue(facet, reading, value, at);
  if (at.path.length === 0 && reading.bad.has(facet.name)) return undefined;
  return facet.set && (isJsonList(value) || !facet.scalar)
    ? setValue(facet, reading, value, at)
    : scalarValue(facet, reading, value, at);
}

function mapValue(
  facet: Facet,
  reading: FieldReading,
  mapping: Json,
  { names, path }: FieldPlace,
): FacetValue | undefined {
  const { document } = reading.checked;
  if (!isJsonObject(mapping)) return undefined;
  const inner = path.length === 0 ? innerKey(facet) : undefined;
  const entries = new Map<string, FacetValue>();
  for (const [written, place] of placesIn(document, mapping)) {
    if (path.length === 0 && reading.bad.has(`${names[0]}/${written}`)) continue;
    const below = mapping[written] ?? null;
    const own = inner === undefined ? { place, value: below } : shared(document, below, inner);
    if (!own) continue;
    const origin = originIn(document, place.key);
    const key = keyAt(facet, reading, { written, origin, path });
    if (key === undefined) continue;
    const at: FieldPlace = {
      place: own.place,
      origin,
      names: [...names, written, ...(inner === undefined ? [] : [inner])],
      path: [...path, key],
    };
    if (entries.has(key)) {
      const field = names.join(".");
      reading.problems.push(errorAt(origin, "duplicate-element", { field, element: written }));
      continue;
    }
    const found = valueAt(facet, reading, own.value, at);
    if (found) entries.set(key, found);
  }
  return entries.size > 0 ? { shape: "map", entries } : undefined;
}

/** A key in a manifest, its position, and its parent keys. */
interface WrittenKey {
  readonly written: string;
  readonly origin: Origin;
  readonly path: Path;
}

/**
 * Returns the facet key for a key in a manifest. If the facet's keys refer to entities, returns a URN and collects a reference to
 * that entity. Returns `undefined` if the URN is invalid.
 */
function keyAt(
  facet: Facet,
  reading: FieldReading,
  { written, origin, path }: WrittenKey,
): string | undefined {
  const { entityType } = (facet.shape === "map" && facet.keys[path.length]) || {};
  if (entityType === undefined) return written;
  const result = urnOfId(entityType, written);
  if ("fault" in result) {
    reading.problems.push(refusalProblem(refuseUrn(written, result.fault).refusal, origin, facet.name));
    return undefined;
  }
  reading.references.push({
    urn: result.urn,
    entityType,
    facet: facet.name,
    path: [...path, result.urn],
    origin,
  });
  return result.urn;
}

/** Reads one facet's value from a mapping that several facets share. */
function shared(document: ParsedDocument, mapping: Json, key: string): PlacedValue | undefined {
  if (!isJsonObject(mapping)) return undefined;
  const place = placesIn(document, mapping).get(key);
  return place && { place, value: mapping[key] ?? null };
}

/** Returns the field name of a value, as shown in messages. */
function fieldOf({ names }: FieldPlace): string {
  return names.join(".");
}

function scalarValue(
  facet: Facet,
  reading: FieldReading,
  value: Json,
  at: FieldPlace,
): ScalarValue | undefined {
  if (value === "none" && at.place.plain) {
    if (!facet.isRequired) return scalarOf(null, at.origin);
    const origin = originIn(reading.checked.document, at.place.value);
    reading.problems.push(errorAt(origin, "cannot-be-unset", { field: fieldOf(at) }));
    return undefined;
  }
  const parsed = parsedAt(facet, reading, at, { value, place: at.place });
  return parsed && scalarOf(parsed.value, at.origin);
}

function setValue(facet: Facet, reading: FieldReading, values: Json, at: FieldPlace): SetValue | undefined {
  if (!isJsonList(values)) return undefined;
  const { document } = reading.checked;
  const elements = elementsIn(document, values);
  const members: Member[] = [];
  for (const element of elements) {
    const member = parsedAt(facet, reading, at, element)?.value;
    if (member === undefined || !isMember(member)) continue;
    members.push(member);
    const { value, place } = element;
    if (facet.inlineKind !== undefined && isJsonObject(value) && isUrn(member))
      reading.inline.push({ kind: facet.inlineKind, urn: member, value, start: place.value });
  }
  if (members.length < values.length) return undefined;
  const set = setOf(members, at.origin);
  if (set.members.length < members.length) {
    const origins = elements.map(({ place }) => originIn(document, place.value));
    appendTo(reading.problems, duplicates(facet, fieldOf(at), members, origins));
  }
  return set;
}

/** Parses a value or a list element, and collects its references. Reports a rejected value as a problem. */
function parsedAt(
  facet: Facet,
  reading: FieldReading,
  at: FieldPlace,
  written: PlacedValue,
): Parsed | undefined {
  const { document } = reading.checked;
  const { value, place } = written;
  const inexact = inexactNumber(document, written);
  if (inexact !== undefined) {
    const origin = originIn(document, place.value);
    reading.problems.push(errorAt(origin, "inexact-number", { field: fieldOf(at), ...inexact }));
    return undefined;
  }
  const parsed = cachedParse(facet, value);
  if ("refusal" in parsed) {
    const origin = originBelow(document, written, parsed.refusal.at);
    reading.problems.push(refusalProblem(parsed.refusal, origin, fieldOf(at)));
    return undefined;
  }
  if (parsed.warning) {
    const { code, args } = parsed.warning;
    const origin = originIn(document, place.value);
    // TypeScript cannot infer that the code and its arguments still match.
    reading.problems.push(warningAt(origin, code, { ...args, field: fieldOf(at) }) as Problem);
  }
  const { path } = at;
  for (const { urn, entityType, at: below } of parsed.references) {
    const origin = originBelow(document, written, below);
    const about = { urn, entityType, facet: facet.name, origin };
    reading.references.push(path.length === 0 ? about : { ...about, path });
  }
  return parsed;
}

/** Finds a number in a value or its fields that a double cannot represent exactly. Returns that number and the nearest double. */
function inexactNumber(
  document: ParsedDocument,
  { value, place }: PlacedValue,
): { readonly value: string; readonly nearest: string } | undefined {
  if (typeof value === "number") {
    const written = sourceAt(document, place);
    return isExactNumber(written) ? undefined : { value: written, nearest: String(value) };
  }
  if (!isJsonObject(value)) return undefined;
  const numbers = Object.entries(value).filter(([, each]) => typeof each === "number");
  for (const [field, number = null] of numbers) {
    const own = placesIn(document, value).get(field);
    const found = own && inexactNumber(document, { value: number, place: own });
    if (found) return found;
  }
  return undefined;
}

/** Reports each repeated list element, including the position of its first occurrence. */
function duplicates(
  facet: Facet,
  field: string,
  members: readonly Member[],
  origins: readonly Origin[],
): readonly Problem[] {
  const first = new Map<string, Origin>();
  return members.flatMap((member, index) => {
    const [key, origin] = [memberKey(member), origins[index]];
    const before = first.get(key);
    if (!origin) return [];
    if (before) {
      const element = facet.format(member, (urn) => urn);
      return [errorAt(origin, "duplicate-element", { field, element }, before)];
    }
    first.set(key, origin);
    return [];
  });
}
