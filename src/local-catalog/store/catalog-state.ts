/** Defines the state that all requests to a catalog share: the store, its index, and the settings. */

import type { IncomingMessage } from "node:http";
import type { AspectReads, AspectStore } from "./aspect-store.ts";

/** The store, and the settings that every request needs. */
export interface StateOfRequests {
  readonly store: AspectStore;
  /** Delay for the index, and for the removal of references, in milliseconds. */
  readonly lag: number;
  /** Whether only one data product can contain an asset, an option in DataHub. */
  readonly isOneProductPerAsset: boolean;
  /** Whether mutations store numbers in structured properties with 32 bits, as DataHub did before August 2026. */
  readonly isFloat32: boolean;
  /**
   * Entities that no user may view. Permission to edit an entire entity includes permission to view it, so the catalog also refuses
   * writes to these entities.
   */
  readonly restricted: ReadonlySet<string>;
  /** Whether GraphQL also hides restricted entities' stored aspects. DataHub does not. */
  readonly hidesAspects: boolean;
  /** Returns the time of day in milliseconds. */
  readonly now: () => number;
}

/** A catalog's store, its index, and all settings. */
export interface CatalogState extends StateOfRequests {
  /** The data for searches, lists and relationships: the store, or its earlier state `lag` ago. */
  readonly index: AspectReads;
  /** Whether the catalog checks proposals before it converts their numbers to doubles (ALTERNATE_MCP_VALIDATION in DataHub). */
  readonly isAlternateValidation: boolean;
  /** Returns the user who sends a request. */
  readonly actorOf: (request: IncomingMessage) => string;
}
