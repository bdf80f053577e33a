/** Reads when an access token expires. */

import { isJsonObject } from "../model/json.ts";

/**
 * Returns when a token expires; `undefined` without an expiry. DataHub's tokens are JSON Web Tokens (RFC 7519) with the claim `exp`
 * in seconds. The signature is not checked, so use the result only for messages.
 */
export function expiryOf(token: string): Date | undefined {
  const [, claims, signature] = token.split(".");
  if (claims === undefined || signature === undefined) return undefined;
  const { exp } = objectIn(Buffer.from(claims, "base64url").toString("utf8"));
  const date = typeof exp === "number" ? new Date(exp * 1000) : undefined;
  return date && !Number.isNaN(date.getTime()) ? date : undefined;
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
