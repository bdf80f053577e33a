import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { type Denial, denying } from "../support/denying.ts";
import { schemaWith } from "../support/schema.ts";
import { settingsWith, type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const alice = "urn:li:corpuser:alice";
const invoices = datasetNamed("prod.invoices");
const orders = datasetNamed("prod.orders");

const good = (urn: string): readonly MadeAspect[] => [
  [urn, "domains", { domains: ["urn:li:domain:finance"] }],
  [urn, "ownership", { owners: [{ owner: alice, type: "DATA_STEWARD" }] }],
  [urn, "schemaMetadata", schemaWith("email")],
  [
    urn,
    "editableSchemaMetadata",
    {
      editableSchemaFieldInfo: [{ fieldPath: "email", globalTags: { tags: [{ tag: "urn:li:tag:pii" }] } }],
    },
  ],
];

const files = {
  "datasets.yaml": `- { kind: Dataset, platform: snowflake, name: prod.invoices, description: One row an invoice. }
- { kind: Dataset, platform: snowflake, name: prod.orders, description: One row an order. }
`,
  "policies.yaml": `- { kind: Policy, id: columns, match: { kind: Dataset }, columns: { require: { tags: { any_of: [pii] } } } }
- { kind: Policy, id: domain, match: { kind: Dataset, name: "prod.*" }, require: { domain: true } }
- { kind: Policy, id: steward, match: { kind: Dataset }, check: "asset.owners.exists(o, o.active)" }
`,
};

/** A site where two datasets pass three policies, and a plan changes both. */
async function siteServing(serving: Parameters<typeof siteWith>[2] = {}): Promise<Site> {
  const site = await siteWith(files, settingsWith(), serving);
  const aspects: readonly MadeAspect[] = [
    ["urn:li:domain:finance", "domainProperties", { name: "Finance" }],
    ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
    [alice, "corpUserInfo", { active: true }],
    ...good(invoices),
    ...good(orders),
  ];
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  return site;
}

const makeSite = siteOnce(() => siteServing());

interface Judged {
  readonly policies: readonly {
    readonly id: string;
    readonly matched: number;
    readonly passes: number;
    readonly unknown: number | readonly { readonly urn: string }[];
  }[];
}

/** By policy how many verdicts there are, and how many pass and are unknown. */
function countsIn({ stdout }: Ran): Readonly<Record<string, readonly number[]>> {
  const { policies } = JSON.parse(stdout) as Judged;
  return Object.fromEntries(
    policies.map(({ id, matched, passes, unknown }) => [
      id,
      [matched, passes, typeof unknown === "number" ? unknown : unknown.length],
    ]),
  );
}

/** Runs a command with the server of a URL, or with a snapshot that is taken of it first. */
const runsAt = (url: string, cwd: string) => {
  const at = (...argv: readonly string[]): Promise<Ran> =>
    runCli([...argv, "--quiet", "--server", url], { cwd });
  const offline = async (...argv: readonly string[]): Promise<Ran> => {
    await at("export", "--snapshot", "all.json");
    return await runCli([...argv, "--quiet", "--snapshot", "all.json"], { cwd });
  };
  return { at, offline };
};

test("all that is read passes", async () => {
  const site = await makeSite();
  const { at } = runsAt(site.catalog.url, site.root);
  const ran = await at("check", "--format", "json");

  expect(countsIn(ran)).toEqual({ columns: [2, 2, 0], domain: [2, 2, 0], steward: [2, 2, 0] });
  expect(ran.code).toBe(0);
});

const of =
  (name: string) =>
  (query: string): boolean =>
    query.startsWith(`query ${name}(`);
const restricted = (): unknown => ({ urn: invoices, __typename: "Restricted" });
const withoutExists = (entity: unknown): unknown => ({ ...(entity as object), exists: null });
const all = ["columns", "domain", "steward"];

test("where a dataset is not told of, no command takes its verdicts for known, and apply writes nothing of it", async () => {
  const site = await makeSite();
  const url = await denying(site.catalog.url, invoices, { isDenied: of("ReadAssets") });
  const { at, offline } = runsAt(url, site.root);

  const ran = [
    await at("check", "--live", "--format", "json"),
    await at("plan", "--format", "json"),
    await offline("plan", "--format", "json"),
  ];
  // What a plan itself could not read is a problem of it, and has no verdict.
  for (const each of ran) expect(all.map((id) => countsIn(each)[id]?.[1])).toEqual([1, 1, 1]);
  for (const command of [["list", "--policy", "steward"], ["coverage"], ["apply", "--auto-approve"]])
    ran.push(await at(...command));
  expect(ran.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(site.aspect(invoices, "editableDatasetProperties")).toBeUndefined();
});

test.each<readonly [string, string, Denial, readonly string[]]>([
  ["what it is matched by", invoices, { isDenied: of("ReadAssetFacts"), isSilent: true }, all],
  [
    "its columns",
    invoices,
    { isDenied: (query) => query.includes("columns: schema"), instead: restricted, isSilent: true },
    ["columns"],
  ],
  ["whether it exists", invoices, { instead: withoutExists, isSilent: true }, all],
  ["its owner", alice, { isDenied: of("ReadPeople"), isSilent: true }, ["steward"]],
])(
  "a dataset of which the server does not tell %s passes no policy about it, by its snapshot either",
  async (_, urn, denial, ids) => {
    const site = await makeSite();
    const { offline } = runsAt(await denying(site.catalog.url, urn, denial), site.root);
    const passed = urn === alice ? 0 : 1;
    const ran = await offline("check", "--format", "json");
    const counts = countsIn(ran);
    expect(ids.map((id) => counts[id])).toEqual(ids.map(() => [2, passed, 2 - passed]));
    expect(ran.code).toBe(1);
  },
);

test("where a catalog answers with errors for columns and people, no policy about them passes", async () => {
  const only = ["ReadAssetColumns", "ReadPeople"];
  const site = await siteServing({
    faults: { faults: [{ fault: "graphql_errors", code: 500, rate: 1, only }] },
  });
  const ran = await runsAt(site.catalog.url, site.root).offline("check", "--format", "json");

  expect(countsIn(ran)).toMatchObject({ columns: [2, 0, 2], steward: [2, 0, 2] });
  expect(ran.code).toBe(1);
});
