/** Defines the state that all requests to a catalog share: the store, its index, and the settings. */

import type { IncomingMessage } from "node:http";
import type { AspectReads, AspectStore } from "./aspect-store.ts";

/** The store, and the settings that every request needs. */
export interface StateOfRequests {
  readonly store: AspectStore;
  /** Delay in milliseconds before writes appear in the index, and before references to deleted entities are removed. */
  readonly lag: number;
  /** Whether an asset can belong to at most one data product. In DataHub, this restriction is optional. */
  readonly isOneProductPerAsset: boolean;
  /** Whether mutations round numbers in structured properties to 32-bit floats, as DataHub did before August 2026. */
  readonly isFloat32: boolean;
  /**
   * Entities that no user may view. Permission to edit an entire entity includes permission to view it, so the catalog also
   * refuses writes to these entities.
   */
  readonly restricted: ReadonlySet<string>;
  /** Whether GraphQL also hides the stored aspects of restricted entities. DataHub does not hide them. */
  readonly hidesAspects: boolean;
  /** Returns the current time in milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** A catalog's store, its index, and all settings. */
export interface CatalogState extends StateOfRequests {
  /** The data for searches, lists and relationships: the store, or its state `lag` milliseconds ago. */
  readonly index: AspectReads;
  /**
   * Whether the catalog validates proposals before it converts their numbers to doubles (ALTERNATE_MCP_VALIDATION in DataHub).
   */
  readonly isAlternateValidation: boolean;
  /** Returns the user who sends a request. */
  readonly actorOf: (request: IncomingMessage) => string;
}
