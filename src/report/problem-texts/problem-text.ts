import { kindOfType, nounOf, pluralOf } from "../../kinds/index.ts";
import type { Problem } from "../../model/problem.ts";
import { entityTypeOf, isUrn, keyOf } from "../../model/urn.ts";

/** The message of one problem. */
export type ProblemText<Args> = (args: Args, severity: Problem["severity"]) => string;

/** A text for each code of a table of arguments. */
export type ProblemTexts<Table> = { readonly [Code in keyof Table]: ProblemText<Table[Code]> };

const longestQuote = 80;

/** A part of a URN is useless. DataHub allows at most 512 bytes. */
const longestUrn = 600;

/** A string in back quotes. A long string is cut. */
export function code(text: string): string {
  const longest = text.startsWith("urn:li:") ? longestUrn : longestQuote;
  return `\`${text.length > longest ? `${text.slice(0, longest)}…` : text}\``;
}

/** "`a`, `b` or `c`". Of a long list, the beginning. */
export function choice(texts: readonly string[], most = 20): string {
  const shown = texts.slice(0, most).map(code);
  if (texts.length > most) return `${shown.join(", ")}, … (${texts.length} in all)`;
  const last = shown.at(-1) ?? "";
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} or ${last}` : last;
}

/** Entities of one kind in a cycle, by their ids. Of a long one, the beginning. */
export function cycleOf(urns: readonly string[]): string {
  const ids = urns.map(idOf);
  const shown = ids.length > 12 ? [...ids.slice(0, 10), "…", ids[0] ?? ""] : ids;
  return shown.join(" → ");
}

/** What the entities of a cycle are called. */
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

/** "a domain named "Sales" has the id `a`", after what was written in place of the id. */
export function namedText(what: string, written: string, ids: readonly string[]): string {
  const noun = nounOf(what);
  return ids.length === 1
    ? `${withArticle(noun)} named "${written}" has the id ${choice(ids)}`
    : `${pluralOf(what)} named "${written}" have the ids ${choice(ids).replace(/ or (?=`[^`]*`$)/, " and ")}`;
}
