/** What kind of failure a catalog error is; the exit code and the way out depend on it. */
export type CatalogFailure =
  | "unreachable"
  | "timeout"
  | "unauthorized"
  | "unsupported"
  | "not-datahub"
  | "http"
  | "answer";

/** The catalog could not be asked or did not answer as DataHub does. The message says what, where and what to do, never the token. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  readonly failure: CatalogFailure;
  readonly status: number | undefined;

  constructor(failure: CatalogFailure, message: string, status?: number) {
    super(message);
    this.failure = failure;
    this.status = status;
  }
}
