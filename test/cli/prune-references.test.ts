import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { refusing } from "../support/refusing.ts";
import { appliedRef, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const names = Array.from({ length: 2 }, (_, index) => `d${index}`);
const pii = "urn:li:tag:pii";
const tagged = names.map((name): MadeAspect => [datasetNamed(name), "globalTags", { tags: [{ tag: pii }] }]);
const piiItself: MadeAspect = [pii, "tagProperties", { name: "pii" }];
const kept: MadeAspect = ["urn:li:tag:keep", "tagProperties", { name: "keep" }];
const flags = ["--prune", "--max-deletes", "9"];

/** A site in which a file was applied and is no longer there, and a catalog that holds more than it declares. */
async function siteToPrune(
  serving: Parameters<typeof siteWith>[2] = {},
  gone = tag("pii"),
  live: readonly MadeAspect[] = [piiItself, ...tagged],
  writes = "graphql",
): Promise<Site> {
  const settings = settingsWith("prune: { kinds: [Domain, Tag, User, Group] }", `writes: ${writes}`);
  const site = await siteWith({ "keep.yaml": tag("keep"), "gone.yaml": gone }, settings, serving);
  site.git("update-ref", appliedRef, "HEAD");
  await site.catalog.load(metadataFile(temporaryDirectory(), [kept, ...live]));
  site.commit({ "catalog/gone.yaml": undefined });
  return site;
}

function taggedIn(site: Site): readonly string[] {
  return names.filter((name) =>
    JSON.stringify(site.aspect(datasetNamed(name), "globalTags") ?? {}).includes(`"${pii}"`),
  );
}

/** The mutations and proposals that were sent, by name, in order. */
function sentTo(site: Site): readonly string[] {
  return writesIn(site.catalog).flatMap((text) =>
    text.startsWith("mutation") ? [...text.matchAll(/o\d+: (\w+)/g)].map(([, name = ""]) => name) : [text],
  );
}

test("a tag is deleted once the index shows none of the references that were removed", async () => {
  let time = 1_700_000_000_000;
  const site = await siteToPrune({ lag: 5, now: () => (time += 100) });

  const { code, stderr, stdout } = await site.apply(...flags);

  expect(code, stdout).toBe(0);
  expect(stderr).toContain(
    `Waiting for the index to show the removal of references to ${pii} (30 s at most)\n`,
  );
  expect(taggedIn(site)).toEqual([]);
  expect(site.aspect(pii, "tagProperties")).toBeUndefined();
});

const alice = "urn:li:corpuser:alice";
const bob = "urn:li:corpuser:bob";
const team = "urn:li:corpGroup:team";
const crew = "urn:li:corpGroup:crew";
const [finance, sales] = ["urn:li:domain:finance", "urn:li:domain:sales"];
const [it, two] = [datasetNamed("it"), datasetNamed("two")];
const owner = { owner: alice, type: "DATA_STEWARD", typeUrn: "urn:li:ownershipType:__system__data_steward" };
const domains = (...all: readonly string[]) => ({
  domains: all,
  domainAssociations: all.map((domain) => ({ domain })),
});

test("references of each kind are removed before what they name is deleted, and no others", async () => {
  const gone = [
    tag("pii"),
    "kind: Domain\nid: finance\n",
    "kind: User\nid: alice\n",
    "kind: Group\nid: team\n",
  ];
  const columns = [
    { fieldPath: "a", globalTags: { tags: [{ tag: pii }, { tag: "urn:li:tag:other" }] } },
    { fieldPath: "b", globalTags: { tags: [{ tag: pii }] } },
  ];
  const site = await siteToPrune({}, gone.join("---\n"), [
    piiItself,
    [finance, "domainProperties", { name: "finance" }],
    [sales, "domainProperties", { name: "sales" }],
    [alice, "corpUserInfo", { active: true }],
    [team, "corpGroupInfo", { admins: [], members: [], groups: [] }],
    [team, "origin", { type: "NATIVE" }],
    [crew, "corpGroupInfo", { admins: [], members: [], groups: [] }],
    [it, "schemaMetadata", schemaWith("a", "b")],
    [it, "editableSchemaMetadata", { editableSchemaFieldInfo: columns }],
    [it, "domains", domains(finance)],
    [it, "ownership", { owners: [owner, { owner: bob, type: "DATAOWNER" }] }],
    [crew, "ownership", { owners: [owner] }],
    // Of several domains the server removes the one that is deleted.
    [two, "domains", domains(finance, sales)],
    [bob, "corpUserInfo", { active: true, managerUrn: alice }],
    [bob, "nativeGroupMembership", { nativeGroups: [team] }],
  ]);

  const pruned = await site.apply(...flags);

  expect(pruned, pruned.stdout).toMatchObject({ code: 0 });
  const sent = sentTo(site);
  const deletions = ["removeGroup", "removeUser", "deleteTag", "deleteDomain"];
  expect(sent.slice(-deletions.length)).toEqual(deletions);
  expect(sent.slice(0, -deletions.length).toSorted()).toEqual(
    "removeTag removeTag unsetDomain batchRemoveOwners batchRemoveOwners removeGroupMembers corpUserInfo"
      .split(" ")
      .toSorted(),
  );
  expect(site.aspect(bob, "corpUserInfo")).toEqual({ active: true });
  expect(site.aspect(two, "domains")).toMatchObject({ domains: [sales] });
  const rest = JSON.stringify(site.catalog.aspects().filter(({ version }) => version === 0));
  expect([pii, finance, alice, team].filter((each) => rest.includes(`"${each}"`))).toEqual([]);
  expect([bob, "urn:li:tag:other"].filter((each) => !rest.includes(each))).toEqual([]);
});

/** A tag of a column as ingestion writes it, which only the server can remove. */
const ingested: MadeAspect = [
  it,
  "schemaMetadata",
  {
    ...schemaWith("a"),
    fields: [
      { ...(schemaWith("a")["fields"] as readonly object[])[0], globalTags: { tags: [{ tag: pii }] } },
    ],
  },
];

test("what the server has not removed after the wait is a warning, in each format, and the apply is complete", async () => {
  const site = await siteToPrune({ lag: 1_000_000 }, undefined, [piiItself, ingested]);

  const reports = ["--report", "r.json", "--report", "markdown=r.md"];
  const applied = await site.apply(...flags, ...reports);

  const words = `1 entity still refers to ${pii}, which was deleted: it`;
  expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining(`warning: ${words}\n`) });
  expect(applied.stderr).toContain(
    `Waiting for the server to remove the references to ${pii} (30 s at most)\n`,
  );
  expect(JSON.parse(readFileSync(join(site.root, "r.json"), "utf8"))).toMatchObject({
    referencesLeft: [{ urn: pii, count: 1, from: [it] }],
  });
  expect(readFileSync(join(site.root, "r.md"), "utf8")).toContain(`- warning: 1 entity still refers`);
  const shown = await runCli(["show", "r.json"], { cwd: site.root });
  expect(shown.stdout).toContain(`warning: ${words}\n`);
  expect(site.at()).toBe(site.at("HEAD"));
});

