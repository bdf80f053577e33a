import { expect, test } from "vitest";
import { createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { kindOf } from "../../../src/kinds/index.ts";
import type { CatalogPolicy, Policies } from "../../../src/model/catalog-policy.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { ignoring } from "../../../src/plan/adopt/ignore.ts";
import type { PolicyResult } from "../../../src/plan/judge/judge-policies.ts";
import { judgeCatalog, judgeChanges, type ToJudge } from "../../../src/run/policies/judge-changes.ts";
import { where } from "../../support/assets.ts";
import { metadataFile, startTestCatalog, temporaryDirectory } from "../../support/catalog.ts";
import { schemaWith } from "../../support/schema.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const origin = { file: "policies.yaml", line: 1, column: 1 };
const [orders, clicks, fresh] = ["orders", "clicks", "fresh"].map(datasetNamed) as [Urn, Urn, Urn];
const [pii, gone, sales] = ["tag:pii", "tag:gone", "domain:sales"].map((id) => urn(`urn:li:${id}`)) as [
  Urn,
  Urn,
  Urn,
];
const [alice, team] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpGroup:team")];

const owners = (...of: readonly Urn[]): object => ({
  owners: of.map((owner) => ({ owner, type: "NONE" })),
  lastModified: { time: 0, actor: alice },
});
const tagged = { tags: [{ tag: pii }] };
const inColumn = { fieldPath: "email", globalTags: tagged };

/** Orders have a domain, owners and a tag at a column; clicks have nothing. A tag is removed, and a user suspended. */
async function readerOfWorld(): Promise<Reader> {
  const catalog = await startTestCatalog();
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      [orders, "schemaMetadata", schemaWith("id", "email")],
      [orders, "editableSchemaMetadata", { editableSchemaFieldInfo: [inColumn] }],
      [orders, "domains", { domains: [sales] }],
      [orders, "ownership", owners(alice)],
      [clicks, "schemaMetadata", schemaWith("id")],
      [pii, "tagProperties", { name: "pii" }],
      [gone, "tagProperties", { name: "gone", description: "d" }],
      [gone, "status", { removed: true }],
      [sales, "domainProperties", { name: "sales" }],
      [alice, "corpUserInfo", { active: false }],
      [team, "corpGroupInfo", { displayName: "team", admins: [], members: [], groups: [] }],
    ]),
  );
  return createReader(connectionTo(catalog.url));
}

const policy = (id: string, more: Partial<CatalogPolicy>): CatalogPolicy => ({
  id,
  severity: "error",
  kind: "Dataset",
  conditions: [],
  exclusions: [],
  requirements: [],
  failOn: "introduced",
  origin,
  ...more,
});
const hasDomain = policy("domain", { requirements: [{ facet: "domain", present: true }] });
const isOwned = policy("owned", { requirements: [{ facet: "owners", active: true, min: 1 }] });
const noTags = { facet: "columns.tags", present: false };
const columns = policy("columns", {
  columns: {
    conditions: [where("name", "email")],
    exclusions: [],
    requirements: [{ facet: "columns.tags", noneOf: ["pii"] }],
  },
});
const isDescribed = policy("described", {
  kind: "Tag",
  requirements: [{ facet: "description", present: true }],
});

const nothingDeclared = {
  declaring: { state: new Map(), rules: [], exempt: new Map(), ignored: ignoring([]) },
  day: "2026-11-24",
};

const at = (line: number): Change["source"] => ({ file: "orders.yaml", line, column: 3 });
const change = (of: Urn, kind: string, more: object): Change =>
  ({ action: "update", kind, urn: of, fingerprint: "", ...more }) as Change;
const ofDomain = (of: Urn, after: Urn | null, line = 1): Change =>
  change(of, "Dataset", { shape: "scalar", facet: "domain", before: null, after, source: at(line) });
const ofSet = (of: Urn, more: object): Change =>
  change(of, "Dataset", { shape: "set", add: [], remove: [], ...more });

/** What does not pass, and how many pass, of each policy. */
function summary(results: readonly PolicyResult[]): object {
  const places = (all: readonly { urn: Urn; column?: string; source?: object }[]): readonly string[] =>
    all.map(({ urn: of, column, source }) =>
      [of, column, source && `line ${(source as { line: number }).line}`]
        .filter((part) => part !== undefined)
        .join(" "),
    );
  return Object.fromEntries(
    results.map(({ policy: { id }, passes, introduced, fixed, existing, unknown }) => {
      const all = { introduced, fixed, existing, unknown };
      const found = Object.entries(all).flatMap(([name, each]) =>
        each.length > 0 ? [[name, places(each)]] : [],
      );
      return [id, { passes, ...Object.fromEntries(found) }];
    }),
  );
}

async function judge(toJudge: ToJudge, policies: readonly CatalogPolicy[], base?: Policies): Promise<object> {
  const given = { ...nothingDeclared, policies, waivers: [], base };
  return summary(await judgeChanges(await readerOfWorld(), toJudge, given, {}));
}

test("what a plan takes away and gives is judged as it is and as it will be, at the change of the facet that is named", async () => {
  const changes = [
    ofSet(orders, { facet: "tags", source: at(8) }),
    ofDomain(orders, null, 9),
    ofDomain(clicks, sales),
    change(pii, "Tag", { shape: "scalar", facet: "name", before: "pii", after: "p", source: at(1) }),
  ];
  expect(await judge({ changes }, [hasDomain, isDescribed])).toEqual({
    domain: { passes: 1, introduced: [`${orders} line 9`], fixed: [clicks] },
    described: { passes: 0, existing: [pii] },
  });
});

