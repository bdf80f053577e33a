/** Where GitHub is asked, and how. */
export interface GithubConnection {
  /** The address of its API, without a slash at the end: https://api.github.com. */
  readonly api: string;
  readonly token: string;
  /** What sends requests. */
  readonly fetch: typeof fetch;
  readonly signal?: AbortSignal | undefined;
  /** The first wait before a request is sent again, in milliseconds. */
  readonly retryDelay?: number | undefined;
  /** Is told what failed and is tried again. */
  readonly onRetry?: ((text: string) => void) | undefined;
}
