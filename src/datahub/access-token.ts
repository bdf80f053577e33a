import { isJsonObject } from "../model/json.ts";

/**
 * When an access token ends, where it says so: DataHub's are JSON Web Tokens (RFC 7519) whose claim `exp` is in seconds. It is
 * read without a key, and decides nothing. `undefined` of a token without an end, and of any other text.
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
