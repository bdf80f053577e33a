/** Defines the context that all resolvers receive for a GraphQL request. */

import type { AspectReader } from "../store/aspect-reader.ts";
import type { StateOfRequests } from "../store/catalog-state.ts";

/** A GraphQL request's state, user and readers. */
export interface RequestContext extends StateOfRequests {
  readonly actor: string;
  readonly reader: AspectReader;
  /** Reads the index for searches, lists and relationships. If the index does not lag, this is the store's reader. */
  readonly index: AspectReader;
  /** Creates a random id for a new entity whose id the request omits. */
  readonly newId: () => string;
}
