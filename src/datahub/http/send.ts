/** Defines requests and responses, independently of the HTTP client that sends them. */

/** A request. If it has a body, it is sent with `POST`. */
export interface Outgoing {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** A response with any status, including redirects. */
export interface Received {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Reads the body. Call this function only once. */
  readonly text: () => Promise<string>;
}

/** Sends one request. Throws network errors and the abort reason of the signal. */
export type Send = (address: string, outgoing: Outgoing) => Promise<Received>;
