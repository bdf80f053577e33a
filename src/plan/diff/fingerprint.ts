import { createHash } from "node:crypto";
import { canonicalJson } from "../../model/json.ts";

/** SHA-256 over the canonical JSON of a value, in hexadecimal. */
export function sha256(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
