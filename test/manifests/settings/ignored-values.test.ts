import { expect, test } from "vitest";
import { ignoredValues } from "../../../src/manifests/settings/ignored-values.ts";
import type { IgnoreRule } from "../../../src/model/settings.ts";
import { desiredOf, inOneFile } from "../../support/manifest-files.ts";
import { argOf } from "../../support/problem-args.ts";

const dataset = "urn:li:dataset:(urn:li:dataPlatform:x,a,PROD)";

const manifests = `kind: Dataset
platform: x
name: a
domain: finance
owners:
  - { user: alice }
  - { user: bot, type: DATA_STEWARD }
  - { user: bot }
tags: [pii, "dbt:a"]
columns:
  email: { tags: [pii] }
  name: { tags: ["dbt:b", pii] }
---
{ kind: User, id: robot, display_name: Robot, groups: [g, h] }
---
{ kind: Group, id: k, members: [carol, dan] }
---
{ kind: Domain, id: d, parent_domain: none, description: "made by\\na machine" }
`;

async function warningsFor(...rules: readonly Omit<IgnoreRule, "reason">[]) {
  const desired = await desiredOf(manifests);
  return ignoredValues(
    desired,
    rules.map((rule, index) => ({ ...rule, reason: `reason ${index}` })),
  );
}

// What is covered, the rule, the warnings as "line:column code".
const rows: readonly (readonly [string, Omit<IgnoreRule, "reason">, readonly string[]])[] = [
  ["a tag", { facet: "tags", value: "urn:li:tag:dbt:*" }, ["9:13 ignored-value"]],
  ["a tag of any facet", { value: "urn:li:tag:dbt:*" }, ["9:13 ignored-value", "12:18 ignored-value"]],
  [
    "a tag of a column",
    { facet: "columns.tags", value: "*pii" },
    ["11:19 ignored-value", "12:27 ignored-value"],
  ],
  ["an owner in every role", { value: "*:bot" }, ["7:5 ignored-value", "8:5 ignored-value"]],
  ["an ownership type", { value: "*data_steward" }, ["7:5 ignored-value"]],
  ["a domain", { value: "urn:li:domain:finance" }, ["4:9 ignored-value"]],
  ["a text", { facet: "description", value: "made*machine" }, ["18:45 ignored-value"]],
  ["a facet of all", { urn: "*", facet: "tags" }, ["9:1 ignored-facet"]],
  ["a facet of columns", { urn: "*", facet: "columns.tags" }, ["11:3 ignored-facet"]],
  ["a facet that is unset", { urn: "*", facet: "parent_domain" }, ["18:24 ignored-facet"]],
  ["an unset value, by a pattern", { facet: "parent_domain", value: "*" }, []],
  ["an entity", { urn: dataset }, ["3:1 ignored-entity"]],
  ["a member", { facet: "members", value: "*:dan" }, ["16:40 ignored-value"]],
  ["a membership from the user's side", { value: "*:robot" }, ["14:56 ignored-value", "14:59 ignored-value"]],
  ["one membership of two", { urn: "*:h", facet: "members" }, ["14:59 ignored-value"]],
  ["a user as a whole", { urn: "*:robot" }, ["14:3 ignored-entity"]],
  ["what nobody declares", { urn: "*:nobody" }, []],
];

test.each(rows)("%s that a rule covers is warned of at its place", async (_, rule, expected) => {
  expect(inOneFile(await warningsFor(rule))).toEqual(expected);
});

test("a warning names the rule's place, its reason and the value", async () => {
  const origin = { file: "catalog/datahub-gitops.yaml", line: 3, column: 5 };

  const [warning] = await warningsFor({ facet: "columns.tags", value: "*dbt:b", origin });

  expect(warning).toEqual({
    code: "ignored-value",
    severity: "warning",
    args: {
      urn: dataset,
      facet: "columns.tags",
      column: "name",
      value: "urn:li:tag:dbt:b",
      reason: "reason 0",
    },
    origin: { file: "catalog/a.yaml", line: 12, column: 18 },
    related: origin,
  });
});

test("an entity that is left alone as a whole is warned of once", async () => {
  const warnings = await warningsFor({ value: "*" }, { urn: dataset }, { urn: "*", facet: "tags" });

  const ofDataset = warnings.filter((warning) => argOf(warning, "urn") === dataset);
  expect(ofDataset.map(({ code }) => code)).toEqual(["ignored-entity"]);
});

test("without rules nothing is warned of", async () => {
  expect(await warningsFor()).toEqual([]);
});
