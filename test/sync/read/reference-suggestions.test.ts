import { expect, test } from "vitest";
import { createReader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { readSubstitutes } from "../../../src/sync/read/reference-suggestions.ts";
import type { Problem } from "../../../src/model/problem.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { withSuggestion } from "../../../src/plan/checks/suggestions.ts";
import {
  type MadeAspect,
  metadataFile,
  startTestCatalog,
  temporaryDirectory,
} from "../../support/catalog.ts";
import { argOf } from "../../support/problem-args.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const missing = (name: string): Problem => ({
  code: "asset-missing",
  severity: "error",
  args: { kind: "Dataset", urn: datasetNamed(name) },
});
const unknown = (text: string, what = "Tag"): Problem => ({
  code: "reference-missing",
  severity: "error",
  args: { urn: text, what },
});

const world: readonly MadeAspect[] = [
  ...["db.sales.orders", "db.sales.order_items", "Db.Crm.Users", "a"].map((name): MadeAspect => [
    datasetNamed(name),
    "datasetProperties",
    { name, customProperties: {}, tags: [] },
  ]),
  [datasetNamed("db.sales.old"), "status", { removed: true }],
  ["urn:li:dataset:(urn:li:dataPlatform:kafka,db.sales.carts,PROD)", "status", { removed: false }],
  ["urn:li:tag:t-1", "tagProperties", { name: "Personal (EU)" }],
  ["urn:li:tag:t-2", "tagProperties", { name: "Personal (EU), old" }],
  ["urn:li:tag:tier-1", "tagProperties", { name: "Tier 1" }],
  ["urn:li:tag:GDPR", "tagProperties", { name: "GDPR" }],
  ["urn:li:domain:tier-1", "domainProperties", { name: "Tier 1" }],
  ["urn:li:corpuser:alice@acme.com", "corpUserInfo", { active: true, displayName: "Alice" }],
  ["urn:li:corpuser:bob@acme.com", "corpUserInfo", { active: true, displayName: "Bob" }],
  ["urn:li:ownershipType:7f1", "ownershipTypeInfo", ownershipType("Data Custodian")],
];

function ownershipType(name: string): MadeAspect[2] {
  const by = { time: 0, actor: "urn:li:corpuser:datahub" };
  return { name, created: by, lastModified: by };
}

interface Suggested {
  readonly suggestions: readonly unknown[];
  readonly requests: number;
  readonly searches: number;
  /** What the search that came last asked for. */
  readonly last: unknown;
}

async function suggested(
  problems: readonly Problem[],
  known: ReadonlyMap<Urn, string> = new Map(),
): Promise<Suggested> {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world));
  const before = catalog.requests.length;
  const reader = createReader(connectionTo(catalog.url));
  const substitutes = await readSubstitutes(reader, problems, known);
  const found = { problems: problems.map((each) => withSuggestion(each, substitutes)) };
  const searches = catalog.requests
    .slice(before)
    .filter(({ body }) => JSON.stringify(body).includes("query Search"))
    .map(({ body }) => Object.values((body as { readonly variables: object }).variables) as unknown[]);
  return {
    suggestions: found.problems.map((problem) => argOf(problem, "suggestion")),
    requests: catalog.requests.length - before,
    searches: searches.length,
    last: searches.at(-1)?.at(-1),
  };
}

test("for an absent dataset of another platform the one of that name is suggested", async () => {
  const { suggestions } = await suggested([missing("db.sales.carts")]);
  expect(suggestions).toEqual(["urn:li:dataset:(urn:li:dataPlatform:kafka,db.sales.carts,PROD)"]);
});

// What is declared, and the name of what is suggested.
test.each<readonly [string, string | undefined]>([
  ["DB.SALES.ORDERS", "db.sales.orders"],
  ["db.crm.users", "Db.Crm.Users"],
  ["db.sales.odrers", "db.sales.orders"],
  ["db.sales.ordres", "db.sales.orders"],
  ["db.sales.orderitems", "db.sales.order_items"],
  ["db.sale.orders", "db.sales.orders"],
  ["db.sales.customers", undefined],
  ["db.sales.old", undefined],
  ["b", undefined],
])("for the absent dataset %s there is %s", async (name, other) => {
  const { suggestions, requests } = await suggested([missing(name)]);
  expect(suggestions).toEqual([other === undefined ? undefined : datasetNamed(other)]);
  expect(requests).toBe(1);
});

test("a tag is found by its display name, whatever the case and the characters, and no other by a part of it", async () => {
  const problems = [unknown("urn:li:tag:personal %28EU%29"), unknown("urn:li:tag:Personal")];
  expect(await suggested(problems)).toMatchObject({ suggestions: ["t-1", undefined], requests: 2 });
});

test("a name that is known already is not searched for", async () => {
  const known = new Map([[urn("urn:li:domain:2fb"), "Sales"]]);
  const problems = [unknown("urn:li:domain:sales", "Domain")];
  expect(await suggested(problems, known)).toMatchObject({ suggestions: ["2fb"], requests: 0 });
});

