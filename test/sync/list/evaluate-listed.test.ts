import { expect, test } from "vitest";
import { kindOf } from "../../../src/kinds/index.ts";
import type { CatalogPolicy } from "../../../src/model/catalog-policy.ts";
import type { ListedEntity, ListFilter } from "../../../src/model/listing.ts";
import { sharedQuestion, evaluateListed } from "../../../src/sync/list/evaluate-listed.ts";
import { listEntities, type ListOptions } from "../../../src/sync/list/list-entities.ts";
import { peopleReader } from "../../../src/sync/policies/people.ts";
import { plannedEntities } from "../../../src/plan/listing/planned.ts";
import type { Reader } from "../../../src/datahub/client.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  alice,
  change,
  clicks,
  columns,
  hasDomain,
  isDescribed,
  nothingDeclared,
  ofDomain,
  orders,
  pii,
  readerOfWorld,
  sales,
} from "../policies/world.ts";

function filterOf(more: Partial<ListFilter> = {}): ListFilter {
  return { conditions: [], values: new Map(), missing: [], ...more };
}

const given = (...policies: readonly CatalogPolicy[]) => ({ ...nothingDeclared, policies, waivers: [] });

test.each<readonly [string, Partial<ListFilter>, readonly CatalogPolicy[], boolean]>([
  ["all of a kind that a policy judges", {}, [isDescribed, hasDomain], true],
  ["a kind that no policy judges", {}, [isDescribed], false],
  ["entities by values", { values: new Map([["tags", new Map()]]) }, [hasDomain], false],
  ["entities without a value", { missing: ["tags"] }, [hasDomain], false],
  ["entities that are not declared", { isDeclared: false }, [hasDomain], false],
])("a list of %s reads what policies ask with it, or not", (_, more, policies, expected) => {
  const question = sharedQuestion(kindOf("Dataset"), filterOf(more), given(...policies));
  expect(question?.kind).toBe(expected ? "Dataset" : undefined);
});

const entity = (of: Urn, kind: string, more: Partial<ListedEntity> = {}): ListedEntity => ({
  urn: of,
  kind,
  name: of,
  facets: new Map(),
  violates: [],
  declaredBy: { documents: false, rules: false },
  ...more,
});

test("listed entities and columns have the policies that they violate, those of a column only its own", async () => {
  const reader = await readerOfWorld();
  const shown = [
    entity(orders, "Dataset"),
    ...["id", "email"].map((column) => entity(orders, "Dataset", { column })),
    entity(clicks, "Dataset", { column: "id" }),
    entity(pii, "Tag"),
  ];
  const people = peopleReader(reader, {});
  const { entities, policies } = await evaluateListed(
    { reader, people },
    shown,
    given(hasDomain, columns),
    {},
  );
  expect(entities.map(({ urn: of, column, violates }) => [of, column, violates])).toEqual([
    [orders, undefined, ["columns"]],
    [orders, "id", []],
    [orders, "email", ["columns"]],
    [clicks, "id", ["domain"]],
    [pii, undefined, []],
  ]);
  expect(policies).toEqual([
    { id: "columns", matched: 1, passes: 0 },
    { id: "domain", matched: 2, passes: 1 },
  ]);
});

interface Listed {
  readonly found: readonly (readonly [string, readonly string[]])[];
  /** The names of the queries that were sent, in order. */
  readonly queries: readonly string[];
}

async function listed(
  filter: Partial<ListFilter>,
  policies: readonly CatalogPolicy[],
  options: ListOptions = {},
): Promise<Listed> {
  const reader = await readerOfWorld();
  const queries: string[] = [];
  const query: Reader["query"] = async (document, variables, signal) => {
    queries.push(/^query (\w+)/.exec(document)?.[1] ?? "");
    return await reader.query(document, variables, signal);
  };
  const pages = ({ name }: { readonly name: string }): readonly (readonly Urn[])[] =>
    name === "Dataset" ? [[orders, clicks]] : name === "Tag" ? [[pii]] : [];
  const source = { reader: { ...reader, query }, pages };
  const found: (readonly [string, readonly string[]])[] = [];
  for await (const { entities } of listEntities(source, given(...policies), filterOf(filter), options))
    found.push(...entities.map(({ urn: of, violates }) => [of, violates] as const));
  return { found, queries };
}

test("entities are listed with what they violate, and by it", async () => {
  const kinds = ["Dataset", "Tag"];
  const all = await listed({ kinds }, [hasDomain, isDescribed]);
  expect(all.found).toEqual([
    [pii, ["described"]],
    [orders, []],
    [clicks, ["domain"]],
  ]);
  const { found } = await listed({ kinds, policies: ["domain", "columns"] }, [
    hasDomain,
    isDescribed,
    columns,
  ]);
  expect(found).toEqual([
    [orders, ["columns"]],
    [clicks, ["domain"]],
  ]);
});

test("what policies ask is read together with what is listed, and nothing of it twice", async () => {
  const kinds = ["Dataset"];
  const { queries } = await listed({ kinds }, []);
  expect((await listed({ kinds }, [hasDomain])).queries).toEqual(queries);
});

test("what a plan creates and changes is listed as it will be, and what it deletes is not", async () => {
  const fresh = "urn:li:tag:fresh" as Urn;
  const changes = [
    ofDomain(clicks, sales),
    change(orders, "Dataset", { action: "delete", shape: "entity" }),
    change(fresh, "Tag", { action: "create", shape: "entity" }),
    change(alice, "User", { action: "create", shape: "entity" }),
  ];
  const planned = plannedEntities({ changes } as never);
  const { found } = await listed({ kinds: ["Dataset", "Tag"] }, [hasDomain, isDescribed], { planned });
  expect(found).toEqual([
    [pii, ["described"]],
    [clicks, []],
    [fresh, ["described"]],
  ]);
});
