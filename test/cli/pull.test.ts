import { readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { withFiles } from "../support/manifest-files.ts";
import { schemaWith } from "../support/schema.ts";
import { settingsWith, type Site, siteOnce, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const definitions = `# What we have.
kind: Domain
id: finance
name: Finance # shown in the UI
description: |
  Ledgers.
  Invoices.
---
{ kind: Domain, id: growth, name: Growth, description: none }
---
- kind: Tag
  id: pii
  name: PII
- kind: Tag
  id: tier-1
  name: 'Tier 1'
  color_hex: "#C0392B"
---
kind: User
id: bob
display_name: Bob
`;

const people = `kind: User
id: alice
display_name: Alice
groups: [data]
---
kind: Group
id: data
members: # all of them
  - alice
  - { id: carol, title: Analyst } # new
owners: [alice]
---
kind: Group
id: open
display_name: Open
`;

const assets = `kind: Dataset
platform: snowflake
name: a
domain: finance
tags: [pii] # reviewed
owners:
  # who answers
  - { user: alice } # first
  - { user: bob, type: DATA_STEWARD }
columns:
  email: { tags: [] }
  # never shown
  id:
    tags:
      - tier-1 # why
`;

const files = { "definitions.yaml": definitions, "people.yaml": people, "sub/assets.yaml": assets };

const dataset = datasetNamed("a");

async function makeSiteInSync(): Promise<Site> {
  const site = await siteWith(files);
  const aspects = [[dataset, "schemaMetadata", schemaWith("id", "email")]] as const;
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  expect(await site.apply()).toMatchObject({ code: 0 });
  return site;
}

/** A site whose manifests are applied. */
const siteInSync = siteOnce(makeSiteInSync);

const textOf = (site: Site, name: string): string => readFileSync(join(site.root, "catalog", name), "utf8");

async function edits(site: Site): Promise<void> {
  const column = `resourceUrn: "${dataset}", subResourceType: DATASET_FIELD`;
  await site.edit(`setDomain(entityUrn: "${dataset}", domainUrn: "urn:li:domain:growth")`);
  await site.edit(`addTag(input: { resourceUrn: "${dataset}", tagUrn: "urn:li:tag:tier-1" })`);
  await site.edit(`removeTag(input: { ${column}, subResource: "id", tagUrn: "urn:li:tag:tier-1" })`);
  await site.edit(`addTag(input: { ${column}, subResource: "email", tagUrn: "urn:li:tag:pii" })`);
  await site.edit(
    `batchRemoveOwners(input: { ownerUrns: ["urn:li:corpuser:alice"], ownershipTypeUrn: "urn:li:ownershipType:__system__technical_owner", resources: [{ resourceUrn: "${dataset}" }] })`,
  );
  await site.edit(
    `addOwner(input: { resourceUrn: "${dataset}", ownerUrn: "urn:li:corpGroup:open", ownerEntityType: CORP_GROUP, type: BUSINESS_OWNER })`,
  );
  await site.edit(
    'updateDescription(input: { resourceUrn: "urn:li:domain:finance", description: "Ledgers.\\nPayments.\\n" })',
  );
  await site.edit(
    'updateDescription(input: { resourceUrn: "urn:li:domain:growth", description: "More: all, of it" })',
  );
  await site.edit('setTagColor(urn: "urn:li:tag:tier-1", colorHex: "#000000")');
  await site.edit(
    'removeGroupMembers(input: { groupUrn: "urn:li:corpGroup:data", userUrns: ["urn:li:corpuser:alice"] })',
  );
  await site.edit(
    'addGroupMembers(input: { groupUrn: "urn:li:corpGroup:data", userUrns: ["urn:li:corpuser:bob"] })',
  );
  await site.edit(
    'addGroupMembers(input: { groupUrn: "urn:li:corpGroup:open", userUrns: ["urn:li:corpuser:alice"] })',
  );
}

test("what people did in the UI is pulled with comments and order kept, and the plan is empty then", async () => {
  const site = await siteInSync();
  await edits(site);
  const writes = writesIn(site.catalog).length;
  const before = site.catalog.aspects();

  const dry = await site.run(["pull", "--dry-run"]);
  expect(dry).toMatchObject({ code: 0, stderr: "10 changes to pull into 3 files.\n" });
  await expect(dry.stdout).toMatchFileSnapshot("expected/pull.diff");
  expect(textOf(site, "people.yaml")).toBe(people);

  expect(await site.run(["pull"])).toEqual({
    code: 0,
    stdout: "catalog/definitions.yaml\ncatalog/people.yaml\ncatalog/sub/assets.yaml\n",
    stderr: "10 changes pulled into 3 files.\n",
  });
  expect(await site.plan("--detailed-exitcode")).toMatchObject({ code: 0 });
  expect(site.catalog.aspects()).toEqual(before);
  expect(writesIn(site.catalog)).toHaveLength(writes);
});

test("the name beside a value is pulled with it", async () => {
  const text = "kind: Dataset\nplatform: snowflake\nname: a\ndomain: d1 # Ledgers\n";
  const site = await siteWith({ "a.yaml": text }, "version: 1\n");
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:domain:d1", "domainProperties", { name: "Ledgers" }],
      ["urn:li:domain:d2", "domainProperties", { name: "Payments" }],
      [dataset, "domains", { domains: ["urn:li:domain:d2"] }],
    ]),
  );

  expect(await site.run(["pull"])).toMatchObject({ code: 0, stdout: "catalog/a.yaml\n" });
  expect(textOf(site, "a.yaml")).toBe(text.replace("d1 # Ledgers", "d2 # Payments"));
});

