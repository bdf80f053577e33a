/** Defines the context that all resolvers of a GraphQL request receive. */

import type { AspectReader } from "../store/aspect-reader.ts";
import type { StateOfRequests } from "../store/catalog-state.ts";

/** The state, user and readers of one GraphQL request. */
export interface RequestContext extends StateOfRequests {
  readonly actor: string;
  readonly reader: AspectReader;
  /** Reads the index of searches, lists and relationships; the same reader if the index does not lag. */
  readonly index: AspectReader;
  /** A random id for an entity that is created without one. */
  readonly newId: () => string;
}
