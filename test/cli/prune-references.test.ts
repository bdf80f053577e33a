import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { capture, runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { refusing } from "../support/refusing.ts";
import { settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const names = Array.from({ length: 6 }, (_, index) => `d${index}`);
const pii = "urn:li:tag:pii";
const tagged = names.map((name): MadeAspect => [datasetNamed(name), "globalTags", { tags: [{ tag: pii }] }]);
const flags = ["--prune", "--max-deletes", "9"];

/** A catalog that lags behind a clock, which goes on with what is asked of it. */
function lagging(lag = 5) {
  let time = 1_700_000_000_000;
  const later = (seconds: number): void => void (time += seconds * 1_000);
  return { serving: { lag, now: () => (time += 100) }, later };
}

/** A site of which a file was applied and is no longer there, and a catalog with more than it declares. */
async function siteToPrune(
  serving: Parameters<typeof siteWith>[2] = {},
  {
    gone = tag("pii"),
    live = tagged,
  }: { readonly gone?: string; readonly live?: readonly MadeAspect[] } = {},
): Promise<Site> {
  const settings = settingsWith("prune: { kinds: [Domain, Tag, User, Group] }");
  const site = await siteWith({ "keep.yaml": tag("keep"), "gone.yaml": gone }, settings, serving);
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  site.commit({ "catalog/gone.yaml": undefined });
  return site;
}

function taggedIn(site: Site): readonly string[] {
  return names.filter((name) =>
    JSON.stringify(site.aspect(datasetNamed(name), "globalTags") ?? {}).includes(`"${pii}"`),
  );
}

/** The names of the mutations that were sent, in order. */
function sentTo(site: Site): readonly string[] {
  return writesIn(site.catalog).flatMap((text) =>
    [...text.matchAll(/o\d+: (\w+)/g)].map(([, name = ""]) => name),
  );
}

test("what is pruned and created again at once keeps its new assignments", async () => {
  const { serving, later } = lagging();
  const site = await siteToPrune(serving);

  const pruned = await site.apply(...flags);
  expect(pruned, pruned.stdout).toMatchObject({ code: 0 });
  expect(pruned.stderr).toContain(
    `Waiting until the index shows that references were removed to ${pii} (30 s at most)\n`,
  );
  expect(taggedIn(site)).toEqual([]);
  const declared = names.map(
    (name) => `- { kind: Dataset, platform: snowflake, name: ${name}, tags: [pii] }\n`,
  );
  site.commit({ "catalog/pii.yaml": tag("pii"), "catalog/datasets.yaml": declared.join("") });
  const applied = await site.apply();
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  later(10);
  await site.plan();
  expect(taggedIn(site)).toEqual(names);
});

const alice = "urn:li:corpuser:alice";
const team = "urn:li:corpGroup:team";
const finance = "urn:li:domain:finance";
const it = datasetNamed("it");
const owner = { owner: alice, type: "DATA_STEWARD", typeUrn: "urn:li:ownershipType:__system__data_steward" };
const bob = { owner: "urn:li:corpuser:bob", type: "DATAOWNER" };

test.each<readonly [string, string, readonly MadeAspect[], readonly string[]]>([
  [
    "of a column",
    tag("pii"),
    [
      [it, "schemaMetadata", schemaWith("a", "b")],
      [
        it,
        "editableSchemaMetadata",
        {
          editableSchemaFieldInfo: [
            { fieldPath: "a", globalTags: { tags: [{ tag: pii }, { tag: "urn:li:tag:other" }] } },
            { fieldPath: "b", globalTags: { tags: [{ tag: pii }] } },
          ],
        },
      ],
    ],
    ["removeTag", "removeTag", "deleteTag"],
  ],
  [
    "to a domain",
    "kind: Domain\nid: finance\n",
    [[it, "domains", { domains: [finance], domainAssociations: [{ domain: finance }] }]],
    ["unsetDomain", "deleteDomain"],
  ],
  [
    "to an owner",
    "kind: User\nid: alice\n",
    [
      [it, "ownership", { owners: [owner, bob] }],
      [team, "corpGroupInfo", { admins: [], members: [], groups: [] }],
      [team, "ownership", { owners: [owner] }],
    ],
    ["batchRemoveOwners", "batchRemoveOwners", "removeUser"],
  ],
  [
    "of members",
    "kind: Group\nid: team\n",
    [
      [alice, "corpUserInfo", { active: true }],
      [alice, "nativeGroupMembership", { nativeGroups: [team] }],
      ["urn:li:corpuser:bob", "corpUserInfo", { active: true }],
      ["urn:li:corpuser:bob", "groupMembership", { groups: [team] }],
    ],
    ["removeGroupMembers", "removeGroupMembers", "removeGroup"],
  ],
])("references %s are removed before the deletion, and nothing else", async (_, gone, live, sent) => {
  const site = await siteToPrune({}, { gone, live });
  const before = sentTo(site).length;

  const pruned = await site.apply(...flags);

  expect(pruned, pruned.stdout).toMatchObject({ code: 0 });
  expect(sentTo(site).slice(before)).toEqual(sent);
  expect(await site.plan(...flags)).toMatchObject({ stdout: expect.stringContaining("No changes.") });
  const rest = JSON.stringify(site.catalog.aspects().filter(({ version }) => version === 0));
  for (const kept of [bob.owner, "urn:li:tag:other"]) {
    if (JSON.stringify(live).includes(kept)) expect(rest).toContain(kept);
  }
});

test("a manager is unset before the user is deleted", async () => {
  const live: MadeAspect = ["urn:li:corpuser:bob", "corpUserInfo", { active: true, managerUrn: alice }];
  const site = await siteToPrune({}, { gone: "kind: User\nid: alice\n", live: [live] });

  expect(await site.apply(...flags)).toMatchObject({ code: 0 });

  expect(site.aspect("urn:li:corpuser:bob", "corpUserInfo")).toEqual({ active: true });
  expect(writesIn(site.catalog).slice(-2)).toEqual(["corpUserInfo", expect.stringContaining("removeUser")]);
});

test("of several domains none is unset: the server removes the one that is deleted", async () => {
  const other = "urn:li:domain:other";
  const domains = { domains: [finance, other], domainAssociations: [{ domain: finance }, { domain: other }] };
  const site = await siteToPrune(
    {},
    { gone: "kind: Domain\nid: finance\n", live: [[it, "domains", domains]] },
  );

  expect(await site.apply(...flags)).toMatchObject({ code: 0 });

  expect(sentTo(site)).not.toContain("unsetDomain");
  expect(site.aspect(it, "domains")).toMatchObject({ domains: [other] });
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

test("what only the server can remove is waited for", async () => {
  const { serving } = lagging();
  const site = await siteToPrune(serving, { live: [ingested] });

  const { code, stderr, stdout } = await site.apply(...flags);

  expect(code).toBe(0);
  expect(stderr).toContain(`Waiting until the server has removed the references to ${pii} (30 s at most)\n`);
  expect(stdout).toMatch(/Applied 1 operation, 0 failed, 0 skipped\.\n$/);
  expect(stdout).not.toContain("warning:");
  expect(JSON.stringify(site.aspect(it, "schemaMetadata"))).not.toContain(pii);
});

test("what the server has not removed after the wait is a warning, in each format, and the apply is complete", async () => {
  const site = await siteToPrune({ lag: 1_000_000 }, { live: [ingested] });
  expect(await site.plan(...flags, "--out", "p.json")).toMatchObject({ code: 0 });

  const applied = await site.run(["apply", "p.json", "--report", "r.json", "--report", "markdown=r.md"]);

  const words = `1 entity still refers to ${pii}, which was deleted: it`;
  expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining(`warning: ${words}\n`) });
  expect(JSON.parse(readFileSync(join(site.root, "r.json"), "utf8"))).toMatchObject({
    referencesLeft: [{ urn: pii, count: 1, from: [it] }],
  });
  expect(readFileSync(join(site.root, "r.md"), "utf8")).toContain(`**Warning:** 1 entity still refers`);
  const shown = await runCli(["show", "r.json"], { cwd: site.root });
  expect(shown.stdout).toContain(`warning: ${words}\n`);
  expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
});

test("with --no-verify nothing is looked at after a deletion", async () => {
  const site = await siteToPrune({ lag: 1_000_000 }, { live: [ingested] });

  const { code, stderr, stdout } = await site.apply(...flags, "--no-verify");

  expect({ code, waits: stderr.includes("Waiting"), warns: stdout.includes("warning:") }).toEqual({
    code: 0,
    waits: false,
    warns: false,
  });
});

test("an interruption ends the wait for the index, and nothing is deleted", async () => {
  const site = await siteToPrune({ lag: 1_000_000 });
  const interruption = new AbortController();
  const stderr = capture(80);
  const write = (text: string): void => {
    stderr.write(text);
    if (text.startsWith("Waiting")) interruption.abort();
  };

  const { code, stdout } = await site.run(["apply", "--auto-approve", ...flags], {
    interrupted: interruption.signal,
    stderr: { ...stderr, write },
  });

  expect(code).toBe(130);
  expect(stdout).toContain("skipped: delete urn:li:tag:pii");
  expect(stdout).toMatch(/Applied 6 operations, 0 failed, 1 skipped\.\n$/);
  expect(site.aspect(pii, "tagProperties")).toBeDefined();
  expect(taggedIn(site)).toEqual([]);
});

test("a removal that is refused holds back the deletion, and the report tells of what", async () => {
  const site = await siteToPrune();
  const url = await refusing(
    site.catalog.url,
    (write) => write.includes("removeTag") && write.includes("d3"),
  );

  const argv = ["apply", "--auto-approve", ...flags, "--report", "r.json", "--server", url];
  const { code, stdout } = await runCli(argv, { cwd: site.root });

  expect(code).toBe(7);
  expect(stdout).toContain(`failed: remove ${pii} from tags of ${datasetNamed("d3")}`);
  expect(stdout).toContain("skipped: delete urn:li:tag:pii");
  expect(site.aspect(pii, "tagProperties")).toBeDefined();
  const shown = await runCli(["show", "r.json"], { cwd: site.root });
  expect(shown.stdout.split("\n").filter((line) => /^(failed|skipped):/.test(line))).toEqual(
    stdout.split("\n").filter((line) => /^(failed|skipped):/.test(line)),
  );
});

test("what depends on a change that failed is not deleted, and keeps its references", async () => {
  const site = await siteToPrune();
  site.commit({ "catalog/keep.yaml": `${tag("keep")}description: new\n` });
  const url = await refusing(site.catalog.url, (write) => write.includes("tagProperties"));

  const { code } = await runCli(["apply", "--auto-approve", ...flags, "--server", url], { cwd: site.root });

  expect(code).toBe(7);
  expect(taggedIn(site)).toEqual(names);
});

test("what became stale is not deleted, and keeps its references", async () => {
  const site = await siteToPrune();
  const edit = (): Promise<void> =>
    site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:pii", description: "in use" })');

  const { code } = await site.run(["apply", ...flags], { answers: ["yes"], meanwhile: edit });

  expect(code).toBe(6);
  expect(taggedIn(site)).toEqual(names);
});

test("what a plan removes by itself is removed once", async () => {
  const site = await siteToPrune();
  site.commit({ "catalog/d0.yaml": "kind: Dataset\nplatform: snowflake\nname: d0\ntags: []\n" });
  const before = sentTo(site).length;

  expect(await site.apply(...flags)).toMatchObject({ code: 0 });

  expect(sentTo(site).slice(before)).toEqual([...names.map(() => "removeTag"), "deleteTag"]);
});

test("conditional writes remove references, too", async () => {
  const site = await siteToPrune();
  site.commit({
    "catalog/datahub-gitops.yaml": settingsWith("writes: conditional"),
    "catalog/it.yaml": "kind: Dataset\nplatform: snowflake\nname: d0\nowners: []\n",
  });

  const pruned = await site.apply(...flags);

  expect(pruned, pruned.stdout).toMatchObject({ code: 0 });
  expect(taggedIn(site)).toEqual([]);
});
