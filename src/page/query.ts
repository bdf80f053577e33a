/** Reads the query for a list of entries from a form or a URL fragment, and formats a query as a URL fragment. */

/** Search words, filters and grouping. An empty field has no effect. */
export interface Query {
  /** The search words. An entry must contain all of them. */
  readonly search: string;
  readonly change: string;
  readonly kind: string;
  readonly field: string;
  readonly rule: string;
  /** The label of an entry: its class in drift, or its verdict in a check. */
  readonly class: string;
  readonly policy: string;
  /** The name of the grouping. */
  readonly group: string;
}

/** The query that shows all entries without grouping. */
export const all: Query = {
  search: "",
  change: "",
  kind: "",
  field: "",
  rule: "",
  class: "",
  policy: "",
  group: "",
};

const keys = Object.keys(all) as readonly (keyof Query)[];

/** Reads the query from a URL fragment such as `#search=orders&kind=Dataset`. Ignores unknown fields. */
export function queryIn(fragment: string): Query {
  return queryOf(new URLSearchParams(fragment.replace(/^#/, "")));
}

/** Reads the query from form fields or URL parameters. */
export function queryOf(written: Pick<FormData | URLSearchParams, "get">): Query {
  const textAt = (key: string): string => {
    const value = written.get(key);
    return typeof value === "string" ? value : "";
  };
  return { ...all, ...Object.fromEntries(keys.map((key) => [key, textAt(key)])) };
}

/** Formats a query as a URL fragment, which is empty if the query shows all entries. */
export function fragmentOf(query: Query): string {
  const set = keys.filter((key) => query[key] !== "").map((key) => [key, query[key]]);
  return set.length === 0 ? "" : `#${new URLSearchParams(set).toString()}`;
}
