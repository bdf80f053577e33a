/**
 * Builds filters with which the search index preselects the assets that rules, policies or lists may match. Reads nested
 * containers for these filters.
 */

import { containerKind } from "../../../kinds/index.ts";
import type { Kind, SearchFilter } from "../../../kinds/kind.ts";
import { appendTo } from "../../../model/append.ts";
import { canonicalJson } from "../../../model/json.ts";
import type { ColumnRule, Condition, MatchKey, Rule } from "../../../model/rule.ts";
import { isUrn, type Urn } from "../../../model/urn.ts";
import type { Reader } from "../../../datahub/client.ts";
import { discover } from "../discover.ts";
import type { ReadOptions } from "../read-batches.ts";

/** The properties of a rule that determine which assets it may match. */
export type AssetQuestion = Pick<Rule, "kind" | "conditions" | "exclusions" | "columns">;

const nowhere = { file: "", line: 1, column: 1 };

/** A condition that every asset in a container meets. Used to request containers. */
export const inContainer: Condition = { key: "container", patterns: ["*"], origin: nowhere };

/** A column rule that matches every column. Used to request columns. */
export const anyColumn: ColumnRule = { pattern: "*", facets: new Map(), origin: nowhere };

/** Maximum number of filter lists. The index accepts a total of about a thousand clauses (max_clause_count). */
const maxLists = 200;

/** Maximum number of containers in a filter. If there are more, all assets are requested, regardless of their containers. */
const maxContainers = 1000;

/**
 * Builds filter lists for the index. Every asset that the rules may match meets all filters in at least one list. Returns no
 * lists if nothing restricts the assets. Only exact values become filters, because partial matches depend on the version of the
 * index.
 */
export async function indexFilters(
  reader: Reader,
  kind: Kind,
  { questions, signal }: { readonly questions: readonly AssetQuestion[] } & ReadOptions,
): Promise<readonly (readonly SearchFilter[])[]> {
  const named = questions.map(({ conditions }) => conditions.flatMap((each) => filterOf(kind, each)));
  const distinct = [...new Map(named.map((list) => [canonicalJson(list), list])).values()];
  if (distinct.length > maxLists || distinct.some((list) => list.length === 0)) return [];
  const lists: SearchFilter[][] = [];
  for (const list of distinct) {
    const filters: SearchFilter[] = [];
    for (const filter of list) appendTo(filters, await withNestedContainers(reader, kind, filter, signal));
    if (filters.length === 0) return [];
    lists.push(filters);
  }
  return lists;
}

function filterOf({ matching }: Kind, { key, patterns, ignoreCase }: Condition): readonly SearchFilter[] {
  const field = matching?.indexed[key];
  if (field === undefined || ignoreCase || patterns.some((pattern) => pattern.includes("*"))) return [];
  return [{ field, values: patterns.map((pattern) => valueOf(key, pattern)).toSorted() }];
}

/** Converts a value from a rule to the form that the index stores. Platforms and containers become URNs. */
function valueOf(key: MatchKey, text: string): string {
  const type =
    key === "platform" ? "dataPlatform" : key === "container" ? containerKind.entityType : undefined;
  return type === undefined || isUrn(text) ? text : `urn:li:${type}:${text}`;
}

/**
 * Adds nested containers to a container filter, because the index contains only an asset's direct container. Returns no filter if
 * there are too many containers. Returns other filters unchanged.
 */
async function withNestedContainers(
  reader: Reader,
  { matching }: Kind,
  { field, values }: SearchFilter,
  signal: AbortSignal | undefined,
): Promise<readonly SearchFilter[]> {
  if (field !== matching?.indexed.container) return [{ field, values }];
  const all = new Set(values);
  for (let level: readonly string[] = values; level.length > 0;) {
    const below: Urn[] = [];
    const anyOf = [[{ field, values: level }]];
    for await (const { urns } of discover(reader, { kind: containerKind, anyOf }, signal)) {
      appendTo(
        below,
        urns.filter((urn) => !all.has(urn)),
      );
      for (const urn of urns) all.add(urn);
      if (all.size > maxContainers) return [];
    }
    level = below;
  }
  return [{ field, values: [...all].toSorted() }];
}
