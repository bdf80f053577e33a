/** Defines stored runs. A run is an apply that wrote something. */

/** The key facts about a run, without its report. */
export interface RunFacts {
  /** The time when the run ended, in ISO 8601. */
  readonly at: string;
  readonly exitCode: number;
  /** The number of operations with each outcome. */
  readonly applied: number;
  readonly failed: number;
  readonly skipped: number;
  readonly stale: number;
  /** The commit that contained the manifests; `null` if they were not in a repository. */
  readonly commit: string | null;
  /** The URL of the server, in the same form as in plans. */
  readonly server: string;
}

/** The commit that stores a run. */
export interface RunObject {
  /** The name of the run: the abbreviated id of the commit that contains its report. */
  readonly id: string;
  /** The full id of the commit that contains the report. */
  readonly object: string;
}

/** A stored run. */
export interface StoredRun extends RunFacts, RunObject {}
