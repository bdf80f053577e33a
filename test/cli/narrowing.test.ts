import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { inCatalog, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

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

async function site(): Promise<Site> {
  const made = await siteWith(files);
  const there = [a, b, c, topic, folder].map((urn) => [urn, "status", { removed: false }] as const);
  await made.catalog.load(metadataFile(temporaryDirectory(), there));
  await made.catalog.load(
    metadataFile(temporaryDirectory(), [[c, "domains", { domains: ["urn:li:domain:finance"] }]]),
  );
  expect(await made.apply("--kind", "Domain", "--kind", "Tag")).toMatchObject({ code: 0 });
  return made;
}

test("kinds, platforms, domains and names narrow a plan; of different ones all hold, of one repeated each", async () => {
  const { planned } = await site();
  const cases: readonly (readonly [flags: readonly string[], urns: readonly string[]])[] = [
    [["--kind", "Container"], [folder]],
    [["--kind", "Container", "--kind", "Tag"], [folder]],
    [["--platform", "kafka"], [topic]],
    [
      ["--platform", "kafka", "--platform", "snowflake"],
      [a, b, c, topic],
    ],
    // What is declared decides: of this dataset no domain is.
    [
      ["--domain", "finance"],
      [a, topic, folder],
    ],
    [
      ["--domain", "finance", "--domain", "urn:li:domain:sales"],
      [a, b, topic, folder],
    ],
    [
      ["--domain", "finance", "--kind", "Dataset"],
      [a, topic],
    ],
    [["--domain", "finance", "--platform", "snowflake"], [a]],
    [
      ["--target", "prod.a"],
      [a, topic],
    ],
    [
      ["--target", "prod.*", "--platform", "snowflake"],
      [a, b, c],
    ],
    [["--target", "urn:li:container:*"], [folder]],
    [["--target", "f"], [folder]],
  ];
  for (const [flags, urns] of cases) {
    const { changes } = await planned(...flags);
    expect(new Set(changes.map(({ urn }) => urn)), flags.join(" ")).toEqual(new Set(urns));
  }
});

test("drift and pull take them, too, and a plan says what it looked at", async () => {
  const { run, apply, planned, edit, commit, at } = await site();
  expect(await apply()).toMatchObject({ code: 0 });
  const flags = ["--platform", "kafka", "--kind", "Dataset", "--domain", "finance"];
  expect(await planned(...flags)).toMatchObject({
    scope: { platforms: ["kafka"], kinds: ["Dataset"], domains: ["urn:li:domain:finance"] },
  });
  for (const urn of [a, topic])
    await edit(`removeTag(input: { resourceUrn: "${urn}", tagUrn: "urn:li:tag:pii" })`);
  const drift = await run(["drift", "--format", "json", ...flags]);
  expect(JSON.parse(drift.stdout)).toMatchObject({ changes: [{ urn: topic }] });
  expect(await run(["pull", ...flags])).toMatchObject({ code: 0, stdout: "catalog/topic.yaml\n" });

  const before = at();
  commit(inCatalog({ "topic.yaml": dataset("prod.a", "kafka", "domain: finance\n") }));
  expect((await apply(...flags)).stdout).toContain("Applied 1 operation");
  expect(at()).toBe(before);
});

test.each([
  [["--kind", "Group"], "no declared entity matches --kind Group\n"],
  [
    ["--platform", "kafka", "--domain", "sales"],
    "no declared entity matches --platform kafka --domain urn:li:domain:sales\n",
  ],
  [
    ["--target", "prod.x"],
    "no declared entity matches --target prod.x; a pattern must match the whole URN, name or id",
  ],
  [["--kind", "Tags"], "Did you mean Tag?"],
  [["--domain", "urn:li:tag:x"], "It is neither an id nor a URN of a domain."],
  [["--shard", "1/2", "--kind", "Tag"], "--shard and --kind cannot be used together"],
])("plan %j is refused as wrong usage", async (flags, message) => {
  const { plan } = await siteWith(files);
  const { code, stdout, stderr } = await plan(...flags);
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toContain(message);
});

test.each(["--kind=Tag", "--platform=kafka", "--domain=finance", "--rule=x"])(
  "a saved plan does not take %s",
  async (flag) => {
    const { run, plan } = await siteWith({ "tags.yaml": "kind: Tag\nid: pii\n" });
    await plan("--out", "plan.json");
    const { code, stderr } = await run(["apply", "plan.json", flag]);
    expect({ code, stderr }).toMatchObject({
      code: 64,
      stderr: expect.stringContaining("cannot be used with a saved plan") as string,
    });
  },
);
