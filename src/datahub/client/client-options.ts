/** How a catalog is talked to. `timeout` is in milliseconds, for one request. */
export interface ClientOptions {
  readonly token?: string | undefined;
  readonly timeout?: number;
}

/** Above the 55 s after which DataHub itself gives up (GraphQLController.java), so that its own answer is seen. */
export const defaultTimeout = 60_000;
