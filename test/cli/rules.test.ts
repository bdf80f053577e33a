import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, type MadeAspect } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { inCatalog, appliedRef, type Site, siteWith } from "../support/site.ts";

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:snowflake,${name},PROD)`;

// What rules declare, match and count: test/laws/rules.test.ts, test/plan/rules and test/sync/rules.

/** Datasets by their names, and tags. */
function world(names: readonly string[]): readonly MadeAspect[] {
  return [
    ...["pii", "gold", "old"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
    ...names.map((name): MadeAspect => [dataset(name), "schemaMetadata", schemaWith("id", "email")]),
  ];
}

/** A stage that hides what is in it, with an asset. */
function hidden(asset: string): readonly MadeAspect[] {
  const stage = "urn:li:lifecycleStageType:DRAFT";
  const stamp = { time: 0, actor: "urn:li:corpuser:datahub" };
  const info = { name: "Draft", settings: { hideInSearch: true }, created: stamp, lastModified: stamp };
  return [
    [stage, "lifecycleStageTypeInfo", info],
    [asset, "status", { removed: false, lifecycleStage: stage }],
    [asset, "globalTags", { tags: [{ tag: "urn:li:tag:old" }] }],
  ];
}

async function siteOf(
  files: Readonly<Record<string, string>>,
  names = ["fin.a", "fin.b", "fin.c", "crm.d"],
): Promise<Site> {
  const site = await siteWith(files);
  await site.catalog.load(metadataFile(site.root, world(names)));
  return site;
}

const rule = (id: string, name: string, ...lines: readonly string[]): string =>
  [
    "kind: Rule",
    `id: ${id}`,
    `match: { kind: Dataset, platform: snowflake, name: "${name}" }`,
    ...lines.filter((line) => line.startsWith("manage:")),
    "declare:",
    ...lines.filter((line) => !line.startsWith("manage:")).map((line) => `  ${line}`),
    "",
  ].join("\n");

const document = (name: string, ...lines: readonly string[]): string =>
  ["kind: Dataset", "platform: snowflake", `name: ${name}`, ...lines, ""].join("\n");

/** A change, as these tests look at it. */
interface Changed {
  readonly urn: string;
  readonly facet: string;
  readonly column?: string;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly after?: string | null;
  readonly rules?: readonly string[];
  readonly source: { readonly file: string; readonly line: number };
}

const idOf = (urn: string): string => urn.split(":").at(-1) ?? "";

/** What a plan changes: "name facet column +added -removed place by rules". */
async function changesOf(site: Site, ...flags: readonly string[]): Promise<readonly string[]> {
  const { changes } = (await site.planned(...flags)) as unknown as { readonly changes: readonly Changed[] };
  return changes.map(({ urn, facet, column, add = [], remove = [], after, rules, source }) =>
    [
      urn.split(",")[1] ?? "",
      facet,
      ...(column === undefined ? [] : [column]),
      ...add.map((each) => `+${idOf(each)}`),
      ...remove.map((each) => `-${idOf(each)}`),
      ...(after === undefined ? [] : [`=${idOf(after ?? "none")}`]),
      `${source.file.replace("catalog/", "")}:${source.line}`,
      ...(rules ? [`by ${rules.join()}`] : []),
    ].join(" "),
  );
}

test("an asset in a lifecycle stage that searches hide is one like any other, for rules and for an export", async () => {
  const site = await siteOf({ "fin.yaml": rule("fin", "fin.*", "tags: [gold]") });
  await site.catalog.load(metadataFile(site.root, hidden(dataset("fin.b"))));

  const planned = await site.plan();

  expect(planned.stdout).toContain("rule fin: matches 3 datasets;");
  const exported = await runCli(["export", "out", "--server", site.catalog.url], { cwd: site.root });
  expect(exported, exported.stderr).toMatchObject({ code: 0 });
  expect(readFileSync(join(site.root, "out/datasets/snowflake/fin/b.yaml"), "utf8")).toContain("tags: [old]");
});

test("a pattern that matches no column of what its rule matches is a warning of a strict validation alone", async () => {
  const columns =
    'columns: { "*emial": { tags: [pii] }, "*mail": { tags: [pii] }, id: { tags: [pii], native_type: INT } }';
  const site = await siteOf({ "rules.yaml": rule("fin", "fin.*", columns) });

  const { code, stderr, stdout } = await site.run(["validate", "--strict"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Valid: ");
  expect(stderr.match(/^catalog\/rules.*/gm)).toEqual(
    [
      ["5:14", "*emial"],
      ["5:67", "id"],
    ].map(
      ([place, pattern]) =>
        `catalog/rules.yaml:${place} warning pattern-matches-nothing: \`${pattern}\` matches no column of the assets that rule \`fin\` matches: correct or remove the pattern`,
    ),
  );

  expect((await site.run(["export", "--snapshot", "live.json"])).code).toBe(0);
  const offline = ["validate", "--strict", "--snapshot", "live.json"];
  expect((await runCli(offline, { cwd: site.root })).stderr).toContain("`*emial` matches no column");
});

