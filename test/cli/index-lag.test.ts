import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { settingsWith, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

/** A server whose index shows nothing of what is written while a test runs. */
const late = { lag: 3600 };

const people = ["ada", "ben", "cy", "dot"]
  .map((id) => `{ kind: User, id: ${id}, display_name: ${id} }`)
  .join("\n---\n");

const join = (user: string): string =>
  `addGroupMembers(input: { groupUrn: "urn:li:corpGroup:data", userUrns: ["urn:li:corpuser:${user}"] })`;

const removed = { facet: "members", add: [], remove: ["urn:li:corpuser:ben"] };

test.each([
  ["declared", people, people],
  ["declared before", people, people.replace(/\{ kind: User, id: ben.*\n---\n/, "")],
  [
    "a member of another group",
    "{ kind: Group, id: other, members: [ben] }",
    "{ kind: Group, id: other, members: [ben] }",
  ],
  [
    "in the list of another group before",
    "{ kind: Group, id: other, members: [ben] }",
    "{ kind: Group, id: other, members: [] }",
  ],
])("a member that was added in the UI a moment ago is seen, of a user that is %s", async (_, before, now) => {
  const group = "{ kind: Group, id: data, members: [ada] }";
  const site = await siteWith({ "group.yaml": group, "more.yaml": before }, settingsWith(), late);
  await site.catalog.load(
    metadataFile(
      temporaryDirectory(),
      ["ada", "ben"].map((id): MadeAspect => [`urn:li:corpuser:${id}`, "corpUserInfo", { active: true }]),
    ),
  );
  expect((await site.apply()).code).toBe(0);
  site.commit({ "catalog/more.yaml": now });
  await site.edit(join("ben"));

  const whole = await site.planned();
  const part = await site.planned("--target", "urn:li:corpGroup:data");

  for (const { changes } of [whole, part])
    expect(changes.filter(({ urn }) => urn === "urn:li:corpGroup:data")).toMatchObject([removed]);
  expect((await site.apply()).code).toBe(0);
  expect((await site.plan()).stdout).toContain("No changes.");
});

const orders = datasetNamed("orders");

const everything = [
  "{ kind: Domain, id: corp, name: Corp }",
  "{ kind: Domain, id: finance, name: Finance, parent_domain: corp, owners: [{ group: data }] }",
  '{ kind: Tag, id: pii, name: PII, color_hex: "#C0392B" }',
  "{ kind: User, id: ada, display_name: Ada }",
  "{ kind: User, id: eve, display_name: Eve, groups: [stewards] }",
  "{ kind: User, id: ben, display_name: Ben, manager_urn: ada }",
  "{ kind: Group, id: data, display_name: Data, members: [ada, { id: cy, display_name: Cy }] }",
  "{ kind: Group, id: stewards, display_name: Stewards }",
  "{ kind: Dataset, platform: snowflake, name: orders, columns: { email: { tags: [pii] } } }",
  "{ kind: Rule, id: all, match: { kind: Dataset }, declare: { domain: finance, tags: [pii], owners: [{ user: ben }] } }",
].join("\n---\n");

test.each(["graphql", "conditional"])(
  "nothing that was applied depends on the index, with writes: %s",
  async (writes) => {
    const settings = settingsWith(`writes: ${writes}`);
    const site = await siteWith({ "all.yaml": everything }, settings, late);
    await site.catalog.load(
      metadataFile(temporaryDirectory(), [[orders, "schemaMetadata", schemaWith("email")]]),
    );

    const first = await site.apply();
    expect(first.code, first.stderr + first.stdout).toBe(0);
    expect((await site.plan()).stdout).toContain("No changes.");
    expect((await site.run(["drift"])).code).toBe(0);

    site.commit({ "catalog/all.yaml": everything.replace("Data, members: [ada,", "Data, members: [ben,") });
    expect((await site.apply()).code).toBe(0);
    expect((await site.plan()).stdout).toContain("No changes.");
  },
);
