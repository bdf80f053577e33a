import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { planErrors, reportErrors } from "../support/published-schemas.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import { liveAspects } from "../support/stories/live.ts";

const invoices = datasetNamed("invoices");
const stamp = `{ time: 0, actor: "urn:li:corpuser:bob" }`;

const live = `
tag: [pii, gold]
corpuser: [bob]
domain:
  finance:
    domainProperties: { name: Finance, customProperties: { cost_center: "4711", empty: "" }, created: ${stamp} }
    institutionalMemory: { elements: [{ url: "https://acme.com/a", description: A, createStamp: ${stamp}, settings: { showInAssetPreview: true } }] }
    displayProperties: { colorHex: "#123456" }
glossaryTerm:
  revenue:
    glossaryTermInfo: { name: Revenue, definition: "", termSource: INTERNAL, customProperties: { sla: "1d" }, rawSchema: "{}" }
dataset: { "snowflake,invoices": null }
dataProduct:
  markets:
    dataProductProperties: { name: Markets, customProperties: { tier: "1" }, assets: [{ destinationUrn: "${invoices}", created: ${stamp}, outputPort: true, properties: { a: b } }] }
    globalTags: { tags: [{ tag: "urn:li:tag:gold" }, { tag: "urn:li:tag:pii", context: "why" }] }
`;

const deleted: readonly (readonly [string, string])[] = [
  ["urn:li:domain:finance", "domainProperties"],
  ["urn:li:domain:finance", "institutionalMemory"],
  ["urn:li:domain:finance", "displayProperties"],
  ["urn:li:glossaryTerm:revenue", "glossaryTermInfo"],
  ["urn:li:dataProduct:markets", "dataProductProperties"],
  ["urn:li:dataProduct:markets", "globalTags"],
];

const declared = {
  "a.yaml": [
    "kind: Domain\nid: finance\n",
    "kind: GlossaryTerm\nid: revenue\n",
    "kind: DataProduct\nid: markets\n",
  ].join("---\n"),
  "t.yaml": "kind: Tag\nid: gold\n",
};

/** The name of the newest run. */
const runOf = ({ git }: Site): string => git("rev-parse", "--short", "refs/datahub-gitops/runs");

/** A site from whose manifests three definitions are deleted, which are still in the catalog. */
async function siteWithDeleted(writes: string): Promise<Site> {
  const site = await siteWith(declared, settingsWith(`writes: ${writes}`));
  await site.catalog.load(metadataFile(temporaryDirectory(), liveAspects(live)));
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/a.yaml": undefined });
  return site;
}

const found = (site: Site): readonly unknown[] =>
  deleted.map(([urn, name]) => [urn, name, lasting(site.aspect(urn, name))]);

/** An aspect without when and by whom it was written. */
function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !/^(?:created|lastModified|createStamp|attribution)$/.test(field))
      .map(([field, each]) => [field, lasting(each)]),
  );
}

test.each(["graphql", "conditional"])(
  "what manifests cannot express of deleted definitions is put back with them, and shown (writes: %s)",
  async (writes) => {
    const site = await siteWithDeleted(writes);
    const before = found(site);
    const pruned = await site.apply("--prune", "--max-deletes", "9", "--report", ".git/report.json");
    expect(pruned.code, pruned.stdout + pruned.stderr).toBe(0);
    expect(found(site).map((each) => (each as unknown[])[2])).toEqual(deleted.map(() => undefined));
    const report = JSON.parse(readFileSync(join(site.root, ".git/report.json"), "utf8")) as JsonObject;
    expect(reportErrors(report)).toBeNull();

    const rolled = ["rollback", ".git/report.json", "--out", ".git/plan.json"];
    const { stdout, code } = await site.run(rolled);

    expect(code, stdout).toBe(0);
    expect(planErrors(JSON.parse(readFileSync(join(site.root, ".git/plan.json"), "utf8")))).toBeNull();
    expect(stdout).toContain("customProperties");
    const applied = await site.run(["apply", ".git/plan.json"]);
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    expect(found(site)).toEqual(before);
    const again = await site.run(["rollback", ".git/report.json", "--auto-approve"]);
    expect(again.stdout, again.stderr).toContain("No changes.");
  },
);

test("of what is kept beside values nothing refers to what others deleted since, and more than a run keeps is named", async () => {
  const site = await siteWith(declared);
  const large = { name: "Revenue", definition: "", termSource: "INTERNAL", rawSchema: "x".repeat(100_001) };
  const world = [...liveAspects(live), ["urn:li:glossaryTerm:revenue", "glossaryTermInfo", large] as const];
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/a.yaml": undefined });
  expect(await site.apply("--prune", "--max-deletes", "9")).toMatchObject({ code: 0 });
  await site.edit('deleteTag(urn: "urn:li:tag:pii")');

  const { code, stderr } = await site.run(["rollback", runOf(site), "--auto-approve"]);

  expect(code, stderr).toBe(6);
  expect(stderr).toContain("is recreated, but only with the values that manifests can express");
  expect(stderr).toContain("it refers to `urn:li:tag:pii`, which no longer exists");
  expect(site.aspect("urn:li:dataProduct:markets", "globalTags")).toMatchObject({
    tags: [{ tag: "urn:li:tag:gold" }],
  });
  expect(site.aspect("urn:li:dataProduct:markets", "dataProductProperties")).toMatchObject({
    customProperties: { tier: "1" },
    assets: [{ destinationUrn: invoices, outputPort: true }],
  });
});

const others = `
tag: [pii, old]
corpuser: [bob]
dataset: { "snowflake,invoices": { globalTags: { tags: [{ tag: "urn:li:tag:old", context: "why" }] } } }
dataProduct:
  markets: { dataProductProperties: { name: Markets, assets: [{ destinationUrn: "${invoices}", created: ${stamp}, outputPort: true }] } }
`;

test.each(["graphql", "conditional"])(
  "elements that an apply removes are put back with all that was stored of them, and nothing but those (writes: %s)",
  async (writes) => {
    const site = await siteWith(
      {
        "m.yaml": "kind: DataProduct\nid: markets\nassets: []\n",
        "d.yaml": "kind: Dataset\nplatform: snowflake\nname: invoices\ntags: [pii]\n",
      },
      settingsWith(`writes: ${writes}`),
    );
    await site.catalog.load(metadataFile(temporaryDirectory(), liveAspects(others)));
    const aspects = (): readonly unknown[] =>
      [
        site.aspect("urn:li:dataProduct:markets", "dataProductProperties"),
        site.aspect(invoices, "globalTags"),
      ].map(lasting);
    const before = aspects();
    const applied = await site.apply("--max-removals", "100%", "--report", ".git/report.json");
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    const report: unknown = JSON.parse(readFileSync(join(site.root, ".git/report.json"), "utf8"));
    expect(reportErrors(report)).toBeNull();
    expect(report).toMatchObject({
      outcomes: expect.arrayContaining([
        expect.objectContaining({ stored: [{ destinationUrn: invoices, outputPort: true }] }),
      ]) as unknown,
    });

    const { code, stdout, stderr } = await site.run(["rollback", runOf(site), "--auto-approve"]);

    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain("Stored values that manifests cannot express are also restored: `assets`");
    expect(aspects()).toEqual(before);
  },
);
