import { facetsOf } from "../facets/index.ts";
import { kinds } from "../kinds/index.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Origin } from "../model/origin.ts";
import type { DeclaredReference } from "../model/reference.ts";
import type { Entity } from "../model/state.ts";

/** What one manifest declares. An entity can have several. */
export interface Declaration {
  readonly entity: Entity;
  /** All that its facets refer to, each with its place. */
  readonly references: readonly DeclaredReference[];
  /** Whether it is an element of another entity's list: then the entity may have a manifest of its own, too. */
  readonly inline: boolean;
  /** The rules that it leaves out, each with its place; absent where there are none. */
  readonly exempt?: ReadonlyMap<string, Origin>;
}

/** The fields that make up a URN, of any kind. */
export const identityFields: ReadonlySet<string> = new Set(
  kinds.flatMap(({ fields }) => Object.keys(fields)),
);

/** Whether a single value can be unset by `none`: an identity cannot, nor can a facet that always has a value. */
export function canBeUnset(kind: Kind, field: string): boolean {
  if (field === "kind" || kind.fields[field] !== undefined) return false;
  return !facetsOf(kind.name).some(({ name, isRequired }) => name === field && isRequired);
}
