/** Represents the declarations in one manifest, before they are combined with other declarations for the same entity. */

import type { Entity } from "./state.ts";
import type { DeclaredReference } from "./reference.ts";
import type { Origin } from "./origin.ts";

/** An entity as declared in one manifest. The same entity can have several declarations. */
export interface Declaration {
  readonly entity: Entity;
  /** All references in the facets, each with its position in the manifest. */
  readonly references: readonly DeclaredReference[];
  /** Whether the entity is declared inside another entity's manifest, as a list element. It may also have its own manifest. */
  readonly inline: boolean;
  /** The ids of the rules from which the manifest exempts the entity, each with its position; absent if there are none. */
  readonly exempt?: ReadonlyMap<string, Origin>;
}
