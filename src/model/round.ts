/** What one round of a `watch` came to. */
export interface Round {
  /** From 1. */
  readonly round: number;
  /** When it began, in ISO 8601. */
  readonly at: string;
  readonly exitCode: number;
  /** How many changes others made to what is declared; of a round that corrects, how many changes its plan has. */
  readonly differs: number;
  /** How many operations were applied. */
  readonly applied: number;
  /** How many operations were skipped or stale; of a plan that was refused, how many changes it has. */
  readonly held: number;
  /** The name of the run that was kept, where the round wrote something. */
  readonly run?: string;
  /** Why the round failed, or why its work tree could not follow the upstream. */
  readonly error?: { readonly code: string; readonly message: string };
}
