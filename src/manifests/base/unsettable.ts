/** Determines which fields identify an entity, and which fields can be unset with `none`. */

import { facetsOf } from "../../facets/index.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";

/** The fields that determine the URN of an entity, for all kinds. */
export const identityFields: ReadonlySet<string> = new Set(
  kinds.flatMap(({ fields }) => Object.keys(fields)),
);

/**
 * Whether a field can be unset with `none`. Identity fields, facets that always have a value, and fields that do not belong to a
 * kind cannot be unset.
 */
export function canBeUnset(kind: Kind | undefined, field: string): boolean {
  if (!kind || field === "kind" || kind.fields[field] !== undefined) return false;
  return !facetsOf(kind.name).some(({ name, isRequired }) => name === field && isRequired);
}
