/** Defines the state that all requests of a catalog use: the store, its index, and the settings. */

import type { IncomingMessage } from "node:http";
import type { AspectReads, AspectStore } from "./aspect-store.ts";

/** The store, and the settings that every request depends on. */
export interface StateOfRequests {
  readonly store: AspectStore;
  /** Delay of the index, and of the removal of references, in milliseconds. */
  readonly lag: number;
  /** Whether an asset can be in one data product only, an option of DataHub. */
  readonly isOneProductPerAsset: boolean;
  /** Whether mutations store the numbers of structured properties with 32 bits, as they did before August 2026. */
  readonly isFloat32: boolean;
  /**
   * The entities that no user may view. Permission to edit all of an entity includes permission to view it, so writes of these
   * entities are refused, too.
   */
  readonly restricted: ReadonlySet<string>;
  /** Whether GraphQL also hides the stored aspects of restricted entities. DataHub does not. */
  readonly hidesAspects: boolean;
  /** The time of day in milliseconds. */
  readonly now: () => number;
}

/** The store, its index, and all settings of a catalog. */
export interface CatalogState extends StateOfRequests {
  /** The data of searches, lists and relationships: the store, or its state `lag` ago. */
  readonly index: AspectReads;
  /** Whether proposals are checked before their numbers become doubles (ALTERNATE_MCP_VALIDATION in DataHub). */
  readonly isAlternateValidation: boolean;
  /** The user who makes a request. */
  readonly actorOf: (request: IncomingMessage) => string;
}
