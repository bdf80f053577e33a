import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { isValidUrn } from "../../src/local-catalog/registry/entity-urn.ts";
import { anyCharacter } from "../support/any-text.ts";
import { type MadeAspect, metadataFile, openTestCatalog } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { formatted } from "../../src/manifests/edit/format/formatted.ts";
import { manifestText } from "../../src/manifests/edit/format/manifest-text.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { counted, runsOf } from "../support/runs.ts";

const numRuns = runsOf(4);

/** Texts that YAML, a file system or a reader might take for something else. */
const oddTexts = [
  "none",
  "null",
  "~",
  "yes",
  "no",
  "on",
  "true",
  "00123",
  "1e3",
  "0x1f",
  "1_000",
  ".5",
  "12:30:45",
  "2024-01-01",
  "- a",
  "a: b",
  "# no comment",
  "a #b",
  "'quoted'",
  '"quoted"',
  "{a}",
  "[a]",
  "*x",
  "&x",
  "!x",
  "%x",
  "@x",
  "`x`",
  "|",
  ">",
  "a, b",
  "<<",
  "=",
  "?",
  "...",
  "---",
  "CON",
  "nul.txt",
  "a/b",
  "a\\b",
  "Ünï cödé",
  "🙂",
  "a%2Fb",
  "a..b",
  "x".repeat(90),
];
const multiline = [
  "two\nlines",
  "ends with a line\n",
  "\n starts odd",
  "  indented\n    more\n",
  "tab\tand space ",
  "a\r\nb",
  "\u0007bell\u001b[0m",
  "\u2028",
  "\u202e",
];

const id = fc.oneof(fc.constantFrom("a", "b", "Finance", "finance", "FINANCE"), fc.constantFrom(...oddTexts));
const text = fc.oneof(fc.constantFrom(...oddTexts, ...multiline), fc.string({ unit: "grapheme" }));
const ids = fc.uniqueArray(id, { maxLength: 4 });
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 });

const paths = [
  "email",
  "Email",
  "a.b",
  "[version=2.0].[type=struct].[type=string].email",
  "[version=2.0].[type=struct].[type=string].zip code",
  "none",
];
const ownerTypes = [
  { type: "DATA_STEWARD", typeUrn: "urn:li:ownershipType:__system__data_steward" },
  { type: "TECHNICAL_OWNER" },
  { type: "CUSTOM", typeUrn: "urn:li:ownershipType:0f5c" },
  { type: "CUSTOM", typeUrn: "urn:li:ownershipType:TECHNICAL_OWNER" },
  { type: "CUSTOM" },
  { type: "PRODUCER" },
];

const encoded = (key: string): string =>
  key.replace(/[(),]/g, (each) => encodeURIComponent(each).replace("(", "%28").replace(")", "%29"));
const urnOf = (type: string) => (key: string) => `urn:li:${type}:${encoded(key)}`;
const [domainUrn, tagUrn, userUrn, groupUrn, termUrn, nodeUrn] = [
  urnOf("domain"),
  urnOf("tag"),
  urnOf("corpuser"),
  urnOf("corpGroup"),
  urnOf("glossaryTerm"),
  urnOf("glossaryNode"),
];
const stamp = { time: 0, actor: "urn:li:corpuser:a" };
const termed = (terms: readonly string[]) => ({
  terms: terms.map((term) => ({ urn: termUrn(term) })),
  auditStamp: stamp,
});
const tagged = (tags: readonly string[]) => ({ tags: tags.map((tag) => ({ tag: tagUrn(tag) })) });

const owners = fc.uniqueArray(
  fc.record({ owner: fc.oneof(id.map(userUrn), id.map(groupUrn)), of: fc.constantFrom(...ownerTypes) }),
  { maxLength: 3 },
);

/** What the URN of an asset is, by its platform, its name and its environment, and the aspect that people describe it in. */
const assetKinds: Readonly<
  Record<string, readonly [urn: (platform: string, name: string, env: string) => string, edited: string]>
> = {
  chart: [(platform, name) => `urn:li:chart:(${platform},${name})`, "editableChartProperties"],
  dataFlow: [
    (platform, name, env) => `urn:li:dataFlow:(${platform},${name},${env})`,
    "editableDataFlowProperties",
  ],
  dataJob: [
    (platform, name, env) => `urn:li:dataJob:(urn:li:dataFlow:(${platform},${name},${env}),${name})`,
    "editableDataJobProperties",
  ],
  mlModel: [
    (platform, name, env) => `urn:li:mlModel:(urn:li:dataPlatform:${platform},${name},${env})`,
    "editableMlModelProperties",
  ],
};

