/** Defines requests and answers, regardless of the HTTP client that sends them. */

/** A request. If it has a body, it is sent with `POST`. */
export interface Outgoing {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** An answer of any status, including redirects. */
export interface Received {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Reads the body. Call it once. */
  readonly text: () => Promise<string>;
}

/** Sends one request. Throws network errors, and the reason of the signal. */
export type Send = (address: string, outgoing: Outgoing) => Promise<Received>;
