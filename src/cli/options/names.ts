/** Defines options and arguments that accept a fixed set of names, and suggests the closest name if a name is unknown. */

import { Argument, InvalidArgumentError, Option } from "commander";
import { edgeSetOfInverse, facets, isDeclarable } from "../../facets/index.ts";
import { kinds } from "../../kinds/index.ts";
import { nearestSpelling } from "../../model/text/suggestion.ts";

/** Creates an option whose value must be one of several names. */
export function choiceOption(flags: string, description: string, names: readonly string[]): Option {
  return new Option(flags, description).choices(names).argParser((text) => nameAmong(text, names));
}

/** Creates an argument whose value must be one of several names. */
export function choiceArgument(name: string, description: string, names: readonly string[]): Argument {
  return new Argument(name, description).choices(names).argParser((text) => nameAmong(text, names));
}

const kindNames = kinds.map(({ name }) => name);

/** Parses the name of a kind for a repeatable flag. Commander's own `choices` would keep only the last value. */
export function parseKind(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, nameAmong(text, kindNames)];
}

/** The help text for the option that selects facets. Facets are called fields in the user interface. */
export const facetHelp = "only this field, such as tags or columns.tags (repeatable)";

/** Parses the name of a declarable facet for a repeatable flag. If plans use a different name, adds that name instead. */
export function parseFacet(text: string, before: readonly string[] = []): readonly string[] {
  const names = facets.filter(isDeclarable).map(({ name }) => name);
  const name = nameAmong(text, names);
  return [...before, edgeSetOfInverse(name)?.facet ?? name];
}

/** Returns the text if it is one of the names. Otherwise, throws Commander's error with a suggestion. */
export function nameAmong(text: string, names: readonly string[]): string {
  if (names.includes(text)) return text;
  const meant = nearestSpelling(text, names);
  const hint = meant === undefined ? `It must be one of ${names.join(", ")}.` : `Did you mean ${meant}?`;
  throw new InvalidArgumentError(hint);
}
