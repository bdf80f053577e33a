import type { AspectReader } from "../store/aspect-reader.ts";
import type { AspectStore } from "../store/aspect-store.ts";

/** What the resolvers of one GraphQL request share. */
export interface RequestContext {
  readonly store: AspectStore;
  readonly reader: AspectReader;
  /** The time of day in milliseconds. */
  readonly now: () => number;
  /** A random id for what is created without one. */
  readonly newId: () => string;
}
