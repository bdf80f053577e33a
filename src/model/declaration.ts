/** Represents one manifest's declarations, before they are joined with other declarations for the same entity. */

import type { Entity } from "./state.ts";
import type { DeclaredReference } from "./reference.ts";
import type { Origin } from "./origin.ts";

/** The entity that one manifest declares. An entity can have several declarations. */
export interface Declaration {
  readonly entity: Entity;
  /** All references in the facets, each with its position. */
  readonly references: readonly DeclaredReference[];
  /** Whether the entity is declared as a list element in another entity's manifest. It may then have its own manifest as well. */
  readonly inline: boolean;
  /** The rules that the manifest leaves out, each with its position; absent if there are none. */
  readonly exempt?: ReadonlyMap<string, Origin>;
}
