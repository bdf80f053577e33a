import fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonObject } from "../../src/model/json.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { tag } from "../support/history.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed, urn } from "../support/states.ts";
import { counted, runsOf } from "../support/runs.ts";

const numRuns = runsOf(4);

const settings = settingsWith(
  "manage: { tags: merge, owners: merge }",
  "prune: { kinds: [Domain, Tag, Group, User] }",
  "guards: { removals: { max_percent: 100 }, deletes: { max_count: 10 }, vanished: { max_percent: 100 } }",
);

/** What a commit may drop, each with its manifest. */
const manifests: Readonly<Record<string, string>> = {
  "tag:a": tag("a", "old"),
  "tag:b": tag("b"),
  "domain:d": "kind: Domain\nid: d\n",
  "domain:e": "kind: Domain\nid: e\ndescription: old\n",
  "corpGroup:g": "kind: Group\nid: g\n",
  "corpuser:u": "kind: User\nid: u\ngroups: [g]\n",
};
const low = "kind: Domain\nid: low\nparent_domain: ";
const staying = {
  "it.yaml": "kind: Dataset\nplatform: snowflake\nname: it\ntags: [keep]\nowners: []\n",
  "keep.yaml": tag("keep"),
  "others.yaml": "kind: User\nid: v\n---\nkind: Group\nid: h\n---\nkind: Domain\nid: x\n",
};
const [it, other] = [datasetNamed("it"), datasetNamed("other")];
const live: readonly MadeAspect[] = [it, other].flatMap((each): readonly MadeAspect[] => [
  [each, "datasetProperties", { customProperties: {} }],
  [
    each,
    "schemaMetadata",
    {
      schemaName: "s",
      platform: "urn:li:dataPlatform:snowflake",
      version: 0,
      hash: "",
      fields: [
        {
          fieldPath: "c",
          type: { type: { "com.linkedin.schema.StringType": {} } },
          nativeDataType: "text",
        },
      ],
    },
  ],
]);

const urnOf = (name: string): string => `urn:li:${name}`;
const [tags, domains, groups] = [["a", "b"], ["d", "e"], ["g"]];
const assets = [it, other];

const tagging = (field: string) => (id: string, resource: string, column: string) =>
  `${field}(input: { tagUrn: "urn:li:tag:${id}", resourceUrn: "${resource}"${column} })`;
const columns = ["", ', subResource: "c", subResourceType: DATASET_FIELD'];
const owner = "urn:li:corpuser:u";
const owned = [it, other, "urn:li:tag:a", "urn:li:domain:d", "urn:li:domain:x"];
const type = "urn:li:ownershipType:__system__technical_owner";
const memberships = (field: string): readonly string[] =>
  ["g", "h"].flatMap((group) =>
    ["u", "v"].map(
      (user) =>
        `${field}(input: { groupUrn: "urn:li:corpGroup:${group}", userUrns: ["urn:li:corpuser:${user}"] })`,
    ),
  );

/** What people do that puts something on what may be deleted, or refers to it. */
const additions: readonly string[] = [
  ...tags.flatMap((id) =>
    assets.flatMap((asset) => columns.map((column) => tagging("addTag")(id, asset, column))),
  ),
  ...domains.flatMap((id) =>
    assets.map((asset) => `setDomain(entityUrn: "${asset}", domainUrn: "urn:li:domain:${id}")`),
  ),
  ...owned.map(
    (each) =>
      `addOwner(input: { ownerUrn: "${owner}", resourceUrn: "${each}", ownerEntityType: CORP_USER, ownershipTypeUrn: "${type}" })`,
  ),
  ...groups.map(
    (id) =>
      `addOwner(input: { ownerUrn: "urn:li:corpGroup:${id}", resourceUrn: "${other}", ownerEntityType: CORP_GROUP, ownershipTypeUrn: "${type}" })`,
  ),
  ...memberships("addGroupMembers"),
];
/** The same, where a plan would see it as a problem, or say that it changed. */
const edits: readonly string[] = [
  ...["d", "e"].map(
    (id) =>
      `createDomain(input: { id: "below-${id}", name: "below ${id}", parentDomain: "urn:li:domain:${id}" })`,
  ),
  ...["tag:a", "tag:b", "domain:e", "corpGroup:g"].map(
    (name) => `updateDescription(input: { resourceUrn: "${urnOf(name)}", description: "new" })`,
  ),
];
/** What people take away again. */
const removals: readonly string[] = [
  ...tags.flatMap((id) =>
    assets.flatMap((asset) => columns.map((column) => tagging("removeTag")(id, asset, column))),
  ),
  ...assets.map((asset) => `unsetDomain(entityUrn: "${asset}")`),
  ...owned.map(
    (each) =>
      `batchRemoveOwners(input: { ownerUrns: ["${owner}"], resources: [{ resourceUrn: "${each}" }], ownershipTypeUrn: "${type}" })`,
  ),
  ...memberships("removeGroupMembers"),
];

