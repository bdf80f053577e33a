import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/policies.md"), "utf8");
const manifests = [...page.matchAll(/^```yaml\n(kind: .*?)^```/gms)]
  .map(([, text = ""]) => text)
  .filter((text) => !text.includes("kind: Waiver"));

const [alice, team] = ["urn:li:corpuser:alice", "urn:li:corpGroup:team"];
const [good, bad] = [datasetNamed("prod.good"), datasetNamed("prod.bad")];
const tags = (...ids: readonly string[]): object => ({
  tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })),
});
const owned = (...owners: readonly (readonly [string, string])[]): object => ({
  owners: owners.map(([owner, type]) => ({ owner, type })),
});
const columns = (...fields: readonly object[]): object => ({ editableSchemaFieldInfo: fields });

test("each policy of policies.md holds for one entity, and finds another", async () => {
  const site = await siteWith({ "policies.yaml": manifests.join("---\n") });
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [alice, "corpUserInfo", { active: true }],
      ["urn:li:corpuser:ben", "corpUserInfo", { active: false }],
      [team, "corpGroupInfo", { admins: [], members: [], groups: [] }],
      ["urn:li:domain:good", "domainProperties", { name: "Good" }],
      ["urn:li:domain:good", "ownership", owned([team, "TECHNICAL_OWNER"])],
      ["urn:li:domain:bad", "domainProperties", { name: "Bad" }],
      [
        "urn:li:dataProduct:good",
        "dataProductProperties",
        { name: "Good", assets: [{ destinationUrn: good }] },
      ],
      ["urn:li:dataProduct:bad", "dataProductProperties", { name: "Bad" }],
      [good, "ownership", owned([alice, "DATA_STEWARD"], [team, "TECHNICAL_OWNER"])],
      [good, "globalTags", tags("tier-1")],
      [good, "schemaMetadata", schemaWith("id", "email")],
      [good, "deprecation", { deprecated: true, note: "", actor: alice }],
      [good, "editableDatasetProperties", { description: "Use prod.better instead." }],
      [
        good,
        "editableSchemaMetadata",
        columns({ fieldPath: "email", description: "Of customers.", globalTags: tags("pii") }),
      ],
      [bad, "ownership", owned(["urn:li:corpuser:ben", "DATA_STEWARD"])],
      [bad, "globalTags", tags("tier-1", "old-2019")],
      [bad, "deprecation", { deprecated: true, note: "", actor: alice }],
      [bad, "schemaMetadata", schemaWith("email", "phone")],
      [bad, "editableSchemaMetadata", columns({ fieldPath: "phone", globalTags: tags("pii") })],
    ]),
  );

  const at = { env: { SOURCE_DATE_EPOCH: "1795824000" } };
  const { stdout } = await site.run(["check", "--live", "--format", "json"], at);
  const { policies } = JSON.parse(stdout) as {
    readonly policies: readonly Readonly<Record<string, unknown>>[];
  };

  expect(policies.length).toBe(10);
  for (const { id, matched, passes, existing, unknown } of policies)
    expect({ id, matched, passes, existing, unknown }).toMatchObject({
      matched: 2,
      passes: 1,
      existing: [expect.anything()],
      unknown: [],
    });
});
