/** Parses URNs according to DataHub's rules, and extracts entity types and keys. Also handles percent encoding. */

import { type PartsFault, partsFault, splitTuple } from "./urn-parts.ts";

declare const urnBrand: unique symbol;

/** A well-formed DataHub URN. Only `parseUrn` and the kinds create such values. */
export type Urn = string & { readonly [urnBrand]: true };

/** A set of URNs that can only be tested for membership. */
export interface UrnTest {
  has(urn: Urn): boolean;
}

/** The reason why a string is not a valid URN. `detail` is the invalid part, if there is one. */
export interface UrnFault {
  readonly reason:
    | "prefix"
    | "white-space"
    | "blank"
    | "empty-key"
    | "brackets"
    | "separator"
    | "parts"
    | "length"
    | "entity-type"
    | PartsFault["reason"];
  readonly detail?: string;
}

export type UrnResult = { readonly urn: Urn } | { readonly fault: UrnFault };

/** DataHub's limit for a URL-encoded URN, in bytes (metadata-utils UrnValidationUtil.java). */
const maxUrnBytes = 512;

const urnPattern = /^urn:li:([A-Za-z][A-Za-z0-9]*):([\s\S]*)$/;

/**
 * Parses a URN of any entity type according to DataHub's rules (UrnValidationUtil.java). DataHub drops proposals for invalid
 * URNs, but reports success. The parts of asset URNs are validated too, because a single malformed URN makes the read of an
 * entire batch fail (DatasetType.java, batchLoad).
 */
export function parseUrn(text: string): UrnResult {
  const match = urnPattern.exec(text);
  if (!match) return { fault: { reason: "prefix" } };
  const [, entityType = "", key = ""] = match;
  // DataHub accepts a key with leading whitespace, but drops proposals for a key with trailing whitespace.
  if (key !== key.trimEnd()) return { fault: { reason: "white-space" } };
  if (key === "") return { fault: { reason: "empty-key" } };
  if (text.length > maxUrnBytes) return { fault: { reason: "length" } };
  if (key.includes("\u241F")) return { fault: { reason: "separator" } };
  if (!hasBalancedBrackets(key)) return { fault: { reason: "brackets" } };
  // A non-ASCII character needs up to nine bytes when it is encoded.
  if (text.length * 9 > maxUrnBytes && mayBeTooLong(text) && encodedLength(text) > maxUrnBytes)
    return { fault: { reason: "length" } };
  const fault = partsFault(entityType, key);
  return fault ? { fault } : { urn: text as Urn };
}

/** Whether a value from a well-formed plan, aspect or manifest is a URN. */
export function isUrn(value: unknown): value is Urn {
  return typeof value === "string" && value.startsWith("urn:li:");
}

/** Returns the entity type of a URN, spelled as in the URN: `dataset`, `corpuser`, `corpGroup`, … */
export function entityTypeOf(urn: Urn): string {
  const start = urn.indexOf(":", urn.indexOf(":") + 1) + 1;
  const end = urn.indexOf(":", start);
  return end < 0 ? urn.slice(start) : urn.slice(start, end);
}

/**
 * Whether the key of a URN consists of several parts in parentheses, or has an unclosed parenthesis. In manifests, only assets
 * have such keys.
 */
export function hasSeveralParts(urn: Urn): boolean {
  const key = keyOf(urn);
  if (!key.startsWith("(")) return false;
  return !key.endsWith(")") || key === "()" || splitTuple(key).length > 1;
}

/** Returns the part of a URN after the entity type: an id, or several parts in parentheses. */
export function keyOf(urn: Urn): string {
  return urn.slice(`urn:li:${entityTypeOf(urn)}:`.length);
}

/**
 * Returns the URN under which DataHub stores a column of a dataset. It may be longer than other URNs (UrnValidationUtil.java).
 */
export function schemaFieldUrn(parent: Urn, fieldPath: string): Urn {
  return `urn:li:schemaField:(${parent},${encodePart(fieldPath)})` as Urn;
}

/** Returns the entity and the column path from a URN that `schemaFieldUrn` built; `undefined` for any other URN. */
export function columnOfUrn(urn: string): { readonly parent: Urn; readonly fieldPath: string } | undefined {
  const [, parent, path = ""] = /^urn:li:schemaField:\((urn:li:.+),([^,]*)\)$/.exec(urn) ?? [];
  return isUrn(parent) ? { parent, fieldPath: plainPart(path) } : undefined;
}

const encodedReserved: Readonly<Record<string, string>> = {
  "(": "%28",
  ")": "%29",
  ",": "%2C",
  "\u241F": "%E2%90%9F",
};

/** Percent-encodes the characters that are not allowed in a URN part. */
export function encodePart(text: string): string {
  return text.replace(/[(),\u241F]/g, (character) => encodedReserved[character] ?? character);
}

/** Returns the key of a URN as it is written in manifests, without percent encoding. */
export function plainKeyOf(urn: Urn): string {
  return plainPart(keyOf(urn));
}

/** Decodes a URN part that `encodePart` encoded. */
export function plainPart(part: string): string {
  return part.replace(/%28|%29|%2C|%E2%90%9F/g, (encoded) => decodeURIComponent(encoded));
}

function hasBalancedBrackets(key: string): boolean {
  let depth = 0;
  for (const character of key) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function mayBeTooLong(text: string): boolean {
  return text.length * 3 > maxUrnBytes || /[^ -~]/.test(text);
}

// Computes the encoded length as the server's java.net.URLEncoder does: it keeps the characters below, and encodes every other
// byte as three characters.
function encodedLength(text: string): number {
  let length = 0;
  for (const byte of new TextEncoder().encode(text)) {
    length += /[A-Za-z0-9.*_\- ]/.test(String.fromCharCode(byte)) ? 1 : 3;
  }
  return length;
}
