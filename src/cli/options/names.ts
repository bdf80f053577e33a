import { InvalidArgumentError } from "commander";
import { edgeSetOfInverse, facets } from "../../facets/index.ts";
import { kinds } from "../../kinds/index.ts";
import { closest } from "../../model/text/suggestion.ts";

/** Reads the name of a kind. The flag can be repeated: commander's own choices take one value, which would be the last. */
export function parseKind(text: string, before: readonly string[] = []): readonly string[] {
  const name = nameAmong(
    text,
    kinds.map((each) => each.name),
  );
  return [...before, name];
}

/** Reads the name of a facet that manifests declare, as plans show it. The flag can be repeated. */
export function parseFacet(text: string, before: readonly string[] = []): readonly string[] {
  const names = facets.filter(({ schema }) => schema !== undefined).map(({ name }) => name);
  const name = nameAmong(text, names);
  return [...before, edgeSetOfInverse(name)?.facet ?? name];
}

/** A text that is one of some names. Throws commander's error, with the name that was probably meant. */
export function nameAmong(text: string, names: readonly string[]): string {
  if (names.includes(text)) return text;
  const meant = closest(text, names);
  const hint = meant === undefined ? `It must be one of ${names.join(", ")}.` : `Did you mean ${meant}?`;
  throw new InvalidArgumentError(hint);
}
