import { facetNamed } from "../facets/index.ts";
import { refuseUrn } from "../facets/facet.ts";
import type { Kind } from "../kinds/kind.ts";
import { urnOfId } from "../kinds/kind.ts";
import { isJsonObject, type Json, textOf } from "../model/json.ts";
import type { Origin } from "../model/origin.ts";
import type { DeclaredReference } from "../model/reference.ts";
import type { Member } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import type { DeclaredList, Definition } from "./declaration.ts";
import { definitionOwners, type ReferenceField, referenceFields } from "./definition-fields.ts";
import { duplicates, type FieldReading } from "./facet-value.ts";
import { errorAt } from "./problem.ts";
import { refusedAt } from "./refusal-problem.ts";
import { originIn, type Place, placesIn } from "./written.ts";

/** What a domain, tag, user or group says of others, checked. References of it go nowhere yet but into the checks. */
export function definitionOf(kind: Kind, reading: FieldReading): Definition {
  const fields = new Map<string, DeclaredList>();
  const inlineUsers: Urn[] = [];
  const mentions: DeclaredReference[] = [];
  checkName(reading);
  for (const field of referenceFields[kind.name]) {
    const list = referencesIn(reading, field, inlineUsers);
    if (!list) continue;
    fields.set(field.field, list);
    for (const [urn, origin] of list.members) {
      mentions.push({ urn, entityType: field.entityType, from: reading.urn, facet: field.field, origin });
    }
  }
  if (definitionOwners[kind.name]) mentions.push(...ownersIn(reading));
  return { fields, inlineUsers, mentions };
}

function checkName({ checked, problems }: FieldReading): void {
  const place = placesIn(checked.written, checked.value).get("name");
  if (place?.plain && checked.value["name"] === "none") {
    problems.push(errorAt(originIn(checked.written, place.value), "cannot-be-unset", { field: "name" }));
  }
}

/** The elements of a field; `undefined` when it is not declared or not sound. */
function referencesIn(
  reading: FieldReading,
  field: ReferenceField,
  inlineUsers: Urn[],
): DeclaredList | undefined {
  const { written, value } = reading.checked;
  const place = placesIn(written, value).get(field.field);
  const content = value[field.field];
  if (!place || content === undefined || reading.bad.has(field.field)) return undefined;
  const origin = originIn(written, place.key);
  if (!field.list && content === "none" && place.plain) return { origin, members: new Map() };
  const values = field.list ? (content as readonly Json[]) : [content];
  const places = field.list ? (written.ofList.get(values) ?? []) : [place];
  const urns = values.map((each, index) =>
    referenceOf(reading, field, each, places[index] ?? place, inlineUsers),
  );
  if (urns.some((urn) => urn === undefined)) return undefined;
  reading.problems.push(...duplicates(written, urns as Urn[], places, field.field));
  const members = new Map<Urn, Origin>();
  (urns as Urn[]).forEach((urn, index) =>
    members.set(urn, originIn(written, places[index]?.value ?? place.value)),
  );
  return { origin, members };
}

function referenceOf(
  reading: FieldReading,
  { field, entityType }: ReferenceField,
  value: Json,
  place: Place,
  inlineUsers: Urn[],
): Urn | undefined {
  const inline = isJsonObject(value);
  const text = textOf(inline ? value["id"] : value);
  const result = urnOfId(entityType, text);
  if ("fault" in result) {
    const { refusal } = refuseUrn(text, result.fault, inline ? ["id"] : []);
    reading.problems.push(refusedAt(reading.checked.written, value, place, refusal, field));
    return undefined;
  }
  if (inline) inlineUsers.push(result.urn);
  return result.urn;
}

function ownersIn(reading: FieldReading): readonly DeclaredReference[] {
  const { written, value } = reading.checked;
  const owners = value["owners"];
  if (!Array.isArray(owners) || reading.bad.has("owners")) return [];
  const values = owners as readonly Json[];
  const places = written.ofList.get(values) ?? [];
  const members: Member[] = [];
  const mentions: DeclaredReference[] = [];
  values.forEach((each, index) => {
    const place = places[index];
    if (!place) return;
    const parsed = facetNamed("owners").parse(typeof each === "string" ? { user: each } : each);
    if ("refusal" in parsed) {
      reading.problems.push(refusedAt(written, each, place, parsed.refusal, "owners"));
      return;
    }
    members.push(parsed.value as Member);
    const origin = originIn(written, place.value);
    for (const { urn, entityType } of parsed.references)
      mentions.push({ urn, entityType, from: reading.urn, facet: "owners", origin });
  });
  if (members.length === values.length)
    reading.problems.push(...duplicates(written, members, places, "owners"));
  return mentions;
}
