import { policyOf } from "../../plan/policies/subjects.ts";
import { expect, test } from "vitest";
import { kindOf } from "../../../src/kinds/index.ts";
import type { CatalogPolicy } from "../../../src/model/catalog-policy.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { evaluateCatalog } from "../../../src/sync/policies/evaluate-policies.ts";
import { where } from "../../support/assets.ts";
import { urn } from "../../support/states.ts";
import {
  at,
  change,
  clicks,
  columns,
  fresh,
  gone,
  hasDomain,
  isDescribed,
  isOwned,
  judge,
  noTags,
  nothingDeclared,
  ofDomain,
  ofSet,
  orders,
  pii,
  readerOfWorld,
  sales,
  summary,
  team,
} from "./world.ts";

test("what a plan takes away and gives is judged as it is and as it will be, at the change of the facet that is named", async () => {
  const changes = [
    ofSet(orders, { facet: "owners" }),
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
    tagsOf("email", { remove: [pii], source: at(1) }),
    tagsOf("id", { add: [pii], source: at(2) }),
  ];
  expect(await judge({ changes }, [columns])).toEqual({ columns: { passes: 1, fixed: [`${orders} email`] } });
  const ofAll = policyOf("columns", {
    columns: { conditions: [], exclusions: [], requirements: [noTags] },
  });
  expect(await judge({ changes }, [ofAll])).toEqual({
    columns: { passes: 1, introduced: [`${orders} id line 2`], fixed: [`${orders} email`] },
  });
});

test("owners are judged as the plan leaves them", async () => {
  const owner = { owner: team, type: urn("urn:li:ownershipType:__system__none") };
  const changes = [ofSet(orders, { facet: "owners", add: [owner] }), ofSet(clicks, { facet: "owners" })];
  expect(await judge({ changes }, [isOwned])).toEqual({
    owned: { passes: 1, fixed: [orders], existing: [clicks] },
  });
  const deletion = change(team, "Group", { action: "delete", shape: "entity" });
  expect(await judge({ changes, others: [deletion] }, [isOwned])).toEqual({
    owned: { passes: 0, existing: [clicks, orders] },
  });
});

test("an owner who is missing counts where another shard creates it", async () => {
  const coming = urn("urn:li:corpuser:coming");
  const owner = { owner: coming, type: urn("urn:li:ownershipType:__system__none") };
  const changes = [ofSet(clicks, { facet: "owners", add: [owner] })];
  expect(await judge({ changes }, [isOwned])).toEqual({ owned: { passes: 0, existing: [clicks] } });
  const creation = change(coming, "User", { action: "create", shape: "entity" });
  expect(await judge({ changes, others: [creation] }, [isOwned])).toEqual({
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
    "that is changed and deleted is judged as it is",
    [
      change(pii, "Tag", { shape: "scalar", facet: "description", before: null, after: "d" }),
      change(pii, "Tag", { action: "delete", shape: "entity" }),
    ],
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
    policies: [policyOf("domain", { requirements: [{ facet: "owners", min: 1 }] }), isOwned],
    waivers: [],
  };
  const owner = { owner: team, type: urn("urn:li:ownershipType:__system__none") };
  const changes = [ofDomain(clicks, sales), ofSet(clicks, { facet: "owners", add: [owner] })];
  expect(await judge({ changes }, [hasDomain], base)).toEqual({ domain: { passes: 1, fixed: [clicks] } });
});

test("a policy of base is judged by what it asks itself", async () => {
  const owned = { requirements: [{ facet: "owners", min: 1 }] };
  const untagged = policyOf("p", { requirements: [{ facet: "tags", present: false }] });
  const base = { policies: [policyOf("p", owned)], waivers: [] };
  const changes = [ofDomain(orders, null), ofDomain(clicks, sales)];
  expect(await judge({ changes }, [untagged], base)).toEqual({ p: { passes: 2, fixed: [clicks] } });
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
  expect(summary(await evaluateCatalog({ reader, pages }, { changes }, given, {}))).toEqual({
    columns: { passes: 1, fixed: [`${orders} email`] },
    domain: { passes: 2, introduced: [fresh], fixed: [clicks] },
  });
  expect(asked).toEqual([kindOf("Dataset").name]);
});

test("a violation is at the change of what the policy matches by, requires or checks", async () => {
  const tagless = policyOf("tagless", {
    conditions: [where("tags", "pii")],
    requirements: [{ facet: "glossary_terms", present: true }],
  });
  const tag = ofSet(clicks, { facet: "tags", add: [pii], source: at(3) });
  const others = [ofSet(clicks, { facet: "links" }), ofDomain(clicks, sales, 2)];
  const introducedAt = async (changes: readonly Change[], by: CatalogPolicy): Promise<object> =>
    await judge({ changes }, [by]);
  expect(await introducedAt([...others, tag], tagless)).toEqual({
    tagless: { passes: 0, introduced: [`${clicks} line 3`] },
  });
  const untagged = policyOf("untagged", { check: "asset.tags.size() == 0" });
  expect(await introducedAt([...others, tag], untagged)).toEqual({
    untagged: { passes: 0, introduced: [`${clicks} line 3`] },
  });
});
