import { parseUrn } from "../../model/urn.ts";

/** Whether DataHub can parse a text as a URN, valid or not (Urn.java). It answers any other one with a server error. */
export function isUrnText(text: string): boolean {
  return /^urn:li:[^:]+:[^]+$/.test(text) && hasBalancedBrackets(text);
}

/** Whether DataHub stores an entity with this URN (UrnValidationUtil.java). */
export function isValidUrn(text: string): boolean {
  // SQLite ends a string at a NUL character, and a lone surrogate is not valid
  // Unicode.
  return !("fault" in parseUrn(text)) && !/[\0\p{Surrogate}]/u.test(text);
}

/** Whether a URN is of an entity type, by its name. */
export function isOfType(urn: string, type: string): boolean {
  return urn.startsWith(`urn:li:${type}:`);
}

function hasBalancedBrackets(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[()]/g)) {
    depth += bracket === "(" ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
