/** Decides whether a comment next to a value shows a display name, and which entity's name it shows. */

import { canHaveDisplayName } from "../../facets/display-names.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";

/** A lookup table for display names. Entities without a display name have no entry. */
export interface DisplayNames {
  get(urn: Urn): string | undefined;
}

/** Returns the display name for a comment next to a value; `undefined` if the name adds no information to the id. */
export function displayNameComment(value: Member | Scalar, names: DisplayNames): string | undefined {
  const urn = namedBy(value);
  const name = urn && names.get(urn);
  return urn && name !== undefined && addsToId(name, urn) ? name : undefined;
}

/** Whether a display name adds information that is not in the entity's id. */
function addsToId(name: string, urn: Urn): boolean {
  return name.trim() !== "" && !lettersOf(urn).endsWith(lettersOf(name));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Returns the entity whose display name a comment next to a value can show. */
export function namedBy(value: Member | Scalar): Urn | undefined {
  const [first] = typeof value === "object" && value !== null ? Object.values(value) : [value];
  return isUrn(first) && canHaveDisplayName(first) ? first : undefined;
}
