import { expect, test } from "vitest";
import { createAspectClient } from "../../src/datahub/aspect-client.ts";
import { connectionTo } from "../../src/datahub/connection.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { settingsWith, type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed, urn } from "../support/states.ts";

const [it, other] = [datasetNamed("it"), datasetNamed("other")];
const wide = settingsWith(
  "manage: { tags: merge }",
  "prune: { kinds: [Domain, Tag, Group, User] }",
  "guards: { removals: { max_percent: 100 }, deletes: { max_count: 10 }, vanished: { max_percent: 100 } }",
);
const going = {
  "tag.yaml": tag("a", "old"),
  "domain.yaml": "kind: Domain\nid: d\n---\nkind: Domain\nid: low\nparent_domain: d\n",
  "group.yaml": "kind: Group\nid: g\nowners: [u]\n",
  "user.yaml": "kind: User\nid: u\ngroups: [g]\n",
};
const staying = {
  "it.yaml": "kind: Dataset\nplatform: snowflake\nname: it\ntags: [b]\n",
  "b.yaml": `${tag("b")}---\n${tag("n")}`,
  "people.yaml": "kind: User\nid: v\n---\nkind: Group\nid: h\n",
};
const box = "urn:li:container:box";
const live: readonly MadeAspect[] = [
  ...[it, other].map((each): MadeAspect => [each, "datasetProperties", { customProperties: {} }]),
  [box, "containerProperties", { name: "box" }],
];

/** What the plan deletes: a tag that is assigned, two domains, a group that the user owns and is in, and the user. */
const deleted = ["tag:a", "domain:d", "domain:low", "corpGroup:g", "corpuser:u"].map((id) => `urn:li:${id}`);

async function makeSiteThatDrops(): Promise<Site> {
  const site = await siteWith({ ...going, ...staying }, wide);
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  const applied = await site.apply();
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  await site.edit(tagging("addTag", "a", other));
  const gone = Object.fromEntries(Object.keys(going).map((name) => [`catalog/${name}`, undefined]));
  site.commit({ ...gone, "catalog/it.yaml": staying["it.yaml"].replace("[b]", "[b, n]") });
  return site;
}

/** A site that applied everything, and whose next commit drops what is to go, and adds a tag to a dataset. */
const siteThatDrops = siteOnce(makeSiteThatDrops);

type Edit = (site: Site) => Promise<unknown>;

const mutation =
  (text: string): Edit =>
  ({ edit }) =>
    edit(text);

/** Writes an aspect over what is there. */
const put =
  (of: string, aspect: string, value: JsonObject): Edit =>
  async ({ catalog }) => {
    const client = createAspectClient(connectionTo(catalog.url));
    const { version } = await client.read(urn(of), aspect);
    expect(await client.write([{ urn: urn(of), aspect, value, version }])).toEqual({ status: "written" });
  };

function tagging(field: string, id: string, resource: string): string {
  return `${field}(input: { tagUrn: "urn:li:tag:${id}", resourceUrn: "${resource}" })`;
}

function owning(owner: string, ownerEntityType: string): string {
  const type = 'ownershipTypeUrn: "urn:li:ownershipType:__system__technical_owner"';
  return `addOwner(input: { ownerUrn: "urn:li:${owner}", resourceUrn: "${other}", ownerEntityType: ${ownerEntityType}, ${type} })`;
}

const referring = (of: string): string => `${of} began to refer to it after the plan was made`;
const changed = "it was changed after the plan was made";

/** What people put there, what becomes stale of it, and why. */
type Addition = readonly [edit: Edit, of: string, because: string];

const references: readonly Addition[] = [
  [mutation(tagging("addTag", "a", it)), "tag:a", referring(it)],
  [mutation(tagging("addTag", "a", box)), "tag:a", referring(box)],
  [
    put(other, "editableSchemaMetadata", {
      editableSchemaFieldInfo: [{ fieldPath: "c", globalTags: { tags: [{ tag: "urn:li:tag:a" }] } }],
    }),
    "tag:a",
    referring(other),
  ],
  [mutation(`setDomain(entityUrn: "${other}", domainUrn: "urn:li:domain:d")`), "domain:d", referring(other)],
  [
    mutation('createDomain(input: { id: "child", name: "child", parentDomain: "urn:li:domain:low" })'),
    "domain:low",
    referring("urn:li:domain:child"),
  ],
  [
    mutation('addGroupMembers(input: { groupUrn: "urn:li:corpGroup:g", userUrns: ["urn:li:corpuser:v"] })'),
    "corpGroup:g",
    referring("urn:li:corpuser:v"),
  ],
  [
    put("urn:li:corpuser:v", "corpUserInfo", { active: true, managerUrn: "urn:li:corpuser:u" }),
    "corpuser:u",
    referring("urn:li:corpuser:v"),
  ],
  [mutation(owning("corpGroup:g", "CORP_GROUP")), "corpGroup:g", referring(other)],
  [mutation(owning("corpuser:u", "CORP_USER")), "corpuser:u", referring(other)],
];