const otherAssets = fc.record({
  type: fc.constantFrom(...Object.keys(assetKinds)),
  platform: fc.constantFrom("looker", "airflow"),
  name: id,
  env: fc.constantFrom("PROD", "DEV"),
  domain: some(id),
  tags: ids,
  terms: ids,
  description: some(text),
});

const assets = fc.record({
  platform: fc.constantFrom("snowflake", "s3", "kafka"),
  name: fc.oneof(
    id,
    fc.tuple(id, id).map(([a, b]) => `${a}.${b}`),
  ),
  env: fc.constantFrom("PROD", "DEV"),
  domain: some(id),
  tags: ids,
  terms: ids,
  description: some(text),
  ingested: some(text),
  owners,
  columns: fc.uniqueArray(
    fc.record({ path: fc.constantFrom(...paths), tags: ids, terms: ids, description: some(text) }),
    { selector: ({ path }) => path, maxLength: 4 },
  ),
  isRemoved: fc.boolean(),
});

/** Definitions as aspects: those that stand alone, and those that need each other. */
const definitions = fc.record({
  domains: fc.uniqueArray(fc.record({ id, name: text, description: some(text), parent: some(id), owners }), {
    selector: (each) => each.id,
    maxLength: 4,
  }),
  tags: fc.uniqueArray(
    fc.record({
      id,
      name: text,
      colorHex: some(fc.constantFrom("#fff", "red", "none")),
      isRemoved: fc.boolean(),
    }),
    { selector: (each) => each.id, maxLength: 4 },
  ),
  users: fc.uniqueArray(
    fc.record({
      id,
      displayName: some(text),
      title: some(text),
      departmentId: some(fc.integer()),
      aboutMe: some(text),
      groups: ids,
      legacyGroups: ids,
    }),
    { selector: (each) => each.id, maxLength: 4 },
  ),
  groups: fc.uniqueArray(fc.record({ id, displayName: some(text), isExternal: fc.boolean(), owners }), {
    selector: (each) => each.id,
    maxLength: 4,
  }),
  nodes: fc.uniqueArray(fc.record({ id, name: some(text), definition: text, parent: some(id) }), {
    selector: (each) => each.id,
    maxLength: 4,
  }),
  terms: fc.uniqueArray(
    fc.record({
      id,
      name: some(text),
      definition: text,
      termSource: fc.constantFrom("INTERNAL", "EXTERNAL"),
      sourceRef: some(text),
      parent: some(id),
      domain: some(id),
      related: fc.tuple(ids, ids, ids, ids),
      isRemoved: fc.boolean(),
    }),
    { selector: (each) => each.id, maxLength: 4 },
  ),
});

const worlds = fc.record({
  definitions,
  assets: fc.array(assets, { maxLength: 6 }),
  otherAssets: fc.array(otherAssets, { maxLength: 3 }),
});
type World = typeof worlds extends fc.Arbitrary<infer Value> ? Value : never;

function ownership(list: World["assets"][number]["owners"]): object {
  return { owners: list.map(({ owner, of }) => ({ owner, ...of })) };
}

