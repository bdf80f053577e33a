/** The declarations of one manifest, before declarations of the same entity are joined. */

import { facetsOf } from "../../facets/index.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Origin } from "../../model/origin.ts";
import type { DeclaredReference } from "../../model/reference.ts";
import type { Entity } from "../../model/state.ts";

/** The entity that one manifest declares. An entity can have several declarations. */
export interface Declaration {
  readonly entity: Entity;
  /** All references in its facets, each with its place. */
  readonly references: readonly DeclaredReference[];
  /** Whether it is an element in the list of another entity. The entity may then have its own manifest as well. */
  readonly inline: boolean;
  /** The rules that it leaves out, each with its place; absent if there are none. */
  readonly exempt?: ReadonlyMap<string, Origin>;
}

/** The fields of any kind that determine a URN. */
export const identityFields: ReadonlySet<string> = new Set(
  kinds.flatMap(({ fields }) => Object.keys(fields)),
);

/** Whether `none` can unset a single value: it can unset neither an identity nor a facet that always has a value. */
export function canBeUnset(kind: Kind, field: string): boolean {
  if (field === "kind" || kind.fields[field] !== undefined) return false;
  return !facetsOf(kind.name).some(({ name, isRequired }) => name === field && isRequired);
}
