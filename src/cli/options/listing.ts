/** Defines the options that filter a list, and creates a filter from them. */

import { type Command, Option } from "commander";
import { listedFacets } from "../../facets/index.ts";
import { matchKeys } from "../../kinds/match-key.ts";
import type { ListFilter } from "../../model/listing.ts";
import type { CatalogPolicy } from "../../model/catalog-policy.ts";
import type { Condition } from "../../model/rule.ts";
import { nearestSpelling } from "../../model/text/suggestion.ts";
import { UsageError } from "../errors.ts";
import { addGroup } from "./options.ts";
import { nameAmong, parseKind } from "./names.ts";
import { collect } from "./scope.ts";

/** The parsed filter options. */
export interface FilterOptions {
  readonly kind?: readonly string[];
  readonly missing?: readonly string[];
  readonly declared?: true;
  readonly undeclared?: true;
  readonly columns?: true;
  readonly policy?: readonly string[];
  /** The values of the options that filter by keys and facets, keyed by option name. */
  readonly [name: string]: unknown;
}

const matchOptions = matchKeys.flatMap(({ key, option }) => (option ? [{ name: key, ...option }] : []));

const facetOptions = listedFacets.flatMap(({ name: facet, listing }) =>
  listing.options.map((option) => ({ facet, ...option })),
);

const listedNames = listedFacets.map(({ name }) => name);

/** Adds the options that filter a list. */
export function addFilterOptions(command: Command): Command {
  return addGroup(command, "Filters (all must match; repeat for OR; * is a wildcard):", [
    new Option("--kind <kind>", "only entities of this kind, such as Dataset (repeatable)").argParser(
      parseKind,
    ),
    ...[...matchOptions, ...facetOptions].map(({ name, argument, description }) =>
      new Option(`--${name} ${argument}`, `only entities ${description} (repeatable)`).argParser(collect),
    ),
    new Option(
      "--policy <policy>",
      "only entities that violate this policy without a waiver (repeatable)",
    ).argParser(collect),
    new Option("--missing <facet>", "only entities without this field (repeatable)")
      .choices(listedNames)
      .argParser(parseListedFacet),
    new Option("--declared", "only entities that are declared in Git").conflicts("undeclared"),
    new Option("--undeclared", "only entities that are not declared in Git"),
  ]);
}

function parseListedFacet(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, nameAmong(text, listedNames)];
}

/** Whether the options filter by a value that columns can also have, although the list does not include columns. */
export function leavesColumnsOut(options: FilterOptions): boolean {
  const isFiltered = listedFacets.some(
    ({ listing }) =>
      listing.columnFacet !== undefined &&
      listing.options.some(({ name }) => textsIn(options, name).length > 0),
  );
  return isFiltered && options.columns !== true;
}

/** Creates the filter. Calls `me`, which returns the URN of the token's user, only if an option has the value `me`. */
export type FilterReader = (me: () => Promise<string>) => Promise<ListFilter>;

/** Returns a function that creates the filter for the given options. Throws `UsageError` for a policy that is not in `known`. */
export function filterOf(options: FilterOptions, known: readonly CatalogPolicy[]): FilterReader {
  const { missing = [], declared, undeclared, columns: byColumn, policy } = options;
  const violated = policy?.map((id) => policyNamed(id, known));
  const kinds = violated ? kindsOf(violated, options.kind) : options.kind;
  const isDeclared = declared ?? (undeclared ? false : undefined);
  const conditions = matchOptions.flatMap(({ name: key }): readonly Condition[] => {
    const patterns = textsIn(options, key);
    return patterns.length > 0 ? [{ key, patterns, origin: commandLine }] : [];
  });
  return async (me) => {
    const values = await valuesFor(options, me);
    const policies = violated?.map(({ id }) => id);
    return { kinds, conditions, values, missing, byColumn, isDeclared, policies };
  };
}

async function valuesFor(options: FilterOptions, me: () => Promise<string>): Promise<ListFilter["values"]> {
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
  return values;
}

/** Returns the kinds that the policies apply to, restricted to the requested kinds. */
function kindsOf(
  policies: readonly CatalogPolicy[],
  requested: readonly string[] | undefined,
): readonly string[] {
  const kinds = policies.map(({ kind }) => kind);
  return requested ? kinds.filter((kind) => requested.includes(kind)) : kinds;
}

/**
 * Returns the policy with the given id. If there is none, returns the only policy whose id is the same when case is ignored.
 * Throws `UsageError` if there is no such policy.
 */
function policyNamed(id: string, known: readonly CatalogPolicy[]): CatalogPolicy {
  const alike = known.filter((each) => each.id.toLowerCase() === id.toLowerCase());
  const policy = known.find((each) => each.id === id) ?? (alike.length === 1 ? alike[0] : undefined);
  if (policy) return policy;
  const meant = nearestSpelling(
    id,
    known.map((each) => each.id),
  );
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  throw new UsageError(`--policy ${id}: no manifest declares a policy with this id${hint}`);
}

const commandLine = { file: "command line", line: 1, column: 1 };

function textsIn(options: FilterOptions, name: string): readonly string[] {
  const texts = options[name];
  return Array.isArray(texts) ? texts.filter((text) => typeof text === "string") : [];
}
