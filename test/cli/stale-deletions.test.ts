import { expect, test } from "vitest";
import { createAspectClient } from "../../src/datahub/aspect-client.ts";
import { connectionTo } from "../../src/datahub/connection.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { tag } from "../support/history.ts";
import { settingsWith, type Site, siteOnce, siteWith, writesIn } from "../support/site.ts";
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
  "b.yaml": tag("b"),
  "people.yaml": "kind: User\nid: v\n---\nkind: Group\nid: h\n",
};
const live: readonly MadeAspect[] = [it, other].flatMap((each): readonly MadeAspect[] => [
  [each, "datasetProperties", { customProperties: {} }],
]);

/** What the plan deletes: a tag that is assigned, two domains, a group that the user owns and is in, and the user. */
const deleted = ["tag:a", "domain:d", "domain:low", "corpGroup:g", "corpuser:u"].map((id) => `urn:li:${id}`);

async function makeSiteThatDrops(): Promise<Site> {
  const site = await siteWith({ ...going, ...staying }, wide);
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  const applied = await site.apply();
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  await site.edit(tagging("addTag", "a", other));
  site.commit(Object.fromEntries(Object.keys(going).map((name) => [`catalog/${name}`, undefined])));
  return site;
}

/** A site that applied everything, and whose next commit drops what is to go. */
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
    expect(await client.write(urn(of), aspect, value, { version })).toEqual({ status: "written" });
  };

function tagging(field: string, id: string, resource: string): string {
  return `${field}(input: { tagUrn: "urn:li:tag:${id}", resourceUrn: "${resource}" })`;
}

const owning = (of: string, owner: string): string =>
  `addOwner(input: { ownerUrn: "${owner}", resourceUrn: "${of}", ownerEntityType: CORP_USER, ownershipTypeUrn: "urn:li:ownershipType:__system__technical_owner" })`;

const referring = (of: string): string => `${of} refers to it since the plan was made`;
const changed = "it was changed after the plan was made";

/** What people put there, what becomes stale of it, and why. */
const additions: readonly (readonly [string, Edit, string, string])[] = [
  ["a tag is put on a declared dataset", mutation(tagging("addTag", "a", it)), "tag:a", referring(it)],
  [
    "a tag is put on an undeclared definition's column",
    put(other, "editableSchemaMetadata", {
      editableSchemaFieldInfo: [{ fieldPath: "c", globalTags: { tags: [{ tag: "urn:li:tag:a" }] } }],
    }),
    "tag:a",
    referring(other),
  ],
  [
    "the description of the tag is edited",
    mutation('updateDescription(input: { resourceUrn: "urn:li:tag:a", description: "new" })'),
    "tag:a",
    changed,
  ],
  ["the tag gets an owner", mutation(owning("urn:li:tag:a", "urn:li:corpuser:v")), "tag:a", changed],
  [
    "an aspect of the domain gets a field that no manifest declares",
    put("urn:li:domain:d", "domainProperties", { name: "d", customProperties: { cost: "12" } }),
    "domain:d",
    changed,
  ],
  [
    "a dataset comes into the domain",
    mutation(`setDomain(entityUrn: "${other}", domainUrn: "urn:li:domain:d")`),
    "domain:d",
    referring(other),
  ],
  [
    "a domain comes below it",
    mutation('createDomain(input: { id: "child", name: "child", parentDomain: "urn:li:domain:low" })'),
    "domain:low",
    referring("urn:li:domain:child"),
  ],
  [
    "somebody joins the group",
    mutation('addGroupMembers(input: { groupUrn: "urn:li:corpGroup:g", userUrns: ["urn:li:corpuser:v"] })'),
    "corpGroup:g",
    referring("urn:li:corpuser:v"),
  ],
  [
    "the user joins another group",
    mutation('addGroupMembers(input: { groupUrn: "urn:li:corpGroup:h", userUrns: ["urn:li:corpuser:u"] })'),
    "corpuser:u",
    changed,
  ],
  [
    "the user becomes a manager",
    put("urn:li:corpuser:v", "corpUserInfo", { active: true, managerUrn: "urn:li:corpuser:u" }),
    "corpuser:u",
    referring("urn:li:corpuser:v"),
  ],
];

interface Outcome {
  readonly status: string;
  readonly urn: string;
  readonly operation: string;
  readonly because?: string;
}

function outcomesIn(stdout: string): readonly Outcome[] {
  return (JSON.parse(stdout) as { readonly outcomes: readonly Outcome[] }).outcomes;
}

function isThere(site: Site, of: string): boolean {
  return site.catalog.aspects().some((row) => row.urn === of);
}

