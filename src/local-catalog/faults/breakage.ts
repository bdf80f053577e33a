import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { answer } from "../rest/exchange.ts";
import type { Drawn, DrawnOf } from "./drawn.ts";

/** A fault of the connection, instead of an answer. */
type Breakage = DrawnOf<"status" | "reset" | "hang" | "truncated_body">;

/** Connections that get no answer. */
export interface HangingConnections {
  add(socket: Socket): void;
  /** Ends all of them. */
  release(): void;
}

/** Keeps connections open until the client ends them. */
export function hangingConnections(): HangingConnections {
  const sockets = new Set<Socket>();
  return {
    add(socket) {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    },
    release() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The fault that ends the request before it is carried out, or after; the first one of the file. */
export function breakageOf(drawn: readonly Drawn[], when: "before" | "after"): Breakage | undefined {
  return drawn.find((each): each is Breakage => momentOf(each.fault) === when);
}

function momentOf(fault: Drawn["fault"]): "before" | "after" | undefined {
  if (fault.fault === "truncated_body") return "after";
  if (fault.fault === "status" || fault.fault === "reset" || fault.fault === "hang")
    return fault.when ?? "before";
  return undefined;
}

/** Answers a request by a fault; `body` is what it would be answered otherwise. */
export function breakAnswer(
  { fault, inject }: Breakage,
  response: ServerResponse,
  hanging: HangingConnections,
  body: Uint8Array = new Uint8Array(),
): void {
  const { socket } = response;
  // The client has given up.
  if (!socket) return;
  if (fault.fault === "truncated_body" && body.length === 0) return void response.end();
  inject();
  if (fault.fault === "reset") socket.resetAndDestroy();
  else if (fault.fault === "hang") hanging.add(socket);
  else if (fault.fault === "status") refuse(response, fault.status, fault.retry_after);
  else response.write(body.subarray(0, body.length / 2), () => socket.destroy());
}

/** Answers with an error status. */
export function refuse(response: ServerResponse, status: number, retryAfter?: number): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const error = status === 429 ? "Rate limit exceeded" : (STATUS_CODES[status] ?? "");
  const headers = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  answer(response, { status, body: { error, status }, headers });
}
