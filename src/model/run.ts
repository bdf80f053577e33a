/** Defines the facts about stored runs, which are applies that wrote something. */

/** A run without its report. */
export interface RunFacts {
  /** The time when the run ended, in ISO 8601. */
  readonly at: string;
  readonly exitCode: number;
  /** The number of operations by outcome. */
  readonly applied: number;
  readonly failed: number;
  readonly skipped: number;
  readonly stale: number;
  /** The manifests' commit, if they were in a repository. */
  readonly commit: string | null;
  /** The server, as plans name it. */
  readonly server: string;
}

/** A stored run's commit. */
export interface RunObject {
  /** The run's name: the abbreviated id of the commit that contains its report. */
  readonly id: string;
  /** The full id of that commit. */
  readonly object: string;
}

/** A stored run. */
export interface StoredRun extends RunFacts, RunObject {}
