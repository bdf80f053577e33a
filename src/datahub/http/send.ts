/** The types of requests and answers, whatever sends them. */

/** A request. One with a body is sent by `POST`. */
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
  /** The body. Call it once. */
  readonly text: () => Promise<string>;
}

/** Sends one request. Throws the errors of the network, and the reason of the signal. */
export type Send = (address: string, outgoing: Outgoing) => Promise<Received>;