test("with --no-verify nothing is looked at after a deletion", async () => {
  const site = await siteToPrune({ lag: 1_000_000 }, undefined, [piiItself, ingested]);

  const { code, stderr, stdout } = await site.apply(...flags, "--no-verify");

  expect({ code, waits: stderr.includes("Waiting"), warns: stdout.includes("warning:") }).toEqual({
    code: 0,
    waits: false,
    warns: false,
  });
});

test("a removal that is refused holds back the deletion, and the report tells of what", async () => {
  const site = await siteToPrune();
  const url = await refusing(
    site.catalog.url,
    (write) => write.includes("removeTag") && write.includes("d1"),
  );

  const argv = ["apply", "--auto-approve", ...flags, "--report", "r.json", "--server", url];
  const { code, stdout } = await runCli(argv, { cwd: site.root });

  expect(code).toBe(7);
  expect(stdout).toContain(`failed: remove ${pii} from tags of ${datasetNamed("d1")}`);
  expect(stdout).toContain("skipped: delete urn:li:tag:pii");
  expect(site.aspect(pii, "tagProperties")).toBeDefined();
  const shown = await runCli(["show", "r.json"], { cwd: site.root });
  expect(shown.stdout.split("\n").filter((line) => /^(failed|skipped):/.test(line))).toEqual(
    stdout.split("\n").filter((line) => /^(failed|skipped):/.test(line)),
  );
});

/** A clock by which a local catalog lags, which goes on with each look at it. */
function clock() {
  let time = 1_700_000_000_000;
  return { now: () => (time += 100), later: () => void (time += 60_000) };
}

const old = "urn:li:tag:old";
const columnsTagged = (...columns: readonly string[]) =>
  columns.map((fieldPath) => ({ fieldPath, globalTags: { tags: [{ tag: pii }] } }));
const oldItself: MadeAspect = [old, "tagProperties", { name: "old" }];

