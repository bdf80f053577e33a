/** Formats parts of messages: quotes, lists, cycles, names, and nouns for types. */

import { isUrn, keyOf } from "../urn.ts";
import type { Words } from "./problem.ts";

/** The type of a YAML value. `fraction` is a non-integer number that was found where an integer is required. */
export type FoundType = "string" | "number" | "fraction" | "boolean" | "array" | "object" | "null";

/** The correct spelling that a message suggests for a misspelled name. */
export type Misspelled = { suggestion?: string | undefined };

/** The nouns for the types of unexpected values. */
export const foundNouns: Readonly<Record<FoundType, string>> = {
  string: "a string",
  number: "a number",
  fraction: "a fraction",
  boolean: "a boolean",
  array: "a list",
  object: "a mapping",
  null: "empty",
};

const maxQuoteLength = 80;

/**
 * The maximum length of a quoted URN. It exceeds `maxQuoteLength` because a truncated URN is useless. DataHub accepts at most 512
 * bytes.
 */
const maxUrnLength = 600;

/** Returns a string in backquotes. Truncates long strings. */
export function code(text: string): string {
  const maxLength = text.startsWith("urn:li:") ? maxUrnLength : maxQuoteLength;
  return `\`${text.length > maxLength ? `${text.slice(0, maxLength)}…` : text}\``;
}

/** Joins quoted strings with "or": "`a`, `b` or `c`". Truncates long lists. */
export function choice(texts: readonly string[], max = 20): string {
  return listed(texts, "or", max);
}

/** Joins quoted strings with "and": "`a`, `b` and `c`". Truncates long lists. */
export function all(texts: readonly string[], max = 20): string {
  return listed(texts, "and", max);
}

function listed(texts: readonly string[], word: string, max: number): string {
  const shown = texts.slice(0, max).map(code);
  if (texts.length > max) return `${shown.join(", ")}, … (${texts.length} in all)`;
  const last = shown.at(-1) ?? "";
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} ${word} ${last}` : last;
}

/** Formats the ids of the entities in a cycle. Truncates long cycles. */
export function cycleOf(urns: readonly string[]): string {
  const ids = urns.map((urn) => (isUrn(urn) ? keyOf(urn) : urn));
  const shown = ids.length > 12 ? [...ids.slice(0, 10), "…", ids[0] ?? ""] : ids;
  return shown.join(" → ");
}

/** Adds the indefinite article to a noun: "a dataset", "an unknown entity". */
export function withArticle(noun: string): string {
  return `${/^(?:[aeiou]|ML )/i.test(noun) && !/^u[st]/i.test(noun) ? "an" : "a"} ${noun}`;
}

/** Formats a number with a noun, which is plural unless the number is 1. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Formats a facet, with its column if it has one. */
export function placeIn({ facet, column }: { facet: string; column?: string | undefined }): string {
  return code(facet) + (column === undefined ? "" : ` (column ${code(column)})`);
}

/**
 * Returns a string such as "a domain named "Sales" has the id `a`", for a manifest that refers to an entity by its name instead of
 * its id.
 */
export function namedText(
  what: string,
  written: string,
  ids: readonly string[],
  { nounOf, pluralOf }: Words,
): string {
  return ids.length === 1
    ? `${withArticle(nounOf(what))} named "${written}" has the id ${choice(ids)}`
    : `${pluralOf(what)} named "${written}" have the ids ${all(ids)}`;
}
