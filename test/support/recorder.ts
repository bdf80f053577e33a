import { channel } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { RequestRouter } from "../../src/local-catalog/http/router.ts";

/** A request that reached a server of this process. `body` is the parsed JSON, where there was one. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** The requests that reached the server at an address of this process, each when its body is there. */
export interface Recorder {
  readonly requests: readonly Recorded[];
  /** Records requests that come to a router without a socket. */
  before(route: RequestRouter): RequestRouter;
  close(): void;
}

const recorders = new Map<number, (request: Recorded) => void>();

// https://nodejs.org/docs/latest-v20.x/api/diagnostics_channel.html#http
const started = channel("http.server.request.start");

/** Records the requests to a server of this process. A proxy in front of it would double the work of each request. */
export function startRecorder(url: string): Recorder {
  const requests: Recorded[] = [];
  const port = Number(new URL(url).port);
  if (recorders.size === 0) started.subscribe(noteRequest);
  const record = (request: Recorded): void => void requests.push(request);
  recorders.set(port, record);
  return {
    requests,
    before: (route) => (request, response) => {
      noteTo(record, request);
      return route(request, response);
    },
    close: () => {
      recorders.delete(port);
      if (recorders.size === 0) started.unsubscribe(noteRequest);
    },
  };
}

function noteRequest(message: unknown): void {
  const { request } = message as { readonly request: IncomingMessage };
  const record = recorders.get(request.socket.localPort ?? 0);
  if (record) noteTo(record, request);
}

function noteTo(record: (request: Recorded) => void, request: IncomingMessage): void {
  const { method = "", url: path = "", headers } = request;
  const chunks: Buffer[] = [];
  const push = request.push.bind(request);
  // To listen would take the body away from the server.
  request.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (Buffer.isBuffer(chunk)) chunks.push(Buffer.from(chunk));
    if (chunk === null) {
      const body = parsed(Buffer.concat(chunks).toString("utf8"));
      record({ method, path, authorization: headers.authorization, body });
    }
    return push(chunk, encoding);
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === "" ? undefined : text;
  }
}