function aspectsOf({
  definitions: { domains, tags, users, groups, nodes, terms },
  assets: datasets,
  otherAssets: those,
}: World): readonly MadeAspect[] {
  const present = (fields: object): object => JSON.parse(JSON.stringify(fields)) as object;
  const aspects = [
    ...domains.flatMap((each) => [
      [
        domainUrn(each.id),
        "domainProperties",
        {
          name: each.name,
          description: each.description,
          parentDomain: each.parent && domainUrn(each.parent),
        },
      ],
      [domainUrn(each.id), "ownership", ownership(each.owners)],
    ]),
    ...tags.flatMap((each) => [
      [tagUrn(each.id), "tagProperties", { name: each.name, colorHex: each.colorHex }],
      [tagUrn(each.id), "status", { removed: each.isRemoved }],
    ]),
    ...users.flatMap(({ id: key, displayName, title, departmentId, aboutMe, groups: its, legacyGroups }) => [
      [userUrn(key), "corpUserInfo", { active: true, displayName, title, departmentId }],
      [userUrn(key), "corpUserEditableInfo", { aboutMe }],
      [userUrn(key), "nativeGroupMembership", { nativeGroups: its.map(groupUrn) }],
      [userUrn(key), "groupMembership", { groups: legacyGroups.map(groupUrn) }],
    ]),
    ...groups.flatMap((each) => [
      [
        groupUrn(each.id),
        "corpGroupInfo",
        { admins: [], members: [], groups: [], displayName: each.displayName },
      ],
      [groupUrn(each.id), "origin", { type: each.isExternal ? "EXTERNAL" : "NATIVE" }],
      [groupUrn(each.id), "ownership", ownership(each.owners)],
    ]),
    ...nodes.map(({ id: key, name, definition, parent }) => [
      nodeUrn(key),
      "glossaryNodeInfo",
      { name, definition, parentNode: parent && nodeUrn(parent) },
    ]),
    ...terms.flatMap(({ id: key, parent, domain, related, isRemoved, ...info }) => {
      const [isRelatedTerms, hasRelatedTerms, values, relatedTerms] = related.map((list) =>
        list.map(termUrn),
      );
      return [
        [termUrn(key), "glossaryTermInfo", { ...info, parentNode: parent && nodeUrn(parent) }],
        [termUrn(key), "glossaryRelatedTerms", { isRelatedTerms, hasRelatedTerms, values, relatedTerms }],
        [termUrn(key), "domains", { domains: domain === undefined ? [] : [domainUrn(domain)] }],
        [termUrn(key), "status", { removed: isRemoved }],
      ];
    }),
    ...those.flatMap((each) => {
      const [assetUrn, editedAspect] = assetKinds[each.type] ?? [];
      const urn = assetUrn?.(each.platform, encoded(each.name), each.env);
      return [
        [urn, editedAspect, { description: each.description }],
        [urn, "globalTags", tagged(each.tags)],
        [urn, "glossaryTerms", termed(each.terms)],
        [urn, "domains", { domains: each.domain === undefined ? [] : [domainUrn(each.domain)] }],
        [urn, "status", { removed: false }],
      ];
    }),
    ...datasets.flatMap((each) => {
      const urn = `urn:li:dataset:(urn:li:dataPlatform:${each.platform},${encoded(each.name)},${each.env})`;
      const edited = each.columns.map(({ path, tags: own, terms: ownTerms, description }) => ({
        fieldPath: path,
        description,
        globalTags: tagged(own),
        glossaryTerms: termed(ownTerms),
      }));
      return [
        [urn, "schemaMetadata", schemaWith(...each.columns.map(({ path }) => path))],
        [urn, "editableSchemaMetadata", { editableSchemaFieldInfo: edited }],
        [urn, "globalTags", tagged(each.tags)],
        [urn, "glossaryTerms", termed(each.terms)],
        [urn, "editableDatasetProperties", { description: each.description }],
        [urn, "datasetProperties", { description: each.ingested, customProperties: {} }],
        [urn, "domains", { domains: each.domain === undefined ? [] : [domainUrn(each.domain)] }],
        [urn, "ownership", ownership(each.owners)],
        [urn, "status", { removed: each.isRemoved }],
      ];
    }),
  ];
  return aspects.map(([urn, name, value]) => [urn, name, present(value as object)] as MadeAspect);
}

/** A second manifest beside some of the exported ones: it repeats their fields, and of each list some elements. */
function besides(files: readonly string[], cwd: string, draw: (ways: number) => number): void {
  const partOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter(() => draw(2) === 0);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, partOf(each)]));
  };
  const repeated = files.filter(() => draw(2) === 0);
  const texts = repeated.map((name) => {
    const data = partOf(parse(readFileSync(join(cwd, "catalog", name), "utf8"))) as JsonObject;
    return `---\n${manifestText([{ data }])}`;
  });
  writeFileSync(join(cwd, "catalog", "others.yaml"), `# Not exported.\n${texts.join("")}`);
}

