/** Warns about invisible characters in names, ids and references. */

import { facets } from "../../facets/index.ts";
import { isJsonList, isJsonObject, type Json } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { codePointText, hiddenIn } from "../../model/text/hidden-characters.ts";
import { warningAt } from "../base/problem.ts";
import {
  elementsIn,
  originIn,
  placesIn,
  type ParsedDocument,
  type SourcePlace,
} from "../yaml/parsed-document.ts";

// Prose is not checked, because some writing systems need invisible joiners.
const prose: ReadonlySet<string> = new Set(facets.filter(({ isProse }) => isProse).map(({ name }) => name));

/** Returns the warnings for a document: one for each string with invisible characters, at the first of these characters. */
export function hiddenCharacters(document: ParsedDocument): readonly Problem[] {
  const { text } = document.source;
  // The file may have many documents, so only this document's text is searched.
  const part = text.slice(document.rootPlace.key, document.rootPlace.end);
  // An escape sequence in quotes can also produce an invisible character.
  if (hiddenIn(part) === undefined && !/\\[xuU]/.test(part)) return [];
  const problems: Problem[] = [];
  // An alias repeats a value that has already been checked.
  const seen = new Set<object>();
  const check = (found: string, place: SourcePlace, field: string, start: number): void => {
    const { character } = hiddenIn(found) ?? {};
    if (character === undefined) return;
    const inSource = text.slice(start, Math.max(place.end, start + 1)).indexOf(character);
    const origin = originIn(document, start + Math.max(inSource, 0));
    problems.push(warningAt(origin, "invisible-character", { field, character: codePointText(character) }));
  };
  const visit = (value: Json, place: SourcePlace, field: string): void => {
    if (typeof value === "string") check(value, place, field, place.value);
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (isJsonList(value)) {
      for (const [index, each] of elementsIn(document, value).entries())
        visit(each.value, each.place, `${field}[${index}]`);
    } else if (isJsonObject(value)) {
      for (const [key, own] of placesIn(document, value)) {
        check(key, own, field === "" ? key : field, own.key);
        if (!prose.has(key)) visit(value[key] ?? null, own, field === "" ? key : `${field}.${key}`);
      }
    }
  };
  visit(document.root, document.rootPlace, "");
  return problems;
}
