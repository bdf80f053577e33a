import { facets } from "../facets/index.ts";
import { refuseUrn } from "../facets/facet.ts";
import { type Kind, urnOfId } from "../kinds/kind.ts";
import { isJsonObject, type Json, textOf } from "../model/json.ts";
import type { Origin } from "../model/origin.ts";
import type { DeclaredReference } from "../model/reference.ts";
import type { Urn } from "../model/urn.ts";
import type { DeclaredList, Definition, InlineUser } from "./declaration.ts";
import { type ReferenceField, referenceFields } from "./schema/definition-fields.ts";
import { duplicates, type FieldReading } from "./facet-value.ts";
import { refusedAt } from "./refusal-problem.ts";
import { originIn, type SourcePlace, placesIn } from "./yaml/parsed-document.ts";

/** What a domain, tag, user or group says of others, for the checks between manifests. */
export function definitionOf(kind: Kind, reading: FieldReading): Definition {
  const fields = new Map<string, DeclaredList>();
  const inlineUsers: InlineUser[] = [];
  const mentions: DeclaredReference[] = [];
  for (const field of referenceFields[kind.name]) {
    const list = referencesIn(reading, field, inlineUsers);
    if (!list) continue;
    fields.set(field.field, list);
    if (isFacetName(field)) continue;
    for (const [urn, origin] of list.members) {
      mentions.push({ urn, entityType: field.entityType, from: reading.urn, facet: field.field, origin });
    }
  }
  return { fields, inlineUsers, mentions };
}

// A facet reports what is wrong with its value, and what it refers to, by itself.
function isFacetName({ field }: ReferenceField): boolean {
  return facets.some(({ name }) => name === field);
}

/** The elements of a field; `undefined` when it is not declared or not sound. */
function referencesIn(
  reading: FieldReading,
  field: ReferenceField,
  inlineUsers: InlineUser[],
): DeclaredList | undefined {
  const { document, value } = reading.checked;
  const place = placesIn(document, value).get(field.field);
  const content = value[field.field];
  if (!place || content === undefined || reading.bad.has(field.field)) return undefined;
  const origin = originIn(document, place.key);
  if (!field.list && content === "none" && place.plain) return { origin, members: new Map() };
  const values = field.list ? (content as readonly Json[]) : [content];
  const places = field.list ? (document.listPlaces.get(values) ?? []) : [place];
  const urns = values.map((each, index) =>
    referenceOf(reading, field, each, places[index] ?? place, inlineUsers),
  );
  if (urns.some((urn) => urn === undefined)) return undefined;
  if (!isFacetName(field)) reading.problems.push(...duplicates(document, urns as Urn[], places, field.field));
  const members = new Map<Urn, Origin>();
  (urns as Urn[]).forEach((urn, index) =>
    members.set(urn, originIn(document, places[index]?.value ?? place.value)),
  );
  return { origin, members };
}

function referenceOf(
  reading: FieldReading,
  field: ReferenceField,
  value: Json,
  place: SourcePlace,
  inlineUsers: InlineUser[],
): Urn | undefined {
  const inline = isJsonObject(value);
  const text = textOf(inline ? value["id"] : value);
  const result = urnOfId(field.entityType, text);
  if ("fault" in result) {
    if (isFacetName(field)) return undefined;
    const { refusal } = refuseUrn(text, result.fault, inline ? ["id"] : []);
    reading.problems.push(refusedAt(reading.checked.document, value, place, refusal, field.field));
    return undefined;
  }
  if (inline) inlineUsers.push({ urn: result.urn, value, start: place.value });
  return result.urn;
}
