/** Decides which fields identify an entity, and which fields `none` can unset. */

import { facetsOf } from "../../facets/index.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";

/** The fields that determine a URN, for all kinds. */
export const identityFields: ReadonlySet<string> = new Set(
  kinds.flatMap(({ fields }) => Object.keys(fields)),
);

/** Whether `none` can unset a single value. It cannot unset an identity, or a facet that always has a value. */
export function canBeUnset(kind: Kind, field: string): boolean {
  if (field === "kind" || kind.fields[field] !== undefined) return false;
  return !facetsOf(kind.name).some(({ name, isRequired }) => name === field && isRequired);
}
