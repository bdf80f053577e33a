/** Warns about patterns that look like regular expressions. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { warningAt } from "../base/problem.ts";
import { nativeTypeKey, notKey } from "../schema/rule-schema.ts";
import { mappingOf } from "../schema/schema-part.ts";
import { elementsIn, originIn, type ParsedDocument, placesIn } from "../yaml/parsed-document.ts";

/**
 * Matches regular expression syntax that does not occur in names: `^` at the start, `$` at the end, `.*` at the start, `|`, `\\`,
 * `(?`, or a character class. In other positions, `.*` and `$` can occur in patterns for names.
 */
const regex = /^\^|\$$|^\.\*|[|\\]|\(\?|\[[^\]]*-[^\]]*\]/;

/** Returns warnings for patterns in a `match`, including its `not`. Only `*` has a special meaning in patterns. */
export function regexHints(document: ParsedDocument, match: Json | undefined): readonly Problem[] {
  if (!isJsonObject(match)) return [];
  return [...placesIn(document, match)].flatMap(([key, place]) => hintsIn(document, match[key], place.value));
}

/** Returns warnings for a rule's column patterns: the keys in a mapping, and the patterns below them. */
export function regexHintsOfColumns(document: ParsedDocument, columns: JsonObject): readonly Problem[] {
  return [...placesIn(document, columns)].flatMap(([pattern, { key }]) => {
    const own = mappingOf(columns[pattern]);
    const places = placesIn(document, own);
    const below = [nativeTypeKey, notKey].flatMap((name) => {
      const place = places.get(name);
      return place ? hintsIn(document, own[name], place.value) : [];
    });
    return [...hintsIn(document, pattern, key), ...below];
  });
}

function hintsIn(document: ParsedDocument, value: Json | undefined, at: number): readonly Problem[] {
  if (typeof value === "string")
    return regex.test(value)
      ? [warningAt(originIn(document, at), "looks-like-regex", { pattern: value })]
      : [];
  if (isJsonList(value))
    return elementsIn(document, value).flatMap((each) => hintsIn(document, each.value, each.place.value));
  return regexHints(document, value);
}