test.each(["graphql", "conditional"])(
  "references of soft-deleted assets are removed before what they name is deleted (writes: %s)",
  async (writes) => {
    const { now, later } = clock();
    const more = ["kind: User\nid: alice\n", "kind: Group\nid: team\n", "kind: Domain\nid: finance\n"];
    const gone = [tag("old"), tag("pii"), ...more];
    const live: readonly MadeAspect[] = [
      piiItself,
      oldItself,
      [alice, "corpUserInfo", { active: true }],
      [team, "corpGroupInfo", { admins: [], members: [], groups: [] }],
      [it, "status", { removed: true }],
      [it, "globalTags", { tags: [pii, old, "urn:li:tag:keep"].map((each) => ({ tag: each })) }],
      [it, "ownership", { owners: [owner, { ...owner, owner: team }] }],
      [it, "schemaMetadata", schemaWith("a")],
      [it, "editableSchemaMetadata", { editableSchemaFieldInfo: columnsTagged("a", "left") }],
      [two, "status", { removed: true }],
      [two, "domains", domains(finance, sales)],
      [finance, "domainProperties", { name: "finance" }],
      [sales, "domainProperties", { name: "sales" }],
    ];
    const site = await siteToPrune({ lag: 5, now }, gone.join("---\n"), live, writes);

    const { code, stdout } = await site.apply(...flags);

    expect(code, stdout).toBe(0);
    expect(stdout).not.toContain("warning:");
    later();
    await site.plan();
    expect(site.aspect(it, "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:keep" }] });
    expect(site.aspect(it, "ownership")).toMatchObject({ owners: [] });
    // The server removes what no write can: of a column that has left the schema, and one of several domains.
    expect(JSON.stringify(site.aspect(it, "editableSchemaMetadata"))).not.toContain(pii);
    expect(site.aspect(two, "domains")).toMatchObject({ domains: [sales] });
  },
);

test("definitions are deleted one after the other where the server removes references of the same entity", async () => {
  const { now, later } = clock();
  const [column] = schemaWith("a")["fields"] as readonly object[];
  const ofIngestion = { tags: [pii, old].map((each) => ({ tag: each })) };
  const site = await siteToPrune({ lag: 5, now }, [tag("old"), tag("pii")].join("---\n"), [
    piiItself,
    oldItself,
    [it, "schemaMetadata", { ...schemaWith("a"), fields: [{ ...column, globalTags: ofIngestion }] }],
  ]);

  const { code, stdout } = await site.apply(...flags);

  expect(code, stdout).toBe(0);
  later();
  await site.plan();
  expect(JSON.stringify(site.aspect(it, "schemaMetadata"))).not.toContain("urn:li:tag:");
});

test("what still refers to it after the wait is named if it is soft-deleted, too", async () => {
  const ofSoftDeleted: MadeAspect = [it, "status", { removed: true }];
  const site = await siteToPrune({ lag: 1_000_000 }, undefined, [piiItself, ingested, ofSoftDeleted]);

  const { stdout } = await site.apply(...flags);

  expect(stdout).toContain(`warning: 1 entity still refers to ${pii}, which was deleted: it\n`);
});

/** A site whose base declares a dataset in a domain and a user in a group, none of which is declared any more, and an index that never learns. */
async function siteWithDeafIndex(live: readonly MadeAspect[] = []): Promise<Site> {
  const files = {
    "keep.yaml": tag("keep"),
    "gone.yaml":
      "kind: Domain\nid: finance\n---\nkind: Group\nid: team\nmembers: [bob]\n---\nkind: User\nid: bob\n",
    "it.yaml": "kind: Dataset\nplatform: snowflake\nname: it\ndomain: finance\n",
  };
  const settings = settingsWith("prune: { kinds: [Domain, Tag, Group] }");
  const site = await siteWith(files, settings, { lag: 1_000_000 });
  await site.catalog.load(metadataFile(temporaryDirectory(), [[it, "datasetProperties", {}], ...live]));
  const applied = await site.apply();
  expect(applied, applied.stdout).toMatchObject({ code: 0 });
  site.commit({ "catalog/gone.yaml": "kind: User\nid: bob\n", "catalog/it.yaml": undefined });
  return site;
}

/** The lines of a plan about each entity that is deleted, without places. */
function deletionsIn(plan: string): readonly (readonly string[])[] {
  const parts = plan.split("\n\n").filter((part) => part.startsWith("- "));
  return parts.map((part) => part.split("\n").map((line) => line.replace(/ {2}catalog.*/, "").trim()));
}

test("values that were declared before are references also where the index does not show them", async () => {
  const site = await siteWithDeafIndex();

  const planned = await site.plan(...flags);
  const pruned = await site.apply(...flags);

  expect(deletionsIn(planned.stdout)).toEqual([
    ["- Group urn:li:corpGroup:team", "also removes its assignments on 1 entity", "bob"],
    ["- Domain urn:li:domain:finance", "also removes its assignments on 1 entity", "it"],
  ]);
  expect(pruned, pruned.stdout).toMatchObject({ code: 0 });
  expect(site.aspect(it, "domains")).toMatchObject({ domains: [] });
  expect(site.aspect(bob, "nativeGroupMembership")).toEqual({ nativeGroups: [] });
});

test("what the index shows and the asset no longer has is not counted", async () => {
  const site = await siteWithDeafIndex([
    [finance, "domainProperties", { name: "finance" }],
    [it, "domains", domains(finance)],
  ]);
  await site.edit(`unsetDomain(entityUrn: "${it}")`);

  const planned = await site.plan(...flags);
  const pruned = await site.apply(...flags);

  expect(deletionsIn(planned.stdout)[1]).toEqual(["- Domain urn:li:domain:finance"]);
  expect(pruned, pruned.stdout).toMatchObject({ code: 0 });
});
