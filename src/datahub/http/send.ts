/** A request as it goes out. A body is sent by `POST`. */
export interface Outgoing {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends it with its reason. */
  readonly signal?: AbortSignal;
}

/** An answer, whatever its status; a redirect is one. */
export interface Received {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
  /** The body. It is read once. */
  readonly text: () => Promise<string>;
}

/** Sends one request to an address and gives its answer. Throws what the network throws, and the reason of the signal. */
export type Send = (address: string, outgoing: Outgoing) => Promise<Received>;
