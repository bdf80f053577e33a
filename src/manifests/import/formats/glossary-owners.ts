import { isJsonList, isJsonObject, type Json, type JsonObject, textOf } from "../../../model/json.ts";
import { encodePart } from "../../../model/urn.ts";
import { addMapping, type OpenDocument } from "../../yaml/open-document.ts";
import type { PlacedValue } from "../../yaml/parsed-document.ts";
import { addSet, elementsOf, isGiven, placeOf } from "../field-values.ts";

/** Notes that the value of a field cannot be declared. */
export type LeaveOut = (fields: JsonObject, field: string, what: string) => void;

/**
 * The owners that a mapping of a glossary has itself, as a manifest lists them; `undefined` where it has those of what is
 * above it. They are written as one mapping, or as a list with one for each type.
 */
export function ownersIn(
  document: OpenDocument,
  fields: JsonObject,
  leaveOut: LeaveOut,
): PlacedValue | undefined {
  const [given, place] = [fields["owners"], placeOf(document, fields, "owners")];
  if (!isGiven(given) || !place) return undefined;
  const byType = (isJsonList(given) ? given : [given]).filter(isJsonObject);
  const members = byType.flatMap((each) => ownersOfType(document, each, leaveOut));
  return { value: addSet(document, members), place };
}

const prefixes = { users: "urn:li:corpuser:", groups: "urn:li:corpGroup:" } as const;

function ownersOfType(
  document: OpenDocument,
  fields: JsonObject,
  leaveOut: LeaveOut,
): readonly PlacedValue[] {
  const type = ownershipType(fields);
  const owners = (["users", "groups"] as const).flatMap((list) =>
    elementsOf(document, fields[list]).map((each) => ({
      ...each,
      value: ownerUrn(each.value, prefixes[list]),
    })),
  );
  if (type === "CUSTOM" && owners.length > 0) {
    leaveOut(fields, "type", "the owners of type CUSTOM, which does not name an ownership type");
    return [];
  }
  const place = placeOf(document, fields, isGiven(fields["typeUrn"]) ? "typeUrn" : "type");
  return owners.map((owner) => {
    const key = owner.value.startsWith(prefixes.groups) ? "group" : "user";
    const member = { [key]: owner, type: { value: type, place: place ?? owner.place } };
    return { value: addMapping(document, member), place: owner.place };
  });
}

// The names are known in any case (mce_builder.py, validate_ownership_type).
function ownershipType({ type, typeUrn }: JsonObject): string {
  if (isGiven(typeUrn)) return textOf(typeUrn);
  const written = isGiven(type) ? textOf(type) : "";
  if (written === "") return "DEVELOPER";
  return written.startsWith("urn:li:") ? written : written.toUpperCase();
}

// A list of users can name a group by its URN (mce_builder.py, make_user_urn).
function ownerUrn(owner: Json, prefix: string): string {
  const text = textOf(owner);
  return /^urn:li:corp(?:user|Group):/.test(text) ? text : prefix + encodePart(text);
}
