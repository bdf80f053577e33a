import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { schemaWith } from "../support/schema.ts";
import { settingsWith, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const files = {
  "datasets.yaml": `- { kind: Dataset, platform: snowflake, name: documented, tags: [] }
- { kind: Dataset, platform: snowflake, name: exempt, exempt: [mails] }
- { kind: Dataset, platform: snowflake, name: ignored, tags: [] }
`,
  "rules.yaml": `- { kind: Rule, id: mails, match: { kind: Dataset, name: "mail.*" }, declare: { columns: { email: { tags: [] } } } }
- { kind: Rule, id: tables, match: { kind: Dataset, container: "urn:li:container:c" }, declare: { tags: [] } }
`,
  "policies.yaml": "{ kind: Policy, id: in-git, match: { kind: Dataset }, check: asset.declared }\n",
};

/** By name, whether something is declared of it. */
const declared = {
  documented: true,
  exempt: true,
  ignored: false,
  "ignored.ruled": false,
  "mail.without": false,
  "mail.with": true,
  "in-container": true,
  other: false,
};

const urns = Object.keys(declared).map((name) => [name, datasetNamed(name)] as const);
const settings = settingsWith(
  `ignore: [{ urn: "urn:li:dataset:(urn:li:dataPlatform:snowflake,ignored*", reason: theirs }]`,
);

test("list, check and explain agree on what is declared", async () => {
  const site = await siteWith(files, settings);
  const named = Object.fromEntries(urns);
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:container:c", "containerProperties", { name: "c" }],
      ...urns.map(([, urn]) => [urn, "status", { removed: false }] as const),
      ...["in-container", "ignored.ruled"].map(
        (name) => [named[name]!, "container", { container: "urn:li:container:c" }] as const,
      ),
      [named["mail.with"]!, "schemaMetadata", schemaWith("email")],
      [named["mail.without"]!, "schemaMetadata", schemaWith("id")],
    ]),
  );
  const json = async (...argv: readonly string[]): Promise<unknown> => {
    const all = [...argv, "--format", "json"];
    const ran = argv.includes("--snapshot") ? await runCli(all, { cwd: site.root }) : await site.run(all);
    return JSON.parse(ran.stdout);
  };
  const taken = await site.run(["export", "--snapshot", "live.json"]);
  expect(taken).toMatchObject({ code: 0 });

  const outside = urns.filter(([name]) => !declared[name as keyof typeof declared]).map(([, urn]) => urn);
  for (const from of [[], ["--snapshot", "live.json"]]) {
    const { entities } = (await json("list", "--kind", "Dataset", ...from)) as {
      readonly entities: readonly { urn: string; declared: boolean; violates: readonly string[] }[];
    };
    expect(
      entities
        .filter((each) => !each.declared)
        .map(({ urn }) => urn)
        .toSorted(),
    ).toEqual(outside.toSorted());
    expect(
      entities
        .filter(({ violates }) => violates.length > 0)
        .map(({ urn }) => urn)
        .toSorted(),
    ).toEqual(outside.toSorted());
    for (const how of from.length === 0 ? [[], ["--live"]] : [[]]) {
      const { policies } = (await json("check", ...how, ...from)) as {
        readonly policies: readonly { readonly existing: readonly { readonly urn: string }[] }[];
      };
      expect(policies[0]?.existing.map(({ urn }) => urn)).toEqual(outside.toSorted());
    }
  }
  for (const [name, urn] of urns.filter(([each]) =>
    ["exempt", "ignored.ruled", "in-container"].includes(each),
  )) {
    const { policies } = (await json("explain", urn)) as {
      readonly policies: readonly { readonly status: string }[];
    };
    const status = declared[name as keyof typeof declared] ? "passes" : "violates";
    expect({ name, status: policies[0]?.status }).toEqual({ name, status });
  }
});
