/** Reads the owners in a business glossary. */

import { isJsonList, isJsonObject, type JsonObject, textOf } from "../../model/json.ts";
import { addMapping } from "../yaml/open-document.ts";
import type { PlacedValue } from "../yaml/parsed-document.ts";
import { addSet, elementsOf, isGiven, leaveOut, placeOf } from "./field-values.ts";
import type { Importing } from "./format.ts";
import { groupPrefix, ownerField, ownershipTypeOf, ownerUrn, userPrefix } from "./owner-values.ts";

/**
 * Returns the owners of an entry or file as a list for a manifest; `undefined` if no owners are specified. The value of `owners`
 * is a mapping, or a list with one mapping for each ownership type.
 */
export function ownersIn(importing: Importing, fields: JsonObject): PlacedValue | undefined {
  const { document } = importing;
  const [given, place] = [fields["owners"], placeOf(document, fields, "owners")];
  if (!isGiven(given) || !place) return undefined;
  const byType = (isJsonList(given) ? given : [given]).filter(isJsonObject);
  const members = byType.flatMap((each) => ownersOfType(importing, each));
  return { value: addSet(document, members), place };
}

const prefixes = { users: userPrefix, groups: groupPrefix } as const;

function ownersOfType(importing: Importing, fields: JsonObject): readonly PlacedValue[] {
  const { document } = importing;
  const type = ownershipType(fields);
  const owners = (["users", "groups"] as const).flatMap((list) =>
    elementsOf(document, fields[list]).map((each) => ({
      ...each,
      value: ownerUrn(textOf(each.value), prefixes[list]),
    })),
  );
  if (type === "CUSTOM" && owners.length > 0) {
    const what = "the owners with type CUSTOM, which does not identify an ownership type";
    leaveOut(importing, fields, "type", what);
    return [];
  }
  const place = placeOf(document, fields, isGiven(fields["typeUrn"]) ? "typeUrn" : "type");
  return owners.map((owner) => {
    const member = { [ownerField(owner.value)]: owner, type: { value: type, place: place ?? owner.place } };
    return { value: addMapping(document, member), place: owner.place };
  });
}

function ownershipType({ type, typeUrn }: JsonObject): string {
  if (isGiven(typeUrn)) return textOf(typeUrn);
  const written = isGiven(type) ? textOf(type) : "";
  return written === "" ? "DEVELOPER" : ownershipTypeOf(written);
}
