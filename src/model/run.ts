/** What is said of a run, that is, of an apply that wrote something, without its report. */
export interface RunFacts {
  /** When it ended, in ISO 8601. */
  readonly at: string;
  readonly exitCode: number;
  /** How many operations ended so. */
  readonly applied: number;
  readonly failed: number;
  readonly skipped: number;
  readonly stale: number;
  /** The commit of the manifests, where they were in one. */
  readonly commit: string | null;
  /** The server, as plans name it. */
  readonly server: string;
}

/** A run that is kept. */
export interface KeptRun extends RunFacts {
  /** Its name: the abbreviated id of the commit that holds its report. */
  readonly id: string;
  /** The full id of that commit. */
  readonly object: string;
}
