import { type Command, Option } from "commander";
import { listedFacets } from "../../facets/index.ts";
import { matchKeys } from "../../kinds/match-key.ts";
import type { ListFilter } from "../../model/listing.ts";
import type { Condition } from "../../model/rule.ts";
import { addGroup } from "./options.ts";
import { nameAmong, parseKind } from "./names.ts";
import { collect } from "./scope.ts";

/** The options that filter a list, by their names. */
export interface FilterOptions {
  readonly kind?: readonly string[];
  readonly missing?: readonly string[];
  /** `true` of `--declared`, `false` of `--undeclared`. */
  readonly declared?: true;
  readonly undeclared?: true;
  readonly columns?: true;
  /** Those of keys and facets, each with its values. */
  readonly [name: string]: unknown;
}

const matchOptions = matchKeys.flatMap(({ key, option }) => (option ? [{ key, ...option }] : []));

const facetOptions = listedFacets.flatMap(({ name: facet, listing }) =>
  listing.options.map((option) => ({ facet, ...option })),
);

/** Adds the options that filter a list. */
export function addFilterOptions(command: Command): Command {
  return addGroup(command, "Filters (all must match, and any value of each; in values * is any text):", [
    new Option("--kind <kind>", "only entities of a kind (repeatable)").argParser(parseKind),
    ...[...matchOptions, ...facetOptions].map(({ argument, description, ...named }) => {
      const name = "facet" in named ? named.name : named.key;
      return new Option(`--${name} ${argument}`, `only entities ${description} (repeatable)`).argParser(
        collect,
      );
    }),
    new Option("--missing <facet>", "only entities without a value of a facet (repeatable)").argParser(
      parseListedFacet,
    ),
    new Option("--declared", "only entities that manifests declare").conflicts("undeclared"),
    new Option("--undeclared", "only entities that no manifest declares"),
  ]);
}

function parseListedFacet(text: string, before: readonly string[] = []): readonly string[] {
  const names = listedFacets.map(({ name }) => name);
  return [...before, nameAmong(text, names)];
}

/** The filter that options ask for. `me` becomes the URN of the user of the token, where an option takes it. */
export async function filterOf(options: FilterOptions, me: () => Promise<string>): Promise<ListFilter> {
  const conditions = matchOptions.flatMap(({ key }): readonly Condition[] => {
    const patterns = textsIn(options, key);
    return patterns.length > 0 ? [{ key, patterns, origin: commandLine }] : [];
  });
  const values = new Map<string, Map<string, readonly string[]>>();
  for (const { facet, name, takesMe = false } of facetOptions) {
    const texts = textsIn(options, name);
    if (texts.length === 0) continue;
    const own = values.get(facet) ?? new Map<string, readonly string[]>();
    values.set(facet, own);
    own.set(
      name,
      takesMe && texts.includes("me") ? [...texts.filter((text) => text !== "me"), await me()] : texts,
    );
  }
  const { kind: kinds, missing = [], declared, undeclared, columns: byColumn } = options;
  const isDeclared = declared === true ? true : undeclared === true ? false : undefined;
  return { kinds, conditions, values, missing, byColumn, isDeclared };
}

const commandLine = { file: "command line", line: 1, column: 1 };

function textsIn(options: FilterOptions, name: string): readonly string[] {
  const texts = options[name];
  return Array.isArray(texts) ? texts.filter((text) => typeof text === "string") : [];
}
