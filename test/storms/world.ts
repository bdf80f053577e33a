import { expect } from "vitest";
import type { AspectRow } from "../../src/local-catalog/server.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { FaultSettings } from "../../src/local-catalog/faults/settings.ts";
import { groupBy } from "../../src/model/group-by.ts";
import { type MadeAspect, metadataFile, startTestCatalog, type TestCatalog } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { settingsWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import { testRepository } from "../support/git-repository.ts";
import { isInFull, lawSeed, runsOf } from "../support/runs.ts";

/** How many datasets a storm has. */
const datasets = isInFull ? 100 : 8;

/** Which seeds are tried: a storm with each fault takes minutes. */
export const seeds: readonly number[] = Array.from(
  { length: runsOf(0.1) },
  (_, index) => (lawSeed ?? 1) + index,
);

const stamp = { time: 0, actor: "urn:li:corpuser:x" };
const tags = (...ids: readonly string[]): JsonObject => ({
  tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })),
});

/** The datasets of a storm. */
export const names: readonly string[] = Array.from({ length: datasets }, (_, index) => `d${index}`);

function live(name: string): readonly MadeAspect[] {
  const of = datasetNamed(name);
  return [
    [of, "schemaMetadata", schemaWith("email")],
    [of, "domains", { domains: ["urn:li:domain:sales"] }],
    [
      of,
      "ownership",
      { owners: [{ owner: "urn:li:corpuser:ben", type: "TECHNICAL_OWNER" }], lastModified: stamp },
    ],
    [of, "globalTags", tags("old", "older")],
    [
      of,
      "editableSchemaMetadata",
      {
        created: stamp,
        lastModified: stamp,
        editableSchemaFieldInfo: [{ fieldPath: "email", globalTags: tags("old") }],
      },
    ],
  ];
}

/** The ids of tags and users that only others assign. */
export const mine = Array.from({ length: 40 }, (_, index) => `mine${index}`);

const world: readonly MadeAspect[] = [
  ["urn:li:domain:sales", "domainProperties", { name: "Sales" }],
  ...["old", "older", ...mine].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
  ...["ada", "ben", ...mine].map((id): MadeAspect => [
    `urn:li:corpuser:${id}`,
    "corpUserInfo",
    { active: true },
  ]),
  ...names.flatMap(live),
];

const definitions = `- { kind: Domain, id: finance, name: Finance }
- { kind: Tag, id: pii, name: PII, color_hex: "#C0392B" }
- { kind: User, id: cleo, display_name: Cleo }
- { kind: Group, id: data, display_name: Data, members: [ada, cleo] }
`;

const manifestOf = (name: string): string => `- kind: Dataset
  platform: snowflake
  name: ${name}
  domain: finance
  owners: [{ user: ada }, { group: data }]
  tags: [pii]
  columns: { email: { tags: [pii] } }
`;

/** A repository that declares something else for each dataset of a catalog than what is there. */
export interface Storm {
  readonly catalog: TestCatalog;
  apply(...flags: readonly string[]): Promise<Ran>;
  /** What the catalog counted. */
  counts(): Promise<Counts>;
}

interface Counts {
  readonly overlapping_writes: { readonly greatest: number };
  readonly lost_updates: number;
  readonly faults: readonly { readonly injected: number }[];
}

/** How many seconds the index of a storm lags, as on a real server, where it is some seconds. */
const lag = Number(process.env["STORM_LAG"] ?? 0.2);

/** Starts a catalog with faults and lag, and makes a repository for it. */
export async function stormOf(faults: FaultSettings, ...settings: readonly string[]): Promise<Storm> {
  const catalog = await startTestCatalog({ faults, lag });
  const { root: cwd, commit } = testRepository();
  await catalog.load(metadataFile(cwd, world));
  commit({
    "catalog/datahub-gitops.yaml": settingsWith(
      "guards: { removals: { max_percent: 100, max_count: 100000 } }",
      ...settings,
    ),
    "catalog/definitions.yaml": definitions,
    "catalog/datasets.yaml": names.map(manifestOf).join(""),
  });
  return {
    catalog,
    apply: (...flags) =>
      runCli(["apply", "--auto-approve", "--format", "json", "--server", catalog.url, ...flags], { cwd }),
    counts: async () => (await (await fetch(`${catalog.url}/faults`)).json()) as Counts,
  };
}

/** What a dataset has, in short. */
export interface Held {
  readonly domain: readonly string[];
  readonly owners: readonly string[];
  readonly tags: readonly string[];
  readonly email: readonly string[];
}

/** What each dataset shall have in the end. */
export const declared: Held = {
  domain: ["urn:li:domain:finance"],
  owners: ["urn:li:corpGroup:data", "urn:li:corpuser:ada"],
  tags: ["urn:li:tag:pii"],
  email: ["urn:li:tag:pii"],
};

const before: Held = {
  domain: ["urn:li:domain:sales"],
  owners: ["urn:li:corpuser:ben"],
  tags: ["urn:li:tag:old", "urn:li:tag:older"],
  email: ["urn:li:tag:old"],
};