test(
  "whatever is in a catalog, a plan of its export is empty, also beside other manifests, and to export again changes nothing",
  counted,
  async () => {
    await fc.assert(
      fc.asyncProperty(worlds, fc.infiniteStream(fc.nat(1000)), async (world, draws) => {
        const cwd = mkdtempSync(join(tmpdir(), "export-law-"));
        const { catalog, close } = await openTestCatalog();
        const run = (...argv: readonly string[]) => runCli([...argv, "--server", catalog.url], { cwd });
        try {
          await catalog.load(metadataFile(cwd, aspectsOf(world)));
          const exported = await run("export");
          expect(exported.code, exported.stderr).toBe(0);
          if (/: 0 files created/.test(exported.stdout)) return;
          const files = readdirSync(join(cwd, "catalog"), { recursive: true, encoding: "utf8" }).filter(
            (name) => name.endsWith(".yaml"),
          );
          for (const name of files) {
            expect(name.length).toBeLessThanOrEqual(240);
            const written = readFileSync(join(cwd, "catalog", name), "utf8");
            expect(formatted(written)).toBe(written);
          }
          expect(new Set(files.map((name) => name.toLowerCase())).size).toBe(files.length);
          const plan = await run("plan", "--detailed-exitcode", "--quiet");
          expect(plan.stdout).toMatch(/^No changes\. /m);
          expect(plan.code, plan.stderr).toBe(0);
          expect((await run("export")).stdout).toMatch(/^Exported to catalog: 0 files created, 0 updated, /);

          besides(files, cwd, (ways) => (draws.next().value as number) % ways);
          const others = readFileSync(join(cwd, "catalog", "others.yaml"), "utf8");
          expect(await run("plan", "--detailed-exitcode", "--quiet")).toMatchObject({ code: 0 });
          expect(await run("export")).toMatchObject({ code: 0 });
          expect(readFileSync(join(cwd, "catalog", "others.yaml"), "utf8")).toBe(others);
          expect(await run("plan", "--detailed-exitcode", "--quiet")).toMatchObject({ code: 0 });
          expect((await run("export")).stdout).toMatch(/^Exported to catalog: 0 files created, 0 updated, /);
        } finally {
          await close();
          rmSync(cwd, { recursive: true, force: true });
        }
      }),
      { numRuns },
    );
  },
);

/** Ids of every form that DataHub stores, such as those that begin with a blank or look like a path, a URN or YAML. */
const anyId = fc
  .tuple(
    fc.constantFrom("", " ", "\t", "\n", "urn:li:tag:", "../", ".", "~", "- "),
    fc.oneof(
      id,
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: "grapheme" }),
      fc.string({ maxLength: 400 }),
    ),
    fc.constantFrom("", ".", "\n.", "()", ",x", "%20", "%", "\u00a0", "/"),
  )
  .map((parts) => parts.join(""));

/** What stands there for an entity of a type, so that it exists. */
const existing: Readonly<Record<string, (name: string) => readonly [string, object]>> = {
  domain: (name) => ["domainProperties", { name }],
  tag: (name) => ["tagProperties", { name }],
  corpuser: (displayName) => ["corpUserInfo", { active: true, displayName }],
  corpGroup: (displayName) => ["corpGroupInfo", { displayName, admins: [], members: [], groups: [] }],
  glossaryNode: (name) => ["glossaryNodeInfo", { name, definition: "" }],
  glossaryTerm: (name) => ["glossaryTermInfo", { name, definition: "", termSource: "INTERNAL" }],
};

test(
  "whatever ids a server accepts, an export is valid and a plan of it empty, and what it leaves out is counted",
  counted,
  async () => {
    const many = fc.uniqueArray(fc.tuple(fc.constantFrom(...Object.keys(existing)), anyId), {
      selector: (each) => each.join(" "),
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(many, async (pairs) => {
        const cwd = mkdtempSync(join(tmpdir(), "export-law-"));
        const { catalog, close } = await openTestCatalog();
        const run = (...argv: readonly string[]) => runCli([...argv, "--server", catalog.url], { cwd });
        try {
          const urns = pairs.map(([type, key]) => `urn:li:${type}:${key}`).filter(isValidUrn);
          const aspects = urns.map((urn): MadeAspect => {
            const [name, value] = existing[urn.split(":")[2] ?? ""]?.("x") ?? ["status", {}];
            return [urn, name, value];
          });
          await catalog.load(metadataFile(cwd, aspects));
          const exported = await run("export");
          expect(exported.code, exported.stderr).toBe(0);
          const files = Number(/: (\d+) files? created/.exec(exported.stdout)?.[1]);
          const left = [...exported.stderr.matchAll(/^Skipped (\d+) (?:[\w -]+ )?entit/gm)].map(
            ([, number]) => Number(number),
          );
          // A new catalog has a user of its own, which belongs to DataHub.
          expect(files + left.reduce((sum, each) => sum + each, 0)).toBe(new Set(urns).size + 1);
          if (files === 0) return;
          expect((await runCli(["validate"], { cwd })).code).toBe(0);
          const plan = await run("plan", "--detailed-exitcode", "--quiet");
          expect(plan.stdout).toMatch(/^No changes\. /m);
          expect(plan.code, plan.stderr).toBe(0);
        } finally {
          await close();
          rmSync(cwd, { recursive: true, force: true });
        }
      }),
      { numRuns },
    );
  },
);
