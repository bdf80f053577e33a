import { parseUrn } from "../../model/urn.ts";

/** Whether DataHub can parse a text as a URN, valid or not (Urn.java). It answers any other one with a server error. */
export function isUrnText(text: string): boolean {
  return /^urn:li:[^:]+:[^]+$/.test(text) && hasBalancedBrackets(text);
}

/**
 * Whether DataHub stores an entity with this URN (UrnValidationUtil.java). A key can begin with blanks, which no manifest can
 * declare.
 */
export function isValidUrn(text: string): boolean {
  const checked = text.replace(/^(urn:li:[^:]+:)(\s+)(?=\S)/, (_, type: string, blanks: string) =>
    type.padEnd(type.length + blanks.length, "_"),
  );
  // SQLite ends a string at a NUL character, and a lone surrogate is not valid
  // Unicode.
  return !("fault" in parseUrn(checked)) && !/[\0\p{Surrogate}\u241F]/u.test(text);
}

function hasBalancedBrackets(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[()]/g)) {
    depth += bracket === "(" ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
