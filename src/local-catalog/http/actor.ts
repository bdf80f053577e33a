import type { IncomingMessage } from "node:http";

/** The header by which a request names its user (AuthenticationConstants.java). */
export function actorHeader({ headers }: IncomingMessage): string | undefined {
  const value = headers["x-datahub-actor"];
  return Array.isArray(value) ? value[0] : value;
}
