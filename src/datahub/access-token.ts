/** Reads the expiration time of an access token. */

import { isJsonObject } from "../model/json.ts";

/**
 * Returns a token's expiration time, or `undefined` if the token has none. DataHub's tokens are JSON Web Tokens (RFC 7519), whose
 * `exp` claim is in seconds. The signature is not verified, so use the result only in messages.
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
