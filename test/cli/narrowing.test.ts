import { expect, test } from "vitest";
import { planOf } from "../report/plans.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { testRepository } from "../support/git-repository.ts";
import { planFile } from "../support/plan-file.ts";
import { inCatalog, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// What a selection holds: test/plan/align/select.test.ts and test/laws/narrowing.test.ts.

const a = datasetNamed("prod.a");
const b = datasetNamed("prod.b");
const c = datasetNamed("prod.c");
const topic = "urn:li:dataset:(urn:li:dataPlatform:kafka,prod.a,PROD)";
const folder = "urn:li:container:f";

const dataset = (name: string, platform: string, more: string): string =>
  `kind: Dataset\nplatform: ${platform}\nname: ${name}\n${more}tags: [pii]\n`;

const files = {
  "definitions.yaml":
    "- { kind: Domain, id: finance, name: Finance }\n- { kind: Domain, id: sales, name: Sales }\n- { kind: Tag, id: pii, name: PII }\n",
  "a.yaml": dataset("prod.a", "snowflake", "domain: finance\n"),
  "b.yaml": dataset("prod.b", "snowflake", "domain: sales\n"),
  "c.yaml": dataset("prod.c", "snowflake", ""),
  "topic.yaml": dataset("prod.a", "kafka", "domain: finance\n"),
  "folder.yaml": `kind: Container\nurn: ${folder}\ndomain: finance\n`,
};

const definitions: readonly MadeAspect[] = [
  ...["finance", "sales"].map((id): MadeAspect => [
    `urn:li:domain:${id}`,
    "domainProperties",
    { name: id === "sales" ? "Sales" : "Finance" },
  ]),
  ["urn:li:tag:pii", "tagProperties", { name: "PII" }],
];

test("kinds, platforms and domains narrow plan, drift and pull, and a plan says what it looked at", async () => {
  const { catalog, run, planned } = await siteWith(files);
  const there = [a, b, c, topic, folder].map((urn): MadeAspect => [urn, "status", { removed: false }]);
  await catalog.load(metadataFile(temporaryDirectory(), [...definitions, ...there]));
  const flags = ["--platform", "kafka", "--kind", "Dataset", "--domain", "finance"];

  expect(await planned("--target", "prod.*", ...flags)).toMatchObject({
    scope: {
      targets: ["prod.*"],
      platforms: ["kafka"],
      kinds: ["Dataset"],
      domains: ["urn:li:domain:finance"],
    },
    changes: [
      { urn: topic, facet: "domain" },
      { urn: topic, facet: "tags" },
    ],
  });
  const drift = await run(["drift", "--format", "json", ...flags]);
  expect(JSON.parse(drift.stdout)).toMatchObject({ changes: [{ urn: topic }, { urn: topic }] });
  expect(await run(["pull", ...flags])).toMatchObject({ code: 0, stdout: "catalog/topic.yaml\n" });
});

test("plan and export understand names of platforms and domains, and name the nearest where one is wrong", async () => {
  const { catalog, run, planned } = await siteWith(files);
  const there = [a, b, c, topic, folder].map((urn): MadeAspect => [urn, "status", { removed: false }]);
  const placed: MadeAspect = [topic, "domains", { domains: ["urn:li:domain:finance"] }];
  await catalog.load(metadataFile(temporaryDirectory(), [...definitions, ...there, placed]));
  const flags = ["--platform", "Kafka", "--domain", "FINANCE"];
  expect(await planned(...flags)).toMatchObject({
    scope: { platforms: ["kafka"], domains: ["urn:li:domain:finance"] },
    changes: [{ urn: topic, facet: "tags" }],
  });
  expect((await run(["export", "out", ...flags])).stdout).toContain(": 1 file created");
  for (const [command, message] of [
    [
      ["plan", "--domain", "finanec"],
      "no declared entity matches --domain urn:li:domain:finanec; did you mean Finance?",
    ],
    [["plan", "--platform", "kafak"], "no declared entity matches --platform kafak; did you mean kafka?"],
    [
      ["export", "out", "--domain", "finanec"],
      "--domain finanec: no domain in the catalog or the manifests has this id or name; did you mean Finance?",
    ],
    [
      ["export", "out", "--platform", "kafak"],
      "--platform kafak: no platform in the catalog or the manifests has this id or name; did you mean kafka?",
    ],
  ] as const)
    expect(await run(command)).toMatchObject({ code: 64, stderr: expect.stringContaining(message) });
});

test("what is excluded is left out of plan, drift, pull, export and apply, whatever else selects it", async () => {
  const { catalog, run, planned, apply, aspect } = await siteWith(files);
  const there = [a, b, c, topic, folder].map((urn): MadeAspect => [urn, "status", { removed: false }]);
  await catalog.load(metadataFile(temporaryDirectory(), [...definitions, ...there]));
  const flags = ["--exclude", "prod.b", "--exclude", "urn:li:*:f", "--exclude", "*kafka*"];
  const urnsIn = (stdout: string): readonly string[] => [
    ...new Set((JSON.parse(stdout) as { changes: readonly { urn: string }[] }).changes.map(({ urn }) => urn)),
  ];

  const plan = await planned("--kind", "Dataset", "--target", "prod.*", ...flags);

  expect(plan).toMatchObject({
    scope: { targets: ["prod.*"], excluded: ["prod.b", "urn:li:*:f", "*kafka*"] },
  });
  expect([...new Set(plan.changes.map(({ urn }) => urn))]).toEqual([a, c]);
  expect(urnsIn(JSON.stringify(await planned(...flags)))).toEqual([a, c]);
  expect(urnsIn((await run(["drift", "--format", "json", ...flags])).stdout)).toEqual([a, c]);
  expect(await run(["pull", "--dry-run", ...flags])).toMatchObject({ code: 0 });
  expect(await run(["export", "exported", ...flags, "--kind", "Tag"])).toMatchObject({ code: 0 });
  expect(await apply(...flags)).toMatchObject({ code: 0 });
  expect([a, b, topic, folder].map((urn) => aspect(urn, "globalTags") !== undefined)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

/** Runs a command beside the manifests, without a server. */
async function withoutServer(...argv: readonly string[]): Promise<Ran> {
  const { root: cwd, write } = testRepository();
  write(inCatalog(files));
  planFile(planOf(), "plan.json", cwd);
  return await runCli([...argv, "--server", "http://127.0.0.1:1"], { cwd });
}

test.each([
  [["--kind", "Group"], "no declared entity matches --kind Group\n"],
  [
    ["--platform", "kafka", "--domain", "sales"],
    "no declared entity matches --platform kafka --domain urn:li:domain:sales\n",
  ],
  [
    ["--target", "prod.x"],
    "no declared entity matches --target prod.x; a pattern must match the full URN, name or id",
  ],
  [
    ["--target", "prod.*", "--exclude", "prod.a", "--exclude", "prod.x"],
    "no declared entity is excluded by --exclude prod.x; a pattern must match",
  ],
  [["--exclude", "*"], "no declared entity matches --exclude *"],
  [["--shard", "1/2", "--exclude", "prod.a"], "--shard and --exclude cannot be used together"],
  [["--kind", "Tags"], "Did you mean Tag?"],
  [["--domain", "urn:li:tag:x"], "It is not the URN of a domain."],
  [["--shard", "1/2", "--kind", "Tag"], "--shard and --kind cannot be used together"],
])("plan %j is refused as wrong usage", async (flags, message) => {
  const { code, stdout, stderr } = await withoutServer("plan", ...flags);
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toContain(message);
});

test.each(["--kind=Tag", "--platform=kafka", "--domain=finance", "--rule=x"])(
  "a saved plan does not take %s",
  async (flag) => {
    const { code, stderr } = await withoutServer("apply", "plan.json", flag);
    expect(code).toBe(64);
    expect(stderr).toContain("cannot be used with a saved plan");
  },
);
