/** Reads a single value or a list at one place of a manifest, and collects its references, inline entities and problems. */

import type { Facet } from "../../facets/facet.ts";
import type { Parsed } from "../../facets/parsing.ts";
import { appendTo } from "../../model/append.ts";
import { isJsonList, isJsonObject, type Json } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Path } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import {
  isMember,
  type Member,
  memberKey,
  scalarOf,
  type ScalarValue,
  setOf,
  type SetValue,
} from "../../model/state.ts";
import { isExactNumber } from "../../model/text/decimal.ts";
import { isUrn } from "../../model/urn.ts";
import { errorAt, warningAt } from "../base/problem.ts";
import {
  elementsIn,
  originIn,
  type ParsedDocument,
  type PlacedValue,
  placesIn,
  sourceAt,
  type SourcePlace,
} from "../yaml/parsed-document.ts";
import { cachedParse } from "./cached-parse.ts";
import type { FieldReading } from "./field-reading.ts";
import { originBelow, refusalProblem } from "./refusal-problem.ts";

/** A value's location in the manifest and in the facet. */
export interface FieldPlace {
  readonly place: SourcePlace;
  /** The position that plans show for changes to the value. */
  readonly origin: Origin;
  /** The manifest keys that lead to the value, as shown in messages. */
  readonly names: readonly string[];
  /** The keys below the facet that lead to the value. */
  readonly path: Path;
}

/** Returns the field name of a value, as shown in messages. */
function fieldOf({ names }: FieldPlace): string {
  return names.join(".");
}

/** Reads a single value. `none` means that the value is unset. */
export function scalarValue(
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

/** Reads a list, and the entities that are declared inline in it. Returns `undefined` if any element is invalid. */
export function setValue(
  facet: Facet,
  reading: FieldReading,
  values: Json,
  at: FieldPlace,
): SetValue | undefined {
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