// What is referred to, and the id of what is suggested.
test.each<readonly [string, string | undefined]>([
  ["urn:li:tag:teir-1", "tier-1"],
  ["urn:li:tag:tier1", "tier-1"],
  ["urn:li:tag:tire-1", "tier-1"],
  ["urn:li:tag:tier-l", "tier-1"],
  ["urn:li:tag:iter-1", "tier-1"],
  ["urn:li:tag:gdpr", "GDPR"],
  ["urn:li:tag:GDRP", "GDPR"],
  ["urn:li:corpuser:alcie@acme.com", "alice@acme.com"],
  ["urn:li:corpuser:laice@acme.com", "alice@acme.com"],
  ["urn:li:corpuser:alice@amce.com", "alice@acme.com"],
  ["urn:li:ownershipType:data custodian", "7f1"],
  ["urn:li:tag:unheard-of", undefined],
  ["urn:li:tag:x", undefined],
])("for the absent reference %s there is %s, found by one search request", async (text, id) => {
  const { suggestions, searches } = await suggested([unknown(text)]);
  expect({ suggestions, searches }).toEqual({ suggestions: [id], searches: 1 });
});

const inUrn = (...values: readonly string[]): object => ({
  and: values.map((value) => ({ field: "urn", condition: "CONTAIN", values: [value] })),
});

// What a URN of the type contains that has a similar id: its beginning, its end with less of the beginning, or its end alone.
test.each<readonly [string, readonly object[]]>([
  ["tier-one", [inUrn("urn:li:tag:tie"), inUrn("urn:li:tag:t", "one"), inUrn("er-one")]],
  ["abc", [inUrn("urn:li:tag:a"), inUrn("urn:li:tag:", "c"), inUrn("bc")]],
  ["ab", [inUrn("urn:li:tag:a"), inUrn("urn:li:tag:", "b"), inUrn("b")]],
  ["x", [inUrn("urn:li:tag:x"), inUrn("urn:li:tag:", "x"), inUrn("x")]],
  [
    "Tier",
    [
      inUrn("urn:li:tag:T"),
      inUrn("urn:li:tag:", "r"),
      inUrn("ier"),
      inUrn("urn:li:tag:t"),
      inUrn("urn:li:tag:", "r"),
      inUrn("ier"),
    ],
  ],
])(
  "for the id %s what has most of it is searched, as it is written and in lower case",
  async (id, orFilters) => {
    const { last } = await suggested([unknown(`urn:li:tag:${id}`)]);
    expect(last).toMatchObject({ types: ["TAG"], count: 50, orFilters });
  },
);

test("assets, names and ids that are spelled wrong are looked up by one request, each by itself", async () => {
  const references = ["teir-1", "personal %28EU%29"].map((id) => unknown(`urn:li:tag:${id}`));
  const problems = [missing("db.sales.odrers"), ...references, missing("db.sales.oders")];
  const { suggestions, searches, last } = await suggested(problems);
  const orders = datasetNamed("db.sales.orders");
  expect(suggestions).toEqual([orders, "tier-1", "t-1", orders]);
  expect(searches).toBe(1);
  expect(last).toMatchObject({ types: ["TAG"] });
});

test("what is known by another name is not found by the one that the catalog has", async () => {
  const known = new Map([[urn("urn:li:tag:t-1"), "Private"]]);
  const { suggestions } = await suggested([unknown("urn:li:tag:Personal %28EU%29")], known);
  expect(suggestions).toEqual([undefined]);
});

test("all references with an id that is spelled wrong are looked up by one request more, whatever their number", async () => {
  const problems = Array.from({ length: 20 }, (_, index) => unknown(`urn:li:tag:xxx${index}`));
  const withOthers = [unknown("urn:li:corpuser:alcie@acme.com"), unknown("urn:li:tag:teir-1"), ...problems];
  const { suggestions, searches } = await suggested(withOthers);
  expect(suggestions.slice(0, 2)).toEqual(["alice@acme.com", "tier-1"]);
  expect(searches).toBe(3);
});

test("an id that the manifests have is suggested without a look at others", async () => {
  const problem = unknown("urn:li:tag:teir-1");
  const problems = [{ ...problem, args: { ...problem.args, suggestion: "tiers-1" } } as Problem];
  expect((await suggested(problems)).suggestions).toEqual(["tiers-1"]);
});

test("only the first 20 absent datasets, and the first 20 references, are looked up", async () => {
  const names = Array.from({ length: 30 }, (_, index) => index);
  const { requests, suggestions } = await suggested([
    ...names.map(() => missing("DB.SALES.ORDERS")),
    ...names.map((index) => unknown(`urn:li:tag:x${index}`)),
  ]);
  expect(requests).toBe(5);
  expect(suggestions.filter((each) => each !== undefined)).toHaveLength(30);
});