test("a strict validation reports what a plan does, and is refused where it has no catalog", async () => {
  const site = await siteOf({ "a.yaml": document("fin.z", "tags: [gold]") });

  expect(await site.run(["validate", "--strict"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("error asset-missing"),
  });
  expect((await site.run(["validate"])).stderr).toContain("--server needs --strict");
  expect((await runCli(["validate", "--strict"], { cwd: site.root })).code).toBe(64);
});

test("what rules declared since the last applied commit was declared before, also in the form before `declare`", async () => {
  const manage = "manage: { tags: merge }";
  const earlier = (tags: string): string =>
    rule("r", "fin.*", `tags: [${tags}]`, manage).replace("declare:\n  ", "");
  const site = await siteOf({ "rules.yaml": earlier("gold") }, ["fin.a"]);
  const tags = ["gold", "old", "pii"].map((id) => ({ tag: `urn:li:tag:${id}` }));
  await site.catalog.load(metadataFile(site.root, [[dataset("fin.a"), "globalTags", { tags }]]));
  site.git("update-ref", appliedRef, "HEAD");
  site.commit(inCatalog({ "rules.yaml": earlier("gold, old") }));
  site.commit(inCatalog({ "rules.yaml": rule("r", "fin.*", "tags: []", manage) }));

  expect(await changesOf(site)).toEqual(["fin.a tags -gold -old rules.yaml:6 by r"]);
});

test("with --changed-since an asset is selected where its expansion differs", async () => {
  const site = await siteOf({
    "rules.yaml": rule("r", "fin.a", "tags: [gold]"),
    "s.yaml": rule("s", "*", "tags: [pii]"),
  });
  site.git("update-ref", appliedRef, "HEAD");
  site.git("checkout", "--quiet", "-b", "a-branch");
  site.commit(
    inCatalog({
      "rules.yaml": rule("r", "fin.[ab]", "tags: [gold]").replace('"fin.[ab]"', '["fin.a", "fin.b"]'),
    }),
  );

  expect(await changesOf(site, "--changed-since", "main")).toEqual([
    "fin.b tags +gold +pii rules.yaml:5 by r,s",
  ]);
});

test("--rule looks at what one rule matches, and names one that was meant", async () => {
  const site = await siteOf({
    "r.yaml": rule("r", "fin.a", "tags: [gold]"),
    "s.yaml": rule("s", "*", "tags: [pii]"),
  });

  expect(await changesOf(site, "--rule", "r")).toEqual(["fin.a tags +gold +pii r.yaml:5 by r,s"]);
  expect((await site.plan("--rule", "r")).stdout).toContain(
    "\nrule r: matches 1 dataset; sets tags gold on 1, 1 of them new\n" +
      "rule s: matches 4 datasets, 1 of them in this selection; sets tags pii on 1, 1 of them new\n",
  );
  const { code, stderr } = await site.plan("--rule", "t");
  expect(code).toBe(64);
  expect(stderr).toContain("--rule t: no manifest declares a rule with this id");
  expect((await site.plan("--target", dataset("none"))).code).toBe(64);
});

test("a plan shows what many datasets share once, with --all for each of them", async () => {
  const names = ["a", "b", "c", "d", "e", "f"].map((name) => `fin.${name}`);
  const site = await siteOf({ "rules.yaml": rule("finance", "fin.*", "tags: [pii]") }, names);

  const folded = await site.plan();
  const whole = await site.plan("--all");

  expect(folded.stdout).toContain("~ 6 datasets: fin.a, fin.b, fin.c and 3 more  (--all lists them)\n");
  expect(whole.stdout.match(/^~ Dataset /gm)).toHaveLength(6);
});
