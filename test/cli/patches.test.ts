import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import {
  appliedRef,
  proposalsOf,
  type SentProposal,
  settingsWith,
  type Site,
  siteWith,
} from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const orders = datasetNamed("orders");
const ourSource = "urn:li:dataHubAction:datahub-gitops";

const definitions: readonly MadeAspect[] = [
  ...["ada", "ben"].map((id): MadeAspect => [`urn:li:corpuser:${id}`, "corpUserInfo", { active: true }]),
  ...["pii", "old", "mine"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
  ["urn:li:domain:finance", "domainProperties", { name: "Finance" }],
];

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `d${index}`);
const manifestOf = (name: string, lines: string): string =>
  `- { kind: Dataset, platform: snowflake, name: ${name}, ${lines} }`;

interface Made {
  readonly manage?: "authoritative" | "merge";
  readonly aspects?: readonly MadeAspect[];
}

/** A site that declares the same of several datasets, and writes conditionally. */
async function siteOf(datasets: readonly string[], lines: string, made: Made = {}): Promise<Site> {
  const { manage = "merge", aspects = [] } = made;
  const text = datasets.map((name) => manifestOf(name, lines)).join("\n");
  const site = await siteWith({ "all.yaml": text }, settingsWith("writes: conditional", `manage: ${manage}`));
  const schemas = datasets.map((name): MadeAspect => [
    datasetNamed(name),
    "schemaMetadata",
    schemaWith("email", "a/b"),
  ]);
  await site.catalog.load(metadataFile(temporaryDirectory(), [...definitions, ...schemas, ...aspects]));
  return site;
}

/** The requests with proposals that reached the catalog. */
function requestsIn({ catalog }: Site): readonly (readonly SentProposal[])[] {
  return catalog.requests.map(({ body }) => proposalsOf(body)).filter((sent) => sent.length > 0);
}

interface ReportJson {
  readonly outcomes: readonly Readonly<Record<string, unknown>>[];
  readonly summary: Readonly<Record<string, number>>;
}

async function applyAt(server: string, { root: cwd }: Site) {
  const argv = ["apply", "--auto-approve", "--format", "json", "--server", server];
  const { code, stdout } = await runCli(argv, { cwd });
  return { code, ...(JSON.parse(stdout) as ReportJson) };
}

const tagsOf = (site: Site, name: string): readonly string[] => {
  const { tags = [] } = (site.aspect(datasetNamed(name), "globalTags") ?? {}) as {
    readonly tags?: readonly { readonly tag: string }[];
  };
  return tags.map(({ tag }) => tag.replace("urn:li:tag:", "")).toSorted();
};

const all = 'domain: finance, owners: [{ user: ada }], tags: [pii], columns: { "a/b": { tags: [pii] } }';

test.each([
  ["authoritative", "at once"],
  ["merge", "by a saved plan"],
] as const)("under %s all assignments of an asset are patches in one request, %s", async (manage, way) => {
  const site = await siteOf(["orders"], all, { manage });
  const isSaved = way === "by a saved plan";
  if (isSaved) await site.plan("--out", "plan.json");

  expect((await (isSaved ? site.run(["apply", "plan.json"]) : site.apply())).code).toBe(0);

  const [sent = [], ...more] = requestsIn(site);
  expect(more).toEqual([]);
  const versions = Object.fromEntries(
    sent.map(({ aspectName, headers }) => [aspectName, headers?.["If-Version-Match"]]),
  );
  const version = manage === "merge" ? undefined : "-1";
  expect(new Set(sent.map(({ changeType }) => changeType))).toEqual(new Set(["PATCH"]));
  expect(versions).toEqual({
    globalTags: version,
    ownership: version,
    editableSchemaMetadata: version,
    // A single value is all that its aspect has.
    domains: "-1",
  });
});

const tagByHand = (site: Site, name: string): Promise<void> =>
  site.edit(`addTags(input: { tagUrns: ["urn:li:tag:mine"], resourceUrn: "${datasetNamed(name)}" })`);

