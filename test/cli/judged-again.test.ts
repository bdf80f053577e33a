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

/** Has Ben leave, or come back. */
const leaves = (site: Site, isBack = false): Promise<unknown> =>
  site.catalog.load(metadataFile(temporaryDirectory(), [active(ben, isBack)]));

test("a saved plan is judged again by the policies, the day and the catalog of its apply", async () => {
  const site = await siteWithPlan();
  const apply = (instant: string, ...flags: readonly string[]): Promise<Ran> =>
    at(site, instant, "apply", "plan.json", ...flags);

  const late = await apply("2026-12-02", "--allow-partial");
  expect(late.code).toBe(4);
  expect(late.stdout + late.stderr).toContain(
    "error: policy described: urn:li:tag:pii: has no description; its waiver (catalog/policies.yaml:3:3) expired on 2026-12-01",
  );

  site.write({ "catalog/policies.yaml": files["policies.yaml"].replace("urn:li:tag:*", "urn:li:tag:x*") });
  expect((await apply("2026-11-28")).code).toBe(4);
  site.write({ "catalog/policies.yaml": files["policies.yaml"] });

  await leaves(site);
  const { code, stdout, stderr } = await apply("2026-11-28");
  expect(stdout).toContain(
    `error: policy steward: ${invoices}: has 0 owners (active), at least 1 required (found owners: ben (DATA_STEWARD)) (catalog/all.yaml:6:3)`,
  );
  expect(stderr).toContain("Nothing was applied: the plan violates a policy.");
  expect(code).toBe(4);
  expect(writesIn(site.catalog)).toEqual([]);

  await leaves(site, true);
  expect((await apply("2026-12-01T23:59:59Z")).code).toBe(0);
  expect(site.aspect("urn:li:tag:pii", "tagKey")).toBeDefined();
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
