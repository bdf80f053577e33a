import { describe, expect, test } from "vitest";
import type { CatalogPolicy } from "../../../src/model/catalog-policy.ts";
import {
  checkOf,
  conditionsOf,
  expressionFault,
  type Needs,
  needsOf,
  requirementsOf,
} from "../../../src/plan/policies/policy.ts";
import { where } from "../../support/assets.ts";
import { policyOf } from "./subjects.ts";

const onOwners = { facet: "owners", present: true } as const;
const columns: CatalogPolicy["columns"] = {
  conditions: [where("columns.tags", "pii")],
  exclusions: [[where("type", "INT")], [where("columns.description", "x")]],
  requirements: [{ facet: "columns.glossary_terms", present: true }],
};

describe("what must be read for a policy", () => {
  const nothing = { facets: [], columns: false, people: false, groups: false, declared: false };
  test.each<readonly [string, Partial<CatalogPolicy>, Partial<Record<keyof Needs, unknown>>]>([
    ["nothing", {}, {}],
    ["the facets of its requirements", { requirements: [onOwners] }, { facets: ["owners"] }],
    ["nothing of another kind", { kind: "Chart", requirements: [onOwners], columns }, {}],
    ["people", { requirements: [{ ...onOwners, active: true }] }, { facets: ["owners"], people: true }],
    [
      "facets that it matches by, and no key of rules",
      { conditions: [where("name", "x"), where("tags", "x")], exclusions: [[where("domain", "x")]] },
      { facets: ["tags", "domain"] },
    ],
    [
      "columns, with what they match by and what is required of them",
      { columns },
      { facets: ["columns.tags", "columns.description", "columns.glossary_terms"], columns: true },
    ],
    ["the facets of its check", { check: "'a' in asset.tags" }, { facets: ["tags"] }],
    ["whether it is declared", { check: "asset.declared" }, { declared: true }],
    [
      "columns of its check",
      { check: "asset.columns.all(c, c.description != '')" },
      { facets: ["description", "columns.description"], columns: true },
    ],
    ["owners, but not who they are", { check: "asset.owners.all(o, o.id != 'a')" }, { facets: ["owners"] }],
    ["who is active", { check: "asset.owners.all(o, o.active)" }, { facets: ["owners"], people: true }],
    [
      "in which groups they are",
      { check: "asset.owners.all(o, 'a' in o.groups)" },
      { facets: ["owners"], people: true, groups: true },
    ],
  ])("%s", (_, policy, needs) => {
    const { facets, ...others } = needsOf("Dataset", [policyOf("p", policy)], []);
    expect({ facets: [...facets], ...others }).toEqual({ ...nothing, ...needs });
  });

  test("all, where its check may use any field", () => {
    const policies = [policyOf("p", { kind: "Domain", check: "size([asset]) > 0" })];
    const { facets, ...others } = needsOf("Domain", policies, []);
    expect([...facets]).toEqual(["owners", "name", "description", "parent_domain"]);
    expect(others).toEqual({ columns: true, people: true, groups: true, declared: true });
  });

  test("of several policies together, with what their waivers match by", () => {
    const policies = [
      policyOf("p", { check: "asset.declared" }),
      policyOf("q", { requirements: [onOwners] }),
      policyOf("r", { check: "asset.columns.size() > 0" }),
    ];
    const { facets, ...others } = needsOf("Dataset", policies, [where("domain", "x"), where("urn", "x")]);
    expect([...facets]).toEqual(["domain", "owners"]);
    expect(others).toEqual({ columns: true, people: false, groups: false, declared: true });
  });
});

test("a policy requires something of the entity and of its columns", () => {
  const policy = policyOf("p", { requirements: [onOwners], columns });
  expect(requirementsOf(policy)).toEqual([onOwners, ...columns.requirements]);
  expect(requirementsOf({ ...policyOf("p"), requirements: [onOwners] })).toEqual([onOwners]);
});

test("the conditions of a policy are those of the entity and of its columns, with the exclusions of both", () => {
  const own = { conditions: [where("env", "PROD")], exclusions: [[where("name", "a"), where("name", "b")]] };
  const keys = ["env", "name", "name"];
  expect(conditionsOf(policyOf("p", own)).map(({ key }) => key)).toEqual(keys);
  expect(conditionsOf(policyOf("p", { ...own, columns })).map(({ key }) => key)).toEqual([
    ...keys,
    "columns.tags",
    "type",
    "columns.description",
  ]);
});

test("a check is faulty where its kind has no such field, and then it cannot be compiled", () => {
  expect(expressionFault("Dataset", "'a' in asset.tags")).toBeUndefined();
  expect(expressionFault("Domain", "'a' in asset.tags")).toMatchInlineSnapshot(`
    {
      "at": 13,
      "reason": "No such key: tags",
    }
  `);
  const faulty = { id: "p", kind: "Domain", check: "'a' in asset.tags" };
  expect(() => checkOf(faulty)).toThrow("the check of policy p is not a valid expression: No such key: tags");
  expect(checkOf({ id: "p", kind: "Domain" })).toBeUndefined();
});
