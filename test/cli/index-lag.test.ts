import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { settingsWith, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

/** A server whose index shows nothing of what is written while a test runs. */
const late = { lag: 3600 };

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

// What is read of members beside the index is in `test/sync/read/memberships.test.ts`.
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
    if (writes === "conditional") {
      expect(await site.run(["drift"])).toMatchObject({ code: 0 });
      return;
    }
    site.commit({ "catalog/all.yaml": everything.replace("Data, members: [ada,", "Data, members: [ben,") });
    expect((await site.apply()).code).toBe(0);
    expect((await site.plan()).stdout).toContain("No changes.");
  },
);