interface Aspects {
  readonly domains?: readonly string[];
  readonly owners?: readonly { readonly owner: string; readonly typeUrn?: string }[];
  readonly tags?: readonly { readonly tag: string }[];
  readonly editableSchemaFieldInfo?: readonly { readonly globalTags?: Aspects }[];
}

/** The values of one aspect, by what they are. */
function valuesIn({ aspect, value }: AspectRow): readonly (readonly [keyof Held, readonly string[]])[] {
  const { domains, owners, tags: list, editableSchemaFieldInfo } = value as Aspects;
  if (aspect === "domains") return [["domain", domains ?? []]];
  if (aspect === "ownership") return [["owners", (owners ?? []).map(({ owner }) => owner).toSorted()]];
  if (aspect === "globalTags") return [["tags", (list ?? []).map(({ tag }) => tag).toSorted()]];
  if (aspect !== "editableSchemaMetadata") return [];
  const own = editableSchemaFieldInfo?.[0]?.globalTags?.tags ?? [];
  return [["email", own.map(({ tag }) => tag).toSorted()]];
}

/** What each dataset has now. */
export function heldIn(rows: readonly AspectRow[]): ReadonlyMap<string, Held> {
  const held = new Map<string, Held>();
  for (const row of rows) {
    if (row.version !== 0 || !row.urn.startsWith("urn:li:dataset:")) continue;
    const known = held.get(row.urn) ?? { domain: [], owners: [], tags: [], email: [] };
    held.set(row.urn, { ...known, ...Object.fromEntries(valuesIn(row)) });
  }
  return held;
}

/** Expects that each dataset, and each definition, is as declared. */
export function expectDeclared(rows: readonly AspectRow[]): void {
  const held = heldIn(rows);
  expect(held.size).toBe(datasets);
  expect([...held.values()].filter((each) => JSON.stringify(each) !== JSON.stringify(declared))).toEqual([]);
  const latest = new Map(
    rows.filter(({ version }) => version === 0).map((row) => [`${row.urn} ${row.aspect}`, row.value]),
  );
  expect(latest.get("urn:li:domain:finance domainProperties")).toMatchObject({ name: "Finance" });
  expect(latest.get("urn:li:tag:pii tagProperties")).toMatchObject({ name: "PII", colorHex: "#C0392B" });
  for (const user of ["ada", "cleo"]) {
    expect(latest.get(`urn:li:corpuser:${user} nativeGroupMembership`)).toEqual({
      nativeGroups: ["urn:li:corpGroup:data"],
    });
  }
}

/** Expects that no dataset ever had a value that was not there before, is not declared, and is none of these. */
export function expectNothingElse(rows: readonly AspectRow[], more: readonly string[] = []): void {
  const known = new Set(
    [...Object.values({ ...before }), ...Object.values({ ...declared })].flat().concat(more),
  );
  const ofDatasets = rows.filter(({ urn }) => urn.startsWith("urn:li:dataset:"));
  const seen = new Set(ofDatasets.flatMap((row) => valuesIn(row).flatMap(([, values]) => values)));
  expect([...seen].filter((value) => !known.has(value))).toEqual([]);
}

/** The outcomes of a report. */
export interface Told {
  readonly status: "applied" | "failed" | "skipped" | "stale";
  readonly urn: string;
  readonly facet?: string;
  readonly operation: string;
  readonly error?: string;
}

/** The outcomes that an apply printed; none where it could not even plan. */
export function outcomesOf({ stdout }: Ran): readonly Told[] {
  return (JSON.parse(stdout) as { readonly outcomes?: readonly Told[] }).outcomes ?? [];
}

const facetKeys: Readonly<Record<string, keyof Held>> = {
  domain: "domain",
  owners: "owners",
  tags: "tags",
  "columns.tags": "email",
};

/** Expects that what a report says of each dataset is so: what all was applied of a facet is there, what all was not is as before. */
export function expectTrue(
  outcomes: readonly Told[],
  then: ReadonlyMap<string, Held>,
  now: ReadonlyMap<string, Held>,
): void {
  const lies: string[] = [];
  const groups = groupBy(
    outcomes.filter(({ urn, facet }) => urn.startsWith("urn:li:dataset:") && facet !== undefined),
    ({ urn, facet }) => `${urn} ${facet}`,
  );
  for (const [place, own] of groups) {
    const [{ urn, facet = "" } = { urn: "" }] = own;
    const key = facetKeys[facet] ?? "tags";
    const is = JSON.stringify(now.get(urn)?.[key]);
    if (own.every(({ status }) => status === "applied") && is !== JSON.stringify(declared[key]))
      lies.push(`${place}: applied, and ${is}`);
    const isUntouched = own.every(({ status }) => status === "skipped" || status === "stale");
    if (isUntouched && is !== JSON.stringify(then.get(urn)?.[key]))
      lies.push(`${place}: not sent, and ${is}`);
  }
  expect(lies).toEqual([]);
}