test("on an unchanged catalog no byte and no time of a file changes", async () => {
  const site = await siteInSync();
  const names = Object.keys(files).map((name) => join(site.root, "catalog", name));
  const past = new Date(1_000_000_000_000);
  for (const name of names) utimesSync(name, past, past);

  expect(await site.run(["pull"])).toEqual({ code: 0, stdout: "", stderr: "Nothing to pull.\n" });

  expect(names.map((name) => readFileSync(name, "utf8"))).toEqual(Object.values(files));
  expect(names.map((name) => statSync(name).mtimeMs)).toEqual(names.map(() => past.getTime()));
});

test("--target and --facet choose what is pulled", async () => {
  const site = await siteInSync();
  await edits(site);

  const facet = await site.run(["pull", "--facet", "domain", "--facet", "groups"]);
  expect(facet).toMatchObject({ code: 0, stdout: "catalog/people.yaml\ncatalog/sub/assets.yaml\n" });
  expect(textOf(site, "sub/assets.yaml")).toBe(assets.replace("domain: finance", "domain: growth"));

  const target = await site.run(["pull", "--target", "urn:li:tag:*"]);
  expect(target).toMatchObject({ code: 0, stdout: "catalog/definitions.yaml\n" });
  expect(textOf(site, "definitions.yaml")).toBe(definitions.replace("#C0392B", "#000000"));
});

test.each([
  [["--facet", "tag"], "Did you mean tags?"],
  [["--facet", "removed"], "It must be one of domain, "],
  [["--target", "urn:li:tag:none"], "no declared entity matches --target urn:li:tag:none"],
])("pull %j is refused as wrong usage", async (flags, message) => {
  const argv = ["pull", ...flags, "--server", "http://127.0.0.1:1"];
  const { code, stdout, stderr } = await withFiles({ "catalog/a.yaml": "kind: Tag\nid: a\n" }, (cwd) =>
    runCli(argv, { cwd }),
  );
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toContain(message);
});

test("what the catalog does not have, or a manifest cannot say, is named and left, and the rest is pulled", async () => {
  const site = await siteInSync();
  await site.edit('deleteTag(urn: "urn:li:tag:pii")');
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [["urn:li:tag:tier-1", "status", { removed: true }]]),
  );
  const gone = `kind: Dataset\nplatform: snowflake\nname: gone\ntags: [tier-1]\n`;
  // A user that is not there yet stays in the group that writes it out.
  const text = people.replace("carol", "dora");
  site.commit({ "catalog/gone.yaml": gone, "catalog/people.yaml": text });

  const { code, stdout, stderr } = await site.run(["pull"]);

  expect({ code, stdout }).toEqual({ code: 6, stdout: "catalog/people.yaml\ncatalog/sub/assets.yaml\n" });
  expect(stderr).toContain(
    "catalog/definitions.yaml:13:3: not pulled: Tag urn:li:tag:pii: it is not in the catalog",
  );
  expect(stderr).toContain("not pulled: Tag urn:li:tag:tier-1: removed: a manifest cannot express this");
  expect(stderr).toContain("not pulled: User urn:li:corpuser:dora: it is not in the catalog");
  expect(stderr).toContain("gone");
  expect(textOf(site, "sub/assets.yaml")).toBe(assets.replace("[pii]", "[]"));
  expect(textOf(site, "people.yaml")).toBe(text.replace("# new\n", "# new\n  - carol\n"));
  expect(textOf(site, "gone.yaml")).toBe(gone);
});

