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
  const { at, offline } = runsAt(site.catalog.url, site.root);
  for (const ran of [
    await at("plan", "--format", "json"),
    await at("check", "--format", "json"),
    await offline("check", "--format", "json"),
    await offline("plan", "--format", "json"),
  ]) {
    expect(countsIn(ran)).toEqual({ columns: [2, 2, 0], domain: [2, 2, 0], steward: [2, 2, 0] });
    expect(ran.code).toBe(0);
  }
  expect((await at("list", "--policy", "steward", "--format", "csv")).code).toBe(0);
  expect((await at("coverage")).code).toBe(0);
});

const of =
  (name: string) =>
  (query: string): boolean =>
    query.startsWith(`query ${name}(`);
const restricted = (): unknown => ({ urn: invoices, __typename: "Restricted" });
const withoutExists = (entity: unknown): unknown => ({ ...(entity as object), exists: null });
const all = ["columns", "domain", "steward"];

test.each<readonly [string, string, Denial, readonly string[]]>([
  ["what it is matched by", invoices, { isDenied: of("ReadAssetFacts") }, all],
  [
    "what it is matched by, without an error",
    invoices,
    { isDenied: of("ReadAssetFacts"), isSilent: true },
    all,
  ],
  [
    "its columns",
    invoices,
    { isDenied: (query) => query.includes("columns: schema"), instead: restricted, isSilent: true },
    ["columns"],
  ],
  ["its values", invoices, { isDenied: of("ReadAssets") }, all],
  ["whether it exists", invoices, { instead: withoutExists, isSilent: true }, all],
  ["its owner", alice, { isDenied: of("ReadPeople") }, ["steward"]],
  ["its owner, without an error", alice, { isDenied: of("ReadPeople"), isSilent: true }, ["steward"]],
])(
  "a dataset of which the server does not tell %s passes no policy about it",
  async (_, urn, denial, ids) => {
    const site = await makeSite();
    const { at, offline } = runsAt(await denying(site.catalog.url, urn, denial), site.root);
    const passed = urn === alice ? 0 : 1;
    for (const ran of [
      await at("check", "--format", "json"),
      await at("check", "--live", "--format", "json"),
      await offline("check", "--format", "json"),
    ]) {
      const counts = countsIn(ran);
      for (const id of ids)
        expect({ id, counts: counts[id] }).toEqual({ id, counts: [2, passed, 2 - passed] });
      expect(ran.code).toBe(1);
    }
    for (const ran of [await at("plan", "--format", "json"), await offline("plan", "--format", "json")]) {
      const counts = countsIn(ran);
      // What the plan itself could not read is a problem of it, and has no verdict.
      for (const id of ids) expect({ id, passes: counts[id]?.[1] }).toEqual({ id, passes: passed });
      expect(ran.code).toBe(1);
    }
    expect((await at("list", "--policy", ids.at(-1) ?? "")).code).toBe(1);
    expect((await at("coverage")).code).toBe(1);
    expect((await at("apply", "--auto-approve")).code).toBe(1);
    // What could be read and passes is written.
    expect(site.aspect(invoices, "editableDatasetProperties")).toBeUndefined();
  },
);

test("where a catalog answers with errors in place of columns, a snapshot of it passes no policy about them", async () => {
  const faults = {
    faults: [{ fault: "graphql_errors", code: 500, rate: 1, only: ["ReadAssetColumns"] }],
  } as const;
  const site = await siteServing({ faults });
  const ran = await runsAt(site.catalog.url, site.root).offline("check", "--format", "json");
  expect([countsIn(ran)["columns"], ran.code]).toEqual([[2, 0, 2], 1]);
});

test.each(["ReadAssetFacts", "ReadPeople"])(
  "where a catalog answers %s with errors, no policy passes",
  async (operation) => {
    const faults = { faults: [{ fault: "graphql_errors", code: 500, rate: 1, only: [operation] }] } as const;
    const site = await siteServing({ faults });
    const { at, offline } = runsAt(site.catalog.url, site.root);
    for (const ran of [
      await at("plan", "--format", "json"),
      await at("check", "--format", "json"),
      await offline("check", "--format", "json"),
    ]) {
      expect(countsIn(ran)["steward"]).toEqual([2, 0, 2]);
      expect(ran.code).toBe(1);
    }
    expect((await at("list", "--policy", "steward")).code).toBe(1);
    expect((await at("coverage")).code).toBe(1);
  },
);
