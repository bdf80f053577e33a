import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import type { Ran } from "../support/command-line.ts";
import { type Site, siteOnce, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const ben = "urn:li:corpuser:ben";
const invoices = datasetNamed("prod.invoices");

const files = {
  "all.yaml": `- kind: Tag
  id: pii
- kind: Dataset
  platform: snowflake
  name: prod.invoices
  owners: [{ user: ben, type: DATA_STEWARD }]
`,
  "policies.yaml": `- { kind: Policy, id: steward, match: { kind: Dataset }, require: { owners: { active: true } } }
- { kind: Policy, id: described, match: { kind: Tag }, require: { description: true } }
- kind: Waiver
  policy: described
  match: { urn: "urn:li:tag:*" }
  reason: Until spring.
  expires: 2026-12-01
`,
};

const active = (urn: string, isActive: boolean): MadeAspect => [urn, "corpUserInfo", { active: isActive }];

const makeSite = siteOnce(async (): Promise<Site> => {
  const site = await siteWith(files);
  const aspects = [active(ben, true), active("urn:li:corpuser:ann", true)];
  const owned: MadeAspect = [
    invoices,
    "ownership",
    { owners: [{ owner: "urn:li:corpuser:ann", type: "DATA_STEWARD" }] },
  ];
  await site.catalog.load(metadataFile(temporaryDirectory(), [...aspects, owned]));
  return site;
});

/** A site with a saved plan that violates no policy on its day, 2026-11-28. */
async function siteWithPlan(): Promise<Site> {
  const site = await makeSite();
  const { code, stdout } = await at(site, "2026-11-28", "plan", "--out", "plan.json");
  expect(stdout).toContain("Policies: 0 introduced, 0 fixed, 0 existing, 1 waived.");
  expect(code).toBe(0);
  return site;
}

/** Runs a command at an instant, by default that of the beginning of a day in UTC. */
async function at(site: Site, instant: string, ...argv: readonly string[]): Promise<Ran> {
  return await site.run(argv, { env: epochOf(instant) });
}

const epochOf = (instant: string): Readonly<Record<string, string>> => ({
  SOURCE_DATE_EPOCH: String(Date.parse(instant) / 1000),
});

const leaves = (site: Site): Promise<unknown> =>
  site.catalog.load(metadataFile(temporaryDirectory(), [active(ben, false)]));

test.each(["2026-11-28", "2026-12-01", "2026-12-01T23:59:59Z"])(
  "a saved plan is applied at %s: its waiver holds until the end of its last day",
  async (instant) => {
    const site = await siteWithPlan();
    expect((await at(site, instant, "apply", "plan.json")).code).toBe(0);
    expect(site.aspect("urn:li:tag:pii", "tagKey")).toBeDefined();
  },
);

test("a saved plan writes nothing once a waiver of it has expired, and says which", async () => {
  const site = await siteWithPlan();
  for (const flags of [[], ["--allow-partial"], ["--dry-run"]]) {
    const { code, stdout, stderr } = await at(site, "2026-12-02", "apply", "plan.json", ...flags);
    expect(code).toBe(4);
    expect(stdout + stderr).toContain(
      "error: policy described: urn:li:tag:pii: has no description; its waiver (catalog/policies.yaml:3:3) expired on 2026-12-01",
    );
  }
  expect(writesIn(site.catalog)).toEqual([]);
});

test("a saved plan writes nothing where it would make worse what has changed in the catalog since", async () => {
  const site = await siteWithPlan();
  await leaves(site);
  const { code, stdout, stderr } = await at(site, "2026-11-28", "apply", "plan.json");

  expect(stdout).toContain(
    `error: policy steward: ${invoices}: has 0 owners (active), at least 1 required (catalog/all.yaml:6:3)`,
  );
  expect(stderr).toContain("Nothing was applied: the plan violates a policy.");
  expect(code).toBe(4);
  expect(writesIn(site.catalog)).toEqual([]);
});

test("a saved plan is judged by the policies at hand when it is applied", async () => {
  const site = await siteWithPlan();
  site.write({ "catalog/policies.yaml": files["policies.yaml"].replace("urn:li:tag:*", "urn:li:tag:x*") });
  expect((await at(site, "2026-11-28", "apply", "plan.json")).code).toBe(4);
  expect(writesIn(site.catalog)).toEqual([]);
});

test("what was approved is judged again before it is written", async () => {
  const site = await makeSite();
  const options = { env: epochOf("2026-11-28"), answers: ["yes"], meanwhile: () => leaves(site) };
  const { code, stderr } = await site.run(["apply"], options);

  expect(stderr).toContain("Nothing was applied: the plan violates a policy.");
  expect(stderr).toContain(`error: policy steward: ${invoices}: has 0 owners (active), at least 1 required`);
  expect(code).toBe(4);
  expect(writesIn(site.catalog)).toEqual([]);
});

/** How many requests of an operation have reached the catalog. */
function countOf({ catalog }: Site, operation: string): number {
  return catalog.requests.filter(({ body }) =>
    String((body as { readonly query?: unknown } | undefined)?.query).startsWith(`query ${operation}(`),
  ).length;
}

test.each([[["plan"]], [["list", "--kind", "Dataset"]], [["coverage"]]])(
  "what %j has read is not read again to judge it",
  async (argv) => {
    const site = await makeSite();
    expect((await at(site, "2026-11-28", ...argv)).code).toBe(0);
    expect(["ReadAssets", "ReadAssetFacts"].map((each) => countOf(site, each))).toEqual([1, 1]);
  },
);
