/** Defines the context that all resolvers receive for a GraphQL request. */

import type { AspectReader } from "../store/aspect-reader.ts";
import type { StateOfRequests } from "../store/catalog-state.ts";

/** The catalog state, the user and the readers for a GraphQL request. */
export interface RequestContext extends StateOfRequests {
  readonly actor: string;
  readonly reader: AspectReader;
  /**
   * Reads the index that serves searches, lists and relationships. If the index does not lag, this is the same reader as
   * `reader`.
   */
  readonly index: AspectReader;
  /** Creates a random id, which a new entity gets if the request does not specify an id. */
  readonly newId: () => string;
}