test("a column is judged by itself, at the change of it where there is one", async () => {
  const tagsOf = (path: string, more: object): Change =>
    ofSet(orders, { facet: "columns.tags", path: [path], ...more });
  const changes = [
    tagsOf("id", { add: [pii], source: at(1) }),
    tagsOf("email", { remove: [pii], source: at(2) }),
  ];
  expect(await judge({ changes }, [columns])).toEqual({ columns: { passes: 1, fixed: [`${orders} email`] } });
  const ofAll = policy("columns", {
    columns: { conditions: [], exclusions: [], requirements: [noTags] },
  });
  expect(await judge({ changes }, [ofAll])).toEqual({
    columns: { passes: 1, introduced: [`${orders} id line 1`], fixed: [`${orders} email`] },
  });
});

test("owners are judged as the plan leaves them", async () => {
  const owner = { owner: team, type: urn("urn:li:ownershipType:__system__none") };
  const changes = [ofSet(orders, { facet: "owners", add: [owner] }), ofSet(clicks, { facet: "owners" })];
  expect(await judge({ changes }, [isOwned])).toEqual({
    owned: { passes: 1, fixed: [orders], existing: [clicks] },
  });
  const deletion = change(team, "Group", { action: "delete", shape: "entity" });
  expect(await judge({ changes, deletions: [deletion] }, [isOwned])).toEqual({
    owned: { passes: 0, existing: [clicks, orders] },
  });
});

test("an owner who is missing counts where another shard creates it", async () => {
  const coming = urn("urn:li:corpuser:coming");
  const owner = { owner: coming, type: urn("urn:li:ownershipType:__system__none") };
  const changes = [ofSet(clicks, { facet: "owners", add: [owner] })];
  expect(await judge({ changes }, [isOwned])).toEqual({ owned: { passes: 0, existing: [clicks] } });
  expect(await judge({ changes, isComing: (of) => of === coming }, [isOwned])).toEqual({
    owned: { passes: 1, fixed: [clicks] },
  });
});

test.each<readonly [string, readonly Change[], object]>([
  [
    "that is created is judged as it will be",
    [
      change(urn("urn:li:tag:new"), "Tag", { action: "create", shape: "entity", source: at(4) }),
      change(urn("urn:li:tag:new"), "Tag", { shape: "scalar", facet: "name", before: null, after: "n" }),
    ],
    { passes: 0, introduced: ["urn:li:tag:new line 4"] },
  ],
  [
    "that is deleted is judged as it is",
    [change(pii, "Tag", { action: "delete", shape: "entity" })],
    { passes: 0, fixed: [pii] },
  ],
  [
    "that is soft-deleted and stays so is not judged",
    [change(gone, "Tag", { shape: "scalar", facet: "name", before: "gone", after: "g" })],
    { passes: 0 },
  ],
  [
    "that is restored is judged as it will be",
    [change(gone, "Tag", { shape: "scalar", facet: "removed", before: true, after: false })],
    { passes: 1 },
  ],
  [
    "that is not there is not judged",
    [change(urn("urn:li:tag:none"), "Tag", { shape: "scalar", facet: "name" })],
    { passes: 0 },
  ],
])("a definition %s", async (_, changes, expected) => {
  expect(await judge({ changes }, [isDescribed])).toEqual({ described: expected });
});

test("what violates the policy of base is fixed, and a policy that only base has is not judged by", async () => {
  const base = {
    policies: [policy("domain", { requirements: [{ facet: "owners", min: 1 }] }), isOwned],
    waivers: [],
  };
  const owner = { owner: team, type: urn("urn:li:ownershipType:__system__none") };
  const changes = [ofDomain(clicks, sales), ofSet(clicks, { facet: "owners", add: [owner] })];
  expect(await judge({ changes }, [hasDomain], base)).toEqual({ domain: { passes: 1, fixed: [clicks] } });
});

test("what conflicts hold back is not judged", async () => {
  const conflict = { base: null, live: null, desired: sales, winner: "live" };
  const changes = [{ ...ofDomain(clicks, sales), conflict } as Change, ofDomain(orders, null)];
  expect(await judge({ changes }, [hasDomain])).toEqual({
    domain: { passes: 0, introduced: [`${orders} line 1`] },
  });
});

test("a whole catalog is judged page by page, with what is created, and no entity of another kind", async () => {
  const reader = await readerOfWorld();
  const changes = [
    ofDomain(clicks, sales),
    change(fresh, "Dataset", { action: "create", shape: "entity" }),
    change(pii, "Tag", { action: "delete", shape: "entity" }),
  ];
  const asked: string[] = [];
  const pages = ({ name }: { readonly name: string }): readonly (readonly Urn[])[] => {
    asked.push(name);
    return [[orders], [clicks]];
  };
  const given = { ...nothingDeclared, policies: [hasDomain, columns], waivers: [] };
  expect(summary(await judgeCatalog({ reader, pages }, { changes }, given, {}))).toEqual({
    columns: { passes: 0, existing: [`${orders} email`] },
    domain: { passes: 2, introduced: [fresh], fixed: [clicks] },
  });
  expect(asked).toEqual([kindOf("Dataset").name]);
});

test("what was read before is not read again", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), [[pii, "tagProperties", { name: "pii" }]]));
  const reader = createReader(connectionTo(catalog.url));
  const known = new Map([
    [pii, { urn: pii, kind: "Tag", facets: new Map([["description", { shape: "scalar", value: "d" }]]) }],
  ]) as NonNullable<ToJudge["known"]>;
  const changes = [change(pii, "Tag", { shape: "scalar", facet: "name", before: "pii", after: "p" })];
  const given = { ...nothingDeclared, policies: [isDescribed], waivers: [] };
  const before = catalog.requests.length;
  expect(summary(await judgeChanges(reader, { changes, known }, given, {}))).toEqual({
    described: { passes: 1 },
  });
  expect(catalog.requests.length).toBe(before);
});