test("a value that an alias repeats is named and left", async () => {
  const text =
    "- &c\n  kind: Tag\n  id: c\n  description: d\n- { <<: *c, id: e }\n- { kind: Tag, id: f, description: &n F }\n- { kind: Tag, id: g, description: *n }\n";
  const site = await siteWith({ "c.yaml": text }, "version: 1\n");
  const tags = ["c", "e", "f", "g"].map(
    (id) => [`urn:li:tag:${id}`, "tagProperties", { name: id, description: id === "c" ? "d" : "x" }] as const,
  );
  await site.catalog.load(metadataFile(temporaryDirectory(), tags));

  expect(await site.run(["pull"])).toEqual({
    code: 6,
    stdout: "",
    stderr: [
      "catalog/c.yaml:4:3: not pulled: Tag urn:li:tag:e: description: the value comes from a merge key (`<<`); edit it by hand",
      "catalog/c.yaml:6:23: not pulled: Tag urn:li:tag:f: description: the value cannot be changed without changing another value; edit it by hand",
      "catalog/c.yaml:7:23: not pulled: Tag urn:li:tag:g: description: the value is repeated with an alias (`*`); edit it by hand",
      "3 changes not pulled.",
      "",
    ].join("\n"),
  });
  expect(textOf(site, "c.yaml")).toBe(text);
});

test("what others put there stays unmanaged under merge, and the live value of a conflict is pulled", async () => {
  const site = await siteInSync();
  await edits(site);
  await site.edit(`removeTag(input: { resourceUrn: "${dataset}", tagUrn: "urn:li:tag:pii" })`);
  site.commit({
    "catalog/datahub-gitops.yaml": settingsWith(
      "manage: { tags: merge, description: merge, columns.tags: merge }",
    ),
    "catalog/definitions.yaml": definitions.replace("Invoices", "Mine"),
  });

  expect(await site.run(["pull"])).toMatchObject({ code: 0 });

  expect(textOf(site, "sub/assets.yaml")).toContain("tags: [] # reviewed\n");
  expect(textOf(site, "sub/assets.yaml")).toContain("email: { tags: [] }\n");
  expect(textOf(site, "definitions.yaml")).toContain("  Ledgers.\n  Payments.\n");
});

test("the mode of a file stays, and a link to it stays a link", async () => {
  const site = await siteWith({});
  writeFileSync(join(site.root, "tags.txt"), "kind: Tag\nid: a\ndescription: A\n", { mode: 0o664 });
  symlinkSync("../tags.txt", join(site.root, "catalog/a.yaml"));
  const aspects = [["urn:li:tag:a", "tagProperties", { name: "a", description: "B" }]] as const;
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  const { mode } = statSync(join(site.root, "tags.txt"));

  expect(await site.run(["pull"])).toMatchObject({ code: 0, stdout: "catalog/a.yaml\n" });

  expect(readFileSync(join(site.root, "tags.txt"), "utf8")).toBe("kind: Tag\nid: a\ndescription: B\n");
  expect(statSync(join(site.root, "tags.txt")).mode).toBe(mode);
});

test("nothing is written where a part of the values would make the manifests contradict each other", async () => {
  const below = (parent: string): string => `kind: Domain\nid: b\nname: B\nparent_domain: ${parent}\n`;
  const site = await siteWith({
    "a.yaml": "kind: Domain\nid: a\nname: A\nparent_domain: none\n",
    "b.yaml": below("a"),
  });
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:domain:a", "domainProperties", { name: "A", parentDomain: "urn:li:domain:b" }],
      ["urn:li:domain:b", "domainProperties", { name: "B" }],
    ]),
  );

  const part = await site.run(["pull", "--target", "urn:li:domain:a"]);
  expect({ code: part.code, stdout: part.stdout }).toEqual({ code: 6, stdout: "" });
  expect(part.stderr).toContain(
    "nothing was written, because these values would make the manifests contradict each other",
  );
  expect(textOf(site, "a.yaml")).toContain("parent_domain: none");
});
