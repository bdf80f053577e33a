/** The result of one round of `watch`. */

/** The numbers of a round, in the JSON form that `watch` prints. */
export interface Round {
  /** From 1. */
  readonly round: number;
  /** The start, in ISO 8601. */
  readonly at: string;
  readonly exitCode: number;
  /** The number of changes that others made to declared values; in a round that corrects, the number of changes in its plan. */
  readonly differs: number;
  /** The number of applied operations. */
  readonly applied: number;
  /** The number of skipped or stale operations; for a refused plan, the number of its changes. */
  readonly held: number;
  /** The name of the stored run, if the round wrote something. */
  readonly run?: string;
  /** The reason why the round failed, or why its work tree could not follow the upstream. */
  readonly error?: { readonly code: string; readonly message: string };
}
