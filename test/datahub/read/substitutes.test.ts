import { expect, test } from "vitest";
import { createReader } from "../../../src/datahub/client/client.ts";
import { connectionTo } from "../../../src/datahub/client/connection.ts";
import { readSubstitutes } from "../../../src/datahub/read/substitutes.ts";
import type { Problem } from "../../../src/model/problem.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { withSuggestions } from "../../../src/plan/checks/suggestions.ts";
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
];

interface Suggested {
  readonly suggestions: readonly unknown[];
  readonly requests: number;
}

async function suggested(
  problems: readonly Problem[],
  known: ReadonlyMap<Urn, string> = new Map(),
): Promise<Suggested> {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world));
  const before = catalog.requests.length;
  const reader = createReader(connectionTo(catalog.url));
  const found = withSuggestions({ problems }, await readSubstitutes(reader, problems, known));
  return {
    suggestions: found.problems.map((problem) => argOf(problem, "suggestion")),
    requests: catalog.requests.length - before,
  };
}

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
  ["db.sales.carts", undefined],
  ["b", undefined],
])("for the absent dataset %s there is %s", async (name, other) => {
  const { suggestions, requests } = await suggested([missing(name)]);
  expect(suggestions).toEqual([other === undefined ? undefined : datasetNamed(other)]);
  expect(requests).toBe(1);
});

test("a tag is found by its display name, whatever the case and the characters, and no other by a part of it", async () => {
  const problems = [unknown("urn:li:tag:personal %28EU%29"), unknown("urn:li:tag:Personal")];
  expect(await suggested(problems)).toEqual({ suggestions: ["t-1", undefined], requests: 2 });
});

test("a name that is known already is not searched for", async () => {
  const known = new Map([[urn("urn:li:domain:2fb"), "Sales"]]);
  const problems = [unknown("urn:li:domain:sales", "Domain"), unknown("urn:li:ownershipType:x", "type")];
  expect(await suggested(problems, known)).toEqual({ suggestions: ["2fb", undefined], requests: 0 });
});

test("only the first 20 absent datasets, and the first 20 references, are looked up", async () => {
  const names = Array.from({ length: 30 }, (_, index) => index);
  const { requests, suggestions } = await suggested([
    ...names.map(() => missing("DB.SALES.ORDERS")),
    ...names.map((index) => unknown(`urn:li:tag:x${index}`)),
  ]);
  expect(requests).toBe(4);
  expect(suggestions.filter((each) => each !== undefined)).toHaveLength(30);
});