test.each(additions)("where %s, a saved plan that deletes it is refused", async (_, edit, of, because) => {
  const site = await siteThatDrops();
  expect(await site.plan("--prune", "--out", "p.json")).toMatchObject({ code: 0 });
  await edit(site);
  const before = site.catalog.aspects();

  const { code, stdout, stderr } = await site.run(["apply", "p.json", "--format", "json"]);

  expect(code).toBe(6);
  expect(outcomesIn(stdout)).toMatchObject([{ status: "stale", urn: `urn:li:${of}`, because }]);
  expect(stderr).toContain("Nothing was applied: the catalog has changed since the plan was saved.");
  expect(site.catalog.aspects()).toEqual(before);
});

test.each<readonly [string, typeof additions]>([
  ["one edit is made", additions.filter(([, , of]) => of === "domain:low")],
  ["all of these edits are made", additions],
])(
  "where %s while the question stands open, what it is about is not deleted, and all else is",
  async (_, edits) => {
    const site = await siteThatDrops();
    const meanwhile = async (): Promise<void> => {
      for (const [, edit] of edits) await edit(site);
    };

    const { code, stdout } = await site.run(["apply", "--prune", "--format", "json"], {
      answers: ["yes"],
      meanwhile,
    });

    expect(code).toBe(6);
    const about = new Set(edits.map(([, , of]) => `urn:li:${of}`));
    const stale = outcomesIn(stdout).filter(({ status }) => status === "stale");
    expect(stale.map((outcome) => outcome.urn).toSorted()).toEqual([...about].toSorted());
    for (const each of about) expect(isThere(site, each)).toBe(true);
    const gone = deleted.filter((each) => !isThere(site, each));
    const applied = outcomesIn(stdout).filter(
      ({ status, operation }) => status === "applied" && /^delete|^removeGroup$|^removeUser$/.test(operation),
    );
    expect(gone.toSorted()).toEqual(applied.map((outcome) => outcome.urn).toSorted());
    expect(gone.length > 0).toBe(edits.length < additions.length);
  },
);

const removals: readonly (readonly [string, Edit])[] = [
  ["nothing", () => Promise.resolve()],
  ["a tag is taken off", mutation(tagging("removeTag", "a", other))],
  [
    "somebody leaves a group",
    mutation(
      'removeGroupMembers(input: { groupUrn: "urn:li:corpGroup:g", userUrns: ["urn:li:corpuser:u"] })',
    ),
  ],
  ["a domain below is deleted", mutation('deleteDomain(urn: "urn:li:domain:low")')],
  [
    "an owner is taken away",
    mutation(
      'batchRemoveOwners(input: { ownerUrns: ["urn:li:corpuser:u"], resources: [{ resourceUrn: "urn:li:corpGroup:g" }] })',
    ),
  ],
];

test.each(removals)("where %s since it was made, a plan deletes all that it shows", async (_, edit) => {
  const site = await siteThatDrops();
  expect(await site.plan("--prune", "--out", "p.json")).toMatchObject({ code: 0 });
  await edit(site);

  const applied = await site.run(["apply", "p.json"]);

  expect(applied, applied.stdout).toMatchObject({ code: 0 });
  expect(deleted.filter((each) => isThere(site, each))).toEqual([]);
  expect(await site.run(["apply", "p.json"])).toMatchObject({ code: 0 });
});

test("what a plan takes away before it deletes does not make its deletion stale, nor does a second apply", async () => {
  const site = await siteWith(
    {
      "a.yaml": tag("a"),
      "it.yaml": "kind: Dataset\nplatform: snowflake\nname: it\ntags: [a]\ncolumns: {}\n",
      "tree.yaml":
        "kind: Domain\nid: d\n---\nkind: Domain\nid: e\n---\nkind: Domain\nid: low\nparent_domain: d\n",
    },
    wide,
  );
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({
    "catalog/a.yaml": undefined,
    "catalog/it.yaml": "kind: Dataset\nplatform: snowflake\nname: it\ntags: []\n",
    "catalog/tree.yaml": "kind: Domain\nid: e\n---\nkind: Domain\nid: low\nparent_domain: e\n",
  });
  expect(await site.plan("--prune", "--out", "p.json")).toMatchObject({ code: 0 });

  const first = await site.run(["apply", "p.json"]);
  expect(first, first.stdout).toMatchObject({ code: 0 });
  expect(["urn:li:tag:a", "urn:li:domain:d"].filter((each) => isThere(site, each))).toEqual([]);
  const sent = writesIn(site.catalog).length;
  expect(await site.run(["apply", "p.json"])).toMatchObject({ code: 0 });
  expect(writesIn(site.catalog)).toHaveLength(sent);
});
