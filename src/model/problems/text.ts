/** Parts that messages share: quotes, choices, cycles, names, nouns of types. */

import { isUrn, keyOf } from "../urn.ts";
import type { Words } from "./problem.ts";

/** The type of a value in YAML. A `fraction` is a number in the place of an integer. */
export type FoundType = "string" | "number" | "fraction" | "boolean" | "array" | "object" | "null";

/** The name that was probably meant. */
export type Misspelled = { suggestion?: string | undefined };

/** The noun for a type that was found instead of the expected one. */
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

/** Longer, because a part of a URN is useless. DataHub accepts at most 512 bytes. */
const maxUrnLength = 600;

/** A string in back quotes. Long strings are cut. */
export function code(text: string): string {
  const maxLength = text.startsWith("urn:li:") ? maxUrnLength : maxQuoteLength;
  return `\`${text.length > maxLength ? `${text.slice(0, maxLength)}…` : text}\``;
}

/** "`a`, `b` or `c`". Only the beginning of a long list. */
export function choice(texts: readonly string[], max = 20): string {
  return listed(texts, "or", max);
}

/** "`a`, `b` and `c`". Only the beginning of a long list. */
export function all(texts: readonly string[], max = 20): string {
  return listed(texts, "and", max);
}

function listed(texts: readonly string[], word: string, max: number): string {
  const shown = texts.slice(0, max).map(code);
  if (texts.length > max) return `${shown.join(", ")}, … (${texts.length} in all)`;
  const last = shown.at(-1) ?? "";
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} ${word} ${last}` : last;
}

/** The ids of the entities in a cycle. Only the beginning of a long cycle. */
export function cycleOf(urns: readonly string[]): string {
  const ids = urns.map((urn) => (isUrn(urn) ? keyOf(urn) : urn));
  const shown = ids.length > 12 ? [...ids.slice(0, 10), "…", ids[0] ?? ""] : ids;
  return shown.join(" → ");
}

/** "a dataset", "an unknown". */
export function withArticle(noun: string): string {
  return `${/^(?:[aeiou]|ML )/i.test(noun) && !/^u[st]/i.test(noun) ? "an" : "a"} ${noun}`;
}

/** A number with its noun, in the plural if it is not one. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** A facet, and its column if it has one. */
export function placeIn({ facet, column }: { facet: string; column?: string | undefined }): string {
  return code(facet) + (column === undefined ? "" : ` (column ${code(column)})`);
}

/** "a domain named "Sales" has the id `a`", for a name that was written instead of an id. */
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
