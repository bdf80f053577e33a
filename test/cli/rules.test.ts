import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, type MadeAspect } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { inCatalog, appliedRef, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:snowflake,${name},PROD)`;

/** Datasets by their names, a domain and tags. */
function world(names: readonly string[]): readonly MadeAspect[] {
  return [
    ...["finance", "sales"].map((id): MadeAspect => [
      `urn:li:domain:${id}`,
      "domainProperties",
      { name: id },
    ]),
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
  ];
}

async function siteOf(
  files: Readonly<Record<string, string>>,
  names = ["fin.a", "fin.b", "fin.c", "crm.d"],
  settings = settingsWith(),
): Promise<Site> {
  const site = await siteWith(files, settings);
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

const finance = rule(
  "finance",
  "fin.*",
  "domain: finance",
  "tags: [gold]",
  'columns: { "*mail": { tags: [pii] } }',
);

test("a rule is planned, applied and in sync, and covers what comes later", async () => {
  const site = await siteOf({ "rules.yaml": finance }, ["fin.a", "crm.d"]);

  expect(await changesOf(site)).toEqual([
    "fin.a columns.tags email +pii rules.yaml:7 by finance",
    "fin.a domain =finance rules.yaml:5 by finance",
    "fin.a tags +gold rules.yaml:6 by finance",
  ]);
  expect((await site.planned()) as object).toMatchObject({
    rules: [{ id: "finance", matched: 1, changed: 1 }],
  });
  expect((await site.apply()).code).toBe(0);
  expect((await site.plan("--detailed-exitcode")).code).toBe(0);
  await site.catalog.load(metadataFile(site.root, world(["fin.new"])));
  expect(await changesOf(site)).toEqual([
    "fin.new columns.tags email +pii rules.yaml:7 by finance",
    "fin.new domain =finance rules.yaml:5 by finance",
    "fin.new tags +gold rules.yaml:6 by finance",
  ]);
});

test("documents and rules unite; a single value is the document's; what it leaves out does not count", async () => {
  const site = await siteOf({
    "rules.yaml": finance,
    "a.yaml": document("fin.a", "domain: sales", "tags: [pii]", "columns: { email: { tags: [old] } }"),
    "b.yaml": document("fin.b", "exempt: [finance]"),
    "c.yaml": document("fin.c", "tags: [gold]"),
  });

  expect(await changesOf(site)).toEqual([
    "fin.a columns.tags email +old +pii a.yaml:6 by finance",
    "fin.a domain =sales a.yaml:4",
    "fin.a tags +gold +pii rules.yaml:6 by finance",
    "fin.c columns.tags email +pii rules.yaml:7 by finance",
    "fin.c domain =finance rules.yaml:5 by finance",
    "fin.c tags +gold c.yaml:4",
  ]);
  const { rules } = (await site.planned()) as unknown as { readonly rules: unknown };
  expect(rules).toEqual([
    {
      id: "finance",
      kind: "Dataset",
      matched: 2,
      matchedInPart: 2,
      changed: 2,
      values: [
        { facet: "domain", value: "urn:li:domain:finance", on: 1, new: 1, overruled: 1 },
        { facet: "tags", value: "urn:li:tag:gold", on: 2, new: 2, overruled: 0 },
        { facet: "columns.tags", value: "urn:li:tag:pii", on: 2, new: 2, overruled: 0 },
      ],
    },
  ]);
});

test("a mode in a document that declares nothing else holds for what rules declare", async () => {
  const others = `addTags(input: { tagUrns: ["urn:li:tag:old"], resourceUrn: "${dataset("fin.a")}" })`;
  const rules = rule("r", "fin.a", "tags: [gold]", "manage: { tags: authoritative }");
  const site = await siteOf({
    "rules.yaml": rule("r", "fin.a", "tags: [gold]"),
    "a.yaml": document("fin.a", "manage: { tags: additive }"),
  });
  await site.edit(others);

  expect(await changesOf(site)).toEqual(["fin.a tags +gold rules.yaml:5 by r"]);
  site.write(inCatalog({ "rules.yaml": rules }));
  const { code, stderr } = await site.plan();
  expect(code).toBe(3);
  expect(stderr).toContain(
    "catalog/rules.yaml:4:11 error rule-modes: rule `r` and a manifest give `tags` of",
  );
  expect(stderr).toContain("catalog/a.yaml:4:11");
});

test("two rules of one priority that differ are a problem that names both, once for many assets", async () => {
  const site = await siteOf({
    "a.yaml": rule("a", "fin.*", "domain: finance"),
    "b.yaml": rule("b", "*", "domain: sales"),
  });

  const { code, stderr } = await site.plan();
  expect(code).toBe(3);
  expect(stderr).toContain(
    "catalog/b.yaml:5:3 error rule-conflict: rules `a` and `b` give different values for `domain` of 3 assets",
  );
  expect(stderr).toContain("catalog/a.yaml:5:3");
  expect((await site.plan("--target", dataset("crm.d"))).code).toBe(0);
});

test("an asset in a lifecycle stage that searches hide is one like any other, for rules and for an export", async () => {
  const site = await siteOf({ "fin.yaml": rule("fin", "fin.*", "tags: [gold]") });
  await site.catalog.load(metadataFile(site.root, hidden(dataset("fin.b"))));

  const applied = await site.apply();

  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  expect(applied.stdout).toContain("rule fin: matches 3 datasets;");
  expect(site.aspect(dataset("fin.b"), "globalTags")).toMatchObject({ tags: [{ tag: "urn:li:tag:gold" }] });
  const exported = await runCli(["export", "out", "--server", site.catalog.url], { cwd: site.root });
  expect(exported, exported.stderr).toMatchObject({ code: 0 });
  expect(readFileSync(join(site.root, "out/datasets/snowflake/fin/b.yaml"), "utf8")).toContain("gold");
});

test("a rule that matches nothing is a warning", async () => {
  const site = await siteOf({ "rules.yaml": rule("idle", "nothing.*", "tags: [gold]") });

  const { code, stderr } = await site.plan();
  expect(code).toBe(0);
  expect(stderr).toContain(
    "catalog/rules.yaml:1:1 warning rule-matches-nothing: rule `idle` matches nothing in the catalog",
  );
});

test("a pattern that matches no column of what its rule matches is a warning of a strict validation alone", async () => {
  const columns =
    'columns: { "*emial": { tags: [pii] }, "*mail": { tags: [pii] }, id: { tags: [pii], native_type: INT } }';
  const site = await siteOf({ "rules.yaml": rule("fin", "fin.*", columns) });

  expect((await site.plan()).stderr).not.toContain("matches no column");
  expect(await runCli(["validate"], { cwd: site.root })).toMatchObject({ code: 0, stderr: "" });
  const { code, stderr, stdout } = await site.run(["validate", "--strict"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Valid: ");
  expect(stderr.match(/^catalog\/rules.*/gm)).toEqual(
    [
      ["5:14", "*emial"],
      ["5:67", "id"],
    ].map(
      ([place, pattern]) =>
        `catalog/rules.yaml:${place} warning pattern-matches-nothing: \`${pattern}\` matches no column of what rule \`fin\` matches: correct it, or remove it`,
    ),
  );

  expect((await site.run(["export", "--snapshot", "live.json"])).code).toBe(0);
  const offline = ["validate", "--strict", "--snapshot", "live.json"];
  expect((await runCli(offline, { cwd: site.root })).stderr).toContain("`*emial` matches no column");
  expect(writesIn(site.catalog)).toEqual([]);
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

