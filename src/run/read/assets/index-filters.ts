import { containing } from "../../../kinds/index.ts";
import type { Kind, SearchFilter } from "../../../kinds/kind.ts";
import { appendTo } from "../../../model/append.ts";
import { canonicalJson } from "../../../model/json.ts";
import type { ColumnRule, Condition, MatchKey, Rule } from "../../../model/rule.ts";
import { isUrn, type Urn } from "../../../model/urn.ts";
import type { Reader } from "../../../datahub/client.ts";
import { discover } from "../discover.ts";
import type { ReadOptions } from "../read-batches.ts";

/** The part of a rule that decides which assets it may match. */
export type AssetQuestion = Pick<Rule, "kind" | "conditions" | "exclusions" | "columns">;

const nowhere = { file: "", line: 1, column: 1 };

/** Has the containers of assets read. */
export const inContainer: Condition = { key: "container", patterns: ["*"], origin: nowhere };

/** Has the columns of assets read. */
export const anyColumn: ColumnRule = { pattern: "*", facets: new Map(), origin: nowhere };

/** More lists of filters than this are not sent: the index takes about a thousand clauses in all (max_clause_count). */
const maxLists = 200;

/** Of more containers than this all assets are asked for, instead of those in them. */
const maxContainers = 1000;

/**
 * Lists of filters for the index, of which every asset of a kind that some rules may match fits at least one; none where nothing
 * restricts them. Only exact values become filters: how an index compares parts of texts depends on its version.
 */
export async function indexFilters(
  reader: Reader,
  kind: Kind,
  { questions, signal }: { readonly questions: readonly AssetQuestion[] } & Pick<ReadOptions, "signal">,
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

/** A text of a rule as the index has it: platforms and containers by their URNs. */
function valueOf(key: MatchKey, text: string): string {
  const type = key === "platform" ? "dataPlatform" : key === "container" ? containing.entityType : undefined;
  return type === undefined || isUrn(text) ? text : `urn:li:${type}:${text}`;
}

/**
 * A filter by containers with those nested in them, since the index knows of an asset only its own container; none where these
 * are too many. Any other filter as it is.
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
    for await (const { urns } of discover(reader, { kind: containing, anyOf }, signal)) {
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
