/** Handles URNs: parses them by DataHub's rules, and reads entity types, keys, and percent encoding. */

import { type PartsFault, partsFault, splitTuple } from "./urn-parts.ts";

declare const urnBrand: unique symbol;

/** A well-formed DataHub URN. Only `parseUrn` and the kinds create one. */
export type Urn = string & { readonly [urnBrand]: true };

/** A set of URNs that can only be tested for membership. */
export interface UrnTest {
  has(urn: Urn): boolean;
}

/** The reason why a text is not a URN; `detail` is the wrong part, if there is one. */
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
 * Parses a URN of any entity type by DataHub's rules (UrnValidationUtil.java). DataHub drops proposals for other URNs
 * and reports success. One malformed URN fails a batch (DatasetType.java, batchLoad), so asset parts are checked.
 */
export function parseUrn(text: string): UrnResult {
  const match = urnPattern.exec(text);
  if (!match) return { fault: { reason: "prefix" } };
  const [, entityType = "", key = ""] = match;
  // DataHub accepts a key with leading blanks, and drops one with trailing blanks.
  if (key !== key.trimEnd()) return { fault: { reason: "white-space" } };
  if (key === "") return { fault: { reason: "empty-key" } };
  if (text.length > maxUrnBytes) return { fault: { reason: "length" } };
  if (key.includes("\u241F")) return { fault: { reason: "separator" } };
  if (!hasBalancedBrackets(key)) return { fault: { reason: "brackets" } };
  // A character outside ASCII takes up to nine bytes when encoded.
  if (text.length * 9 > maxUrnBytes && mayBeTooLong(text) && encodedLength(text) > maxUrnBytes)
    return { fault: { reason: "length" } };
  const fault = partsFault(entityType, key);
  return fault ? { fault } : { urn: text as Urn };
}

/** Whether a value in a well-formed plan, aspect or manifest is a URN. */
export function isUrn(value: unknown): value is Urn {
  return typeof value === "string" && value.startsWith("urn:li:");
}

/** Returns a URN's entity type, as spelled there: `dataset`, `corpuser`, `corpGroup`, … */
export function entityTypeOf(urn: Urn): string {
  const start = urn.indexOf(":", urn.indexOf(":") + 1) + 1;
  const end = urn.indexOf(":", start);
  return end < 0 ? urn.slice(start) : urn.slice(start, end);
}

/** Whether a URN's key has several parts in brackets, or an open bracket. In manifests, only assets have such a key. */
export function hasSeveralParts(urn: Urn): boolean {
  const key = keyOf(urn);
  if (!key.startsWith("(")) return false;
  return !key.endsWith(")") || key === "()" || splitTuple(key).length > 1;
}

/** Returns the URN text after the entity type: an id, or parts in brackets. */
export function keyOf(urn: Urn): string {
  return urn.slice(`urn:li:${entityTypeOf(urn)}:`.length);
}

/** Returns the URN under which DataHub keeps a dataset's column. It may be longer than other URNs (UrnValidationUtil.java). */
export function schemaFieldUrn(parent: Urn, fieldPath: string): Urn {
  return `urn:li:schemaField:(${parent},${encodePart(fieldPath)})` as Urn;
}

/** Returns the entity and the column path in a URN that `schemaFieldUrn` built; `undefined` for any other URN. */
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

/** Returns a URN's key as in a manifest: decoded from `encodePart`. */
export function plainKeyOf(urn: Urn): string {
  return plainPart(keyOf(urn));
}

/** Decodes a URN part from `encodePart`. */
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

// Measures an encoded text like the server's java.net.URLEncoder: it keeps these characters, and others take 3 per byte.
function encodedLength(text: string): number {
  let length = 0;
  for (const byte of new TextEncoder().encode(text)) {
    length += /[A-Za-z0-9.*_\- ]/.test(String.fromCharCode(byte)) ? 1 : 3;
  }
  return length;
}