/** A server in front of the catalog: somebody tags some datasets right before the first proposals arrive. */
async function taggedMeanwhile(site: Site, ...tagged: readonly string[]): Promise<string> {
  let isTagged = false;
  return await inFrontOf(site.catalog.url, async (_, _response, { url }) => {
    if (isTagged || !url.includes("action=ingestProposal")) return;
    isTagged = true;
    for (const name of tagged) await tagByHand(site, name);
  });
}

test("20 proposals travel in a request, and of one that is refused for one asset only that one is stale", async () => {
  const site = await siteOf(names(24), "tags: [pii]", { manage: "authoritative" });

  const { code, outcomes, summary } = await applyAt(await taggedMeanwhile(site, "d3"), site);

  expect(code).toBe(6);
  expect(summary).toMatchObject({ applied: 23, stale: 1, failed: 0, skipped: 0 });
  expect(outcomes.find(({ status }) => status === "stale")).toMatchObject({ urn: datasetNamed("d3") });
  expect(tagsOf(site, "d3")).toEqual(["mine"]);
  for (const name of names(24).filter((each) => each !== "d3")) expect(tagsOf(site, name)).toEqual(["pii"]);
  expect(requestsIn(site).map((sent) => sent.length)).toContain(20);
});

test("a tag goes with what all sources say of it, and others keep theirs", async () => {
  const from = (source: string) => ({ attribution: { time: 1, actor: "urn:li:corpuser:x", source } });
  const dbt = from("urn:li:dataPlatform:dbt");
  const tagged: MadeAspect = [
    orders,
    "globalTags",
    {
      tags: [
        { tag: "urn:li:tag:old" },
        { tag: "urn:li:tag:old", ...dbt },
        { tag: "urn:li:tag:mine" },
        { tag: "urn:li:tag:mine", ...dbt },
      ],
    },
  ];
  const site = await siteOf(["orders"], "tags: [pii, old]", { aspects: [tagged] });
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/all.yaml": manifestOf("orders", "tags: [pii]") });

  expect((await site.apply()).code).toBe(0);

  expect(site.aspect(orders, "globalTags")).toMatchObject({
    tags: [
      { tag: "urn:li:tag:mine" },
      { tag: "urn:li:tag:mine", ...dbt },
      { tag: "urn:li:tag:pii", attribution: { source: ourSource } },
    ],
  });
});

test("two custom types of one owner stay two where a third person becomes an owner", async () => {
  const owners = ["architect", "auditor"].map((id) => ({
    owner: "urn:li:corpuser:ben",
    type: "NONE",
    typeUrn: `urn:li:ownershipType:${id}`,
  }));
  const owned: MadeAspect = [
    orders,
    "ownership",
    { owners, lastModified: { time: 0, actor: "urn:li:corpuser:x" } },
  ];
  const declared = ["{ user: ada }", ...["architect", "auditor"].map((id) => `{ user: ben, type: ${id} }`)];
  const site = await siteOf(["orders"], `owners: [${declared.join(", ")}]`, { aspects: [owned] });

  expect((await site.apply()).code).toBe(0);

  expect(site.aspect(orders, "ownership")).toMatchObject({
    owners: expect.arrayContaining([...owners, expect.objectContaining({ owner: "urn:li:corpuser:ada" })]),
  });
});

test("an older server gets whole aspects, each for the version that was read", async () => {
  const site = await siteOf(["orders"], all);
  const url = await inFrontOf(site.catalog.url, ({ query }) =>
    query.startsWith("query ProbeType") ? { data: { __type: { fields: [{ name: "urn" }] } } } : undefined,
  );

  expect((await applyAt(url, site)).code).toBe(0);

  const [sent = []] = requestsIn(site);
  expect(sent.map(({ changeType, headers }) => [changeType, headers])).toEqual(
    sent.map(() => ["UPSERT", { "If-Version-Match": "-1" }]),
  );
  expect(sent).toHaveLength(4);
});