test("a rule taken back: what only it declared is no longer declared, and pruned when it is asked to", async () => {
  const settings = settingsWith(
    "prune: { assignments: true }",
    "guards: { vanished: { min_existing: 100 } }",
  );
  const files = { "rules.yaml": finance, "a.yaml": document("fin.a", "tags: [pii]") };
  const site = await siteOf(files, ["fin.a", "fin.b"], settings);
  expect((await site.apply()).code).toBe(0);
  expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
  site.commit(inCatalog({ "rules.yaml": undefined }));

  const { changes, unmanaged } = await site.planned();
  // The document still declares tags: under the default mode its list is the list.
  expect(changes).toMatchObject([{ urn: dataset("fin.a"), facet: "tags", remove: ["urn:li:tag:gold"] }]);
  expect(unmanaged.map(({ urn, facet, reason }) => [urn, facet, reason])).toEqual([
    [dataset("fin.a"), "columns.tags", "no-longer-declared"],
    [dataset("fin.a"), "domain", "no-longer-declared"],
    [dataset("fin.b"), "columns.tags", "no-longer-declared"],
    [dataset("fin.b"), "domain", "no-longer-declared"],
    [dataset("fin.b"), "tags", "no-longer-declared"],
  ]);
  expect(await changesOf(site, "--prune")).toHaveLength(6);
});

test("what a rule declared between the last applied commit and now was declared before", async () => {
  const manage = "manage: { tags: merge }";
  const site = await siteOf({ "rules.yaml": rule("r", "fin.*", "tags: [gold]", manage) }, ["fin.a"]);
  site.git("update-ref", appliedRef, "HEAD");
  site.commit(inCatalog({ "rules.yaml": rule("r", "fin.*", "tags: [gold, old]", manage) }));
  expect((await site.apply("--target", "*fin.a*")).code).toBe(0);
  site.commit(inCatalog({ "rules.yaml": rule("r", "fin.*", "tags: [gold]", manage) }));
  await site.edit(`addTag(input: { tagUrn: "urn:li:tag:pii", resourceUrn: "${dataset("fin.a")}" })`);

  expect(await changesOf(site)).toEqual(["fin.a tags -old rules.yaml:6 by r"]);
});

