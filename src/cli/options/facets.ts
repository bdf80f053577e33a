import { InvalidArgumentError } from "commander";
import { facets, memberships } from "../../facets/index.ts";
import { closest } from "../../text/suggestion.ts";

/** Reads the name of a facet that manifests declare, as plans show it. The flag can be repeated. */
export function parseFacet(text: string, before: readonly string[] = []): readonly string[] {
  const names = facets.filter(({ schema }) => schema !== undefined).map(({ name }) => name);
  if (names.includes(text)) return [...before, text === memberships.inverse ? memberships.facet : text];
  const meant = closest(text, names);
  const hint = meant === undefined ? `It must be one of ${names.join(", ")}.` : `Did you mean ${meant}?`;
  throw new InvalidArgumentError(hint);
}
