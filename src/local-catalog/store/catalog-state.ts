import type { IncomingMessage } from "node:http";
import type { AspectReads } from "./aspect-reader.ts";
import type { AspectStore } from "./aspect-store.ts";

/** What requests read and write. */
export interface CatalogState {
  readonly store: AspectStore;
  /** What searches, lists and relationships read: the store, or its state `lag` ago. */
  readonly index: AspectReads;
  /** How much later the index and the removal of references follow the store, in milliseconds. */
  readonly lag: number;
  /** Whether an asset can be in one data product only, as DataHub can be configured. */
  readonly isOneProductPerAsset: boolean;
  /** Whether proposals are checked as they are written (ALTERNATE_MCP_VALIDATION in DataHub). */
  readonly isAlternateValidation: boolean;
  /** Whether the numbers of structured properties are 32 bits wide in mutations, as before August 2026. */
  readonly isFloat32: boolean;
  /** The entities that no user may view. Who may edit all of an entity may view it, so these writes are refused, too. */
  readonly restricted: ReadonlySet<string>;
  /** Whether GraphQL hides stored aspects of these, too. DataHub does not. */
  readonly hidesAspects: boolean;
  /** The user who makes a request. */
  readonly actorOf: (request: IncomingMessage) => string;
  /** The time of day in milliseconds. */
  readonly now: () => number;
}