test("rules of earlier commits in the form before `declare` count as what was declared", async () => {
  const manage = "manage: { tags: merge }";
  const earlier = (tags: string): string =>
    rule("r", "fin.*", `tags: [${tags}]`, manage).replace("declare:\n  ", "");
  const site = await siteOf({ "rules.yaml": earlier("gold") }, ["fin.a"]);
  site.git("update-ref", appliedRef, "HEAD");
  site.commit(inCatalog({ "rules.yaml": earlier("gold, old") }));
  expect((await site.plan()).stderr).toContain(
    "catalog/rules.yaml:5:1 error misplaced-facets: `tags` of a rule must be below `declare`; write `declare: { tags: [gold, old] }`",
  );
  for (const tag of ["gold", "old", "pii"])
    await site.edit(`addTag(input: { tagUrn: "urn:li:tag:${tag}", resourceUrn: "${dataset("fin.a")}" })`);
  site.commit(inCatalog({ "rules.yaml": rule("r", "fin.*", "tags: []", manage) }));

  const { git } = await site.planned();
  expect(git["base"]).not.toBeNull();
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
    "\nrule r: matches 1 dataset; sets tags gold on 1, 1 of them new; overruled on 0\n" +
      "rule s: matches 4 datasets, 1 of them in this part; sets tags pii on 1, 1 of them new; overruled on 0\n",
  );
  const { code, stderr } = await site.plan("--rule", "t");
  expect(code).toBe(64);
  expect(stderr).toContain("--rule t: no manifest declares a rule of that id");
});

test.each(["ReadAssetColumns", "ReadAssets("])(
  "where %s fails for an asset a plan does not say on how many a rule sets its values",
  async (operation) => {
    const site = await siteOf({ "rules.yaml": finance });
    const url = await inFrontOf(site.catalog.url, ({ query, variables }) =>
      query.includes(operation) && JSON.stringify(variables).includes("fin.a")
        ? { data: null, errors: [{ message: "no luck" }] }
        : undefined,
    );

    const { code, stdout, stderr } = await runCli(["plan", "--server", url], { cwd: site.root });
    expect(code).toBe(1);
    expect(stderr).toContain(`error read-failed: could not read \`${dataset("fin.a")}\`: no luck\n`);
    const known = operation === "ReadAssetColumns" ? 2 : 3;
    expect(stdout).toContain(
      `\nrule finance: matches at least ${known} datasets, but some could not be read; sets domain finance; sets tags gold; sets columns.tags pii\n`,
    );
  },
);

test("a target that no declared entity matches, with rules neither, is refused", async () => {
  const site = await siteOf({ "rules.yaml": finance });

  expect((await site.plan("--target", dataset("fin.a"))).code).toBe(0);
  expect((await site.plan("--target", dataset("crm.d"))).code).toBe(64);
});

test("a rule that would change too many assets is blocked, and its flag says how many", async () => {
  const site = await siteOf(
    { "rules.yaml": finance },
    undefined,
    settingsWith("guards: { spread: { max_count: 2 } }"),
  );

  const { code, stdout } = await site.plan();
  expect(code).toBe(5);
  expect(stdout).toContain("rule `finance` would change 3 assets (limit: 2)");
  expect((await site.plan("--max-spread", "3")).code).toBe(0);
});

test("the plans of shards, merged, are the plan", async () => {
  const site = await siteOf({ "rules.yaml": finance });
  const files = ["1", "2"].map((index) => `plan-${index}.json`);
  for (const [index, file] of files.entries())
    expect((await site.plan("--shard", `${index + 1}/2`, "--out", file)).code).toBe(0);
  const whole = await site.planned();

  const merged = JSON.parse(
    (await runCli(["merge-plans", ...files, "--format", "json"], { cwd: site.root })).stdout,
  ) as typeof whole;
  const told = ({ changes, summary, rules }: typeof whole & { readonly rules?: unknown }): object => ({
    changes,
    summary,
    rules,
  });
  expect(told(merged)).toEqual(told(whole));
});

test("an apply shows what many datasets share once, with --all for each of them, and its counts come last", async () => {
  const names = ["a", "b", "c", "d", "e", "f"].map((name) => `fin.${name}`);
  const site = await siteOf({ "rules.yaml": rule("finance", "fin.*", "tags: [pii]") }, names);

  const folded = await site.apply("--dry-run");
  const whole = await site.apply("--all");

  expect(folded.stdout).toContain("~ 6 datasets: fin.a, fin.b, fin.c and 3 more  (--all lists them)\n");
  expect(whole.stdout.match(/^~ Dataset /gm)).toHaveLength(6);
  expect(whole.stdout).toMatch(/\nPlan: .*\nApplied 6 operations, 0 failed, 0 skipped\.\n$/);
});
