/** The type of problem messages, and the parts that they share: quotes, choices, cycles, names. */

import { kindOfType, nounOf, pluralOf } from "../../kinds/index.ts";
import type { Problem } from "../../model/problem.ts";
import { entityTypeOf, isUrn, keyOf } from "../../model/urn.ts";

/** The message of one problem. */
export type ProblemText<Args> = (args: Args, severity: Problem["severity"]) => string;

/** A text for each code of a table of arguments. */
export type ProblemTexts<Table> = { readonly [Code in keyof Table]: ProblemText<Table[Code]> };

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
  const shown = texts.slice(0, max).map(code);
  if (texts.length > max) return `${shown.join(", ")}, … (${texts.length} in all)`;
  const last = shown.at(-1) ?? "";
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} or ${last}` : last;
}

/** The ids of the entities in a cycle. Only the beginning of a long cycle. */
export function cycleOf(urns: readonly string[]): string {
  const ids = urns.map(idOf);
  const shown = ids.length > 12 ? [...ids.slice(0, 10), "…", ids[0] ?? ""] : ids;
  return shown.join(" → ");
}

/** The plural of the kind of the entities in a cycle. */
export function pluralIn([first]: readonly string[]): string {
  return isUrn(first) ? pluralOf(kindOfType(entityTypeOf(first))?.name ?? "entity") : "entities";
}

function idOf(urn: string): string {
  return isUrn(urn) ? keyOf(urn) : urn;
}

/** "a dataset", "an unknown". */
export function withArticle(noun: string): string {
  return `${/^(?:[aeiou]|ML )/i.test(noun) && !/^u[st]/i.test(noun) ? "an" : "a"} ${noun}`;
}

/** "a domain named "Sales" has the id `a`", for a name that was written instead of an id. */
export function namedText(what: string, written: string, ids: readonly string[]): string {
  const noun = nounOf(what);
  return ids.length === 1
    ? `${withArticle(noun)} named "${written}" has the id ${choice(ids)}`
    : `${pluralOf(what)} named "${written}" have the ids ${choice(ids).replace(/ or (?=`[^`]*`$)/, " and ")}`;
}