const world = fc.record({
  dropped: fc.subarray(Object.keys(manifests), { minLength: 1 }),
  /** Whether a domain stands below one that may go, and whether it goes, or moves elsewhere. */
  child: fc.constantFrom("none", "goes", "moves"),
  first: fc.subarray([...additions], { maxLength: 6 }),
  edits: fc.uniqueArray(
    fc.oneof(
      { arbitrary: fc.constantFrom(...removals), weight: 3 },
      { arbitrary: fc.constantFrom(...additions, ...edits), weight: 2 },
    ),
    { maxLength: 4 },
  ),
  isSaved: fc.boolean(),
});

type Aspects = ReadonlyMap<string, ReadonlySet<string>>;

/** By entity and aspect the texts that stand there. */
function textsIn(site: Site): Aspects {
  const latest = site.catalog.aspects().filter(({ version }) => version === 0);
  return new Map(latest.map(({ urn: of, aspect, value }) => [`${of} ${aspect}`, new Set(texts(value))]));
}

function texts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(texts);
  if (!isJsonObject(value)) return [String(value)];
  return Object.entries(value).flatMap(([key, part]) =>
    key === "lastModified" || key === "created" ? [] : texts(part),
  );
}

/** What stands in the catalog in one state and not in the other: entity and aspect, and the text. */
function fresh(then: Aspects, before: Aspects): readonly (readonly [of: string, text: string])[] {
  return [...then].flatMap(([of, all]) =>
    [...all].flatMap((text) => (before.get(of)?.has(text) === true ? [] : [[of, text] as const])),
  );
}

/** Of some entities those on which something was put, or to which a reference was made. */
function touched(
  names: readonly string[],
  additional: readonly (readonly [string, string])[],
): ReadonlySet<string> {
  return new Set(
    names.filter((name) =>
      additional.some(([of, text]) => of.startsWith(`${urnOf(name)} `) || text === urnOf(name)),
    ),
  );
}

function isThere(site: Site, name: string): boolean {
  return site.catalog.aspects().some((row) => row.urn === urnOf(name));
}

test(
  "a deletion takes nothing away that was put there since the plan, and is carried out where nothing was",
  counted,
  async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ dropped, child, first, edits: meant, isSaved }) => {
        const files = Object.fromEntries(
          Object.entries(manifests).map(([name, text]) => [fileOf(name), text]),
        );
        const tree = child === "none" ? {} : { "domain-low.yaml": `${low}d\n` };
        const site = await siteWith({ ...files, ...tree, ...staying }, settings);
        await site.catalog.load(metadataFile(temporaryDirectory(), live));
        expect(await site.apply()).toMatchObject({ code: 0 });
        for (const mutation of first) await site.edit(mutation);
        const names = [...dropped, ...(child === "goes" ? ["domain:low"] : [])];
        site.commit({
          ...Object.fromEntries(names.map((name) => [`catalog/${fileOf(name)}`, undefined])),
          ...(child === "moves" && { "catalog/domain-low.yaml": `${low}x\n` }),
          // Groups that go cannot be named any more.
          ...(!dropped.includes("corpuser:u") &&
            dropped.includes("corpGroup:g") && { "catalog/corpuser-u.yaml": "kind: User\nid: u\n" }),
        });
        const planned = await site.plan("--prune", "--out", "p.json");
        // What a mode keeps, or a domain below that stays, is a problem of the plan itself.
        fc.pre(planned.code === 0);
        const before = textsIn(site);
        const edit = async (): Promise<void> => {
          for (const mutation of meant) await site.edit(mutation);
        };

        if (isSaved) {
          await edit();
          const edited = textsIn(site);
          const stale = touched(names, fresh(edited, before));
          const applied = await site.run(["apply", "p.json", "--format", "json"]);
          if (stale.size > 0) {
            expect(applied.code, applied.stdout).toBe(6);
            expect(textsIn(site)).toEqual(edited);
          } else {
            // A move may be stale for a reason of its own.
            expect(applied.code, applied.stdout).toBe(0);
            expect(names.filter((name) => isThere(site, name))).toEqual([]);
          }
          return;
        }
        let edited = before;
        const meanwhile = async (): Promise<void> => {
          await edit();
          edited = textsIn(site);
        };
        const applied = await site.run(["apply", "--prune"], { answers: ["yes"], meanwhile });
        const additional = fresh(edited, before);
        const stale = touched(names, additional);
        expect(applied.code, applied.stdout + applied.stderr).toBe(stale.size > 0 ? 6 : 0);
        // What is above a domain that stays cannot be deleted.
        const kept = new Set([...stale, ...(stale.has("domain:low") ? ["domain:d"] : [])]);
        expect(names.filter((name) => isThere(site, name))).toEqual(names.filter((name) => kept.has(name)));
        const gone = names.filter((name) => !kept.has(name)).map(urnOf);
        const then = textsIn(site);
        const lost = additional.filter(
          ([of, text]) => then.get(of)?.has(text) !== true && !gone.some((each) => text === each),
        );
        expect(lost).toEqual([]);
      }),
      { numRuns },
    );
  },
);

function fileOf(name: string): string {
  return `${urn(urnOf(name)).split(":").slice(2).join("-")}.yaml`;
}
