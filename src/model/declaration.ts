/** The declarations of one manifest, before declarations of the same entity are joined. */

import type { Entity } from "./state.ts";
import type { DeclaredReference } from "./reference.ts";
import type { Origin } from "./origin.ts";

/** The entity that one manifest declares. An entity can have several declarations. */
export interface Declaration {
  readonly entity: Entity;
  /** All references in its facets, each with its place. */
  readonly references: readonly DeclaredReference[];
  /** Whether the entity is declared as an element of a list in the manifest of another entity. The entity may then have its own manifest as well. */
  readonly inline: boolean;
  /** The rules that it leaves out, each with its place; absent if there are none. */
  readonly exempt?: ReadonlyMap<string, Origin>;
}