const values: readonly Addition[] = [
  [
    mutation('updateDescription(input: { resourceUrn: "urn:li:tag:a", description: "new" })'),
    "tag:a",
    changed,
  ],
  [
    put("urn:li:domain:d", "domainProperties", { name: "d", customProperties: { cost: "12" } }),
    "domain:d",
    changed,
  ],
  [
    mutation('addGroupMembers(input: { groupUrn: "urn:li:corpGroup:h", userUrns: ["urn:li:corpuser:u"] })'),
    "corpuser:u",
    changed,
  ],
];

interface Outcome {
  readonly status: string;
  readonly urn: string;
  readonly because?: string;
}

function outcomesIn(stdout: string): readonly Outcome[] {
  return (JSON.parse(stdout) as { readonly outcomes: readonly Outcome[] }).outcomes;
}

function isThere(site: Site, of: string): boolean {
  return site.catalog.aspects().some((row) => row.urn === of);
}

test.each<readonly [string, readonly Addition[]]>([
  ...references.map((each) => [each[2], [each]] as const),
  ["something was put on it", values],
])("where of a deletion %s, nothing of a saved plan is written", async (_, edits) => {
  const site = await siteThatDrops();
  expect(await site.plan("--prune", "--out", "p.json")).toMatchObject({ code: 0 });
  for (const [edit] of edits) await edit(site);
  const before = site.catalog.aspects();

  const { code, stdout, stderr } = await site.run(["apply", "p.json", "--format", "json"]);

  expect(code).toBe(6);
  const stale = outcomesIn(stdout).filter(({ status }) => status === "stale");
  expect(Object.fromEntries(stale.map(({ urn: of, because }) => [of, because]))).toEqual(
    Object.fromEntries(edits.map(([, of, because]) => [`urn:li:${of}`, because])),
  );
  expect(stderr).toContain("Nothing was applied: the catalog has changed since the plan was saved.");
  expect(site.catalog.aspects()).toEqual(before);
});

test("where it cannot be read again what refers to a deletion, nothing of a saved plan is written", async () => {
  const site = await siteThatDrops();
  let isIndexDown = false;
  const url = await inFrontOf(site.catalog.url, ({ query }) =>
    isIndexDown && query.startsWith("query ReadReferring")
      ? { data: null, errors: [{ message: "the index is down" }] }
      : undefined,
  );
  const run = (...argv: readonly string[]): Promise<Ran> =>
    runCli([...argv, "--server", url], { cwd: site.root });
  expect(await run("plan", "--prune", "--out", "p.json")).toMatchObject({ code: 0 });
  isIndexDown = true;
  const before = site.catalog.aspects();

  const { code, stdout } = await run("apply", "p.json", "--format", "json");

  expect(code).toBe(7);
  expect(
    outcomesIn(stdout)
      .map(({ status, urn: of }) => `${status} ${of}`)
      .toSorted(),
  ).toEqual(deleted.map((each) => `failed ${each}`).toSorted());
  expect(site.catalog.aspects()).toEqual(before);
});

test("what is edited while the question stands open is not deleted, and all else is", async () => {
  const site = await siteThatDrops();
  const meanwhile = async (): Promise<void> => site.edit(tagging("addTag", "a", it));

  const { code, stdout } = await site.run(["apply", "--prune", "--format", "json"], {
    answers: ["yes"],
    meanwhile,
  });

  expect(code).toBe(6);
  expect(outcomesIn(stdout).filter(({ status }) => status === "stale")).toMatchObject([
    { urn: "urn:li:tag:a", because: referring(it) },
  ]);
  expect(deleted.filter((each) => isThere(site, each))).toEqual(["urn:li:tag:a"]);
});

test("where references were taken away since it was made, a plan deletes all that it shows", async () => {
  const site = await siteThatDrops();
  expect(await site.plan("--prune", "--out", "p.json")).toMatchObject({ code: 0 });
  for (const edit of [
    tagging("removeTag", "a", other),
    'removeGroupMembers(input: { groupUrn: "urn:li:corpGroup:g", userUrns: ["urn:li:corpuser:u"] })',
    'deleteDomain(urn: "urn:li:domain:low")',
    'batchRemoveOwners(input: { ownerUrns: ["urn:li:corpuser:u"], resources: [{ resourceUrn: "urn:li:corpGroup:g" }] })',
  ])
    await site.edit(edit);

  const applied = await site.run(["apply", "p.json"]);

  expect(applied, applied.stdout).toMatchObject({ code: 0 });
  expect(deleted.filter((each) => isThere(site, each))).toEqual([]);
});
