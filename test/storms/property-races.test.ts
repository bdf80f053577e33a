import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { draw } from "../../src/local-catalog/draw.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { entityTypeOf, schemaFieldUrn, type Urn } from "../../src/model/urn.ts";
import { type MadeAspect, metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { proposalsOf } from "../support/site.ts";
import type { StubRequest } from "../support/stub-server.ts";
import { schemaWith } from "../support/schema.ts";
import { datasetNamed } from "../support/states.ts";

// Others write structured properties of the same entities in the middle of an apply: before, while or after it writes them.

/** How many entities have properties (datasets, and a column of each), and how many seeds are tried. */
const entities = Number(process.env["RACE_ENTITIES"] ?? 20);
const seeds = Array.from({ length: Number(process.env["RACE_SEEDS"] ?? 2) }, (_, index) => index + 1);

const datasets = Array.from({ length: entities / 2 }, (_, index) => datasetNamed(`d${index}`));
const owners: readonly Urn[] = datasets.flatMap((urn) => [urn, schemaFieldUrn(urn, "email")]);

const propertyOf = (id: string): string => `urn:li:structuredProperty:${id}`;
const [single, several] = [propertyOf("retention"), propertyOf("reviews")];
const others = ["cost", "source", "tier", "region"].map(propertyOf);
const byOthers = "urn:li:dataPlatform:dbt";

const definitionOf = (urn: string, isMultiple: boolean): MadeAspect => [
  urn,
  "propertyDefinition",
  {
    qualifiedName: urn.split(":").at(-1),
    valueType: "urn:li:dataType:datahub.string",
    cardinality: isMultiple ? "MULTIPLE" : "SINGLE",
    entityTypes: ["dataset", "schemaField"].map((type) => `urn:li:entityType:datahub.${type}`),
  },
];

interface Entry {
  readonly propertyUrn: string;
  readonly values: readonly { readonly string: string }[];
  readonly attribution?: JsonObject;
}

const entryOf = (propertyUrn: string, ...values: readonly string[]): Entry => ({
  propertyUrn,
  values: values.map((string) => ({ string })),
});

const world: readonly MadeAspect[] = [
  ...[single, ...others].map((urn) => definitionOf(urn, false)),
  definitionOf(several, true),
  ...datasets.map((urn): MadeAspect => [urn, "schemaMetadata", schemaWith("email")]),
  ...owners.map((urn): MadeAspect => [
    urn,
    "structuredProperties",
    { properties: [entryOf(several, "before")] },
  ]),
];

const declared = "{ retention: ours, reviews: [ours] }";
const manifests = datasets
  .map((_, index) =>
    [
      `- { kind: Dataset, platform: snowflake, name: d${index}, structured_properties: ${declared},`,
      `    columns: { email: { structured_properties: ${declared} } } }`,
    ].join("\n"),
  )
  .join("\n");

type Moment = "before" | "meanwhile" | "after";
type Way = "GraphQL" | "PATCH";

const wayOf = (seed: number): Way => (seed % 2 === 0 ? "PATCH" : "GraphQL");

/** An edit of others: a value of a property, and beside it those that they read. */
interface Edit {
  readonly urn: Urn;
  readonly property: string;
  readonly value: string;
  readonly way: Way;
  readonly moment: Moment;
}

/** Draws what others do to an entity when it is written for the n-th time; nothing from the third time on. */
function editOf(seed: number, urn: Urn, time: number): Edit | undefined {
  const drawn = <T>(what: string, ...of: readonly T[]): T =>
    of[Math.floor(draw(seed, urn, time, what) * of.length)] as T;
  if (time > 2 || !drawn("whether", true, true, false)) return undefined;
  return {
    urn,
    // Each of theirs is written once, so that no edit of others overwrites another one.
    property: drawn("what", several, others[2 * time - 2] ?? "", others[2 * time - 1] ?? ""),
    value: `theirs ${time}`,
    way: wayOf(seed),
    moment: drawn("moment", "before", "meanwhile", "after"),
  };
}

/** What a reading of the catalog answers: the properties of entities. */
type Read = ReadonlyMap<string, readonly Entry[]>;

/** Others, who write what is drawn for each of our writes. */
function othersAt(url: string) {
  const post = async (path: string, body: unknown): Promise<JsonObject> => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return (await response.json()) as JsonObject;
  };
  const read = async (urns: readonly Urn[]): Promise<Read> => {
    const all = ["dataset", "schemaField"].map(async (type) => {
      const asked = urns.filter((urn) => entityTypeOf(urn) === type);
      if (asked.length === 0) return [];
      const wanted = asked.map((urn) => ({ urn, structuredProperties: {} }));
      return (await post(`/openapi/v3/entity/${type}/batchGet`, wanted)) as unknown as readonly Answered[];
    });
    return new Map(
      (await Promise.all(all))
        .flat()
        .map((each) => [each.urn, each.structuredProperties?.value.properties ?? []]),
    );
  };
  const byGraphql = async (entries: readonly (Entry & Edit)[], operation: string): Promise<void> => {
    if (entries.length === 0) return;
    const fields = entries.map(({ urn, propertyUrn, values }, index) => {
      const params = `structuredPropertyInputParams: [{ structuredPropertyUrn: "${propertyUrn}", values: [${values.map(({ string }) => `{ stringValue: "${string}" }`).join(", ")}] }]`;
      return `e${index}: upsertStructuredProperties(input: { assetUrn: "${urn}", ${params} }) { __typename }`;
    });
    const { errors } = await post("/api/graphql", { query: `mutation ${operation} { ${fields.join(" ")} }` });
    expect(errors).toBeUndefined();
  };
  const byPatch = async (entries: readonly (Entry & Edit)[]): Promise<void> => {
    if (entries.length === 0) return;
    const proposals = entries.map(({ urn, propertyUrn, values }) => {
      const attribution = { time: 1, actor: "urn:li:corpuser:datahub", source: byOthers };
      const patch = [
        { op: "add", path: `/properties/${propertyUrn}`, value: { propertyUrn, values, attribution } },
      ];
      return {
        entityType: entityTypeOf(urn),
        entityUrn: urn,
        changeType: "PATCH",
        aspectName: "structuredProperties",
        aspect: { value: JSON.stringify(patch), contentType: "application/json-patch+json" },
      };
    });
    const { value } = await post("/aspects?action=ingestProposalBatch", { proposals, async: "false" });
    expect(value).toBe("success");
  };
  return async (edits: readonly Edit[], operation: string): Promise<void> => {
    if (edits.length === 0) return;
    const known = await read(edits.filter(({ property }) => property === several).map(({ urn }) => urn));
    const entries = edits.map((edit) => {
      const own = known.get(edit.urn)?.find(({ propertyUrn }) => propertyUrn === edit.property);
      const before = edit.property === several ? (own?.values ?? []).map(({ string }) => string) : [];
      return { ...edit, ...entryOf(edit.property, ...before, edit.value) };
    });
    await byPatch(entries.filter(({ way }) => way === "PATCH"));
    await byGraphql(
      entries.filter(({ way }) => way === "GraphQL"),
      operation,
    );
  };
}

interface Answered {
  readonly urn: string;
  readonly structuredProperties?: { readonly value: { readonly properties: readonly Entry[] } };
}

/** The entities whose properties a request writes. */
function writtenBy({ text, query, variables }: StubRequest, url: string): readonly Urn[] {
  if (query.startsWith("mutation"))
    return Object.values(variables).map((input) => (input as { readonly assetUrn: Urn }).assetUrn);
  if (!url.startsWith("/aspects?action=ingestProposal")) return [];
  return proposalsOf(JSON.parse(text)).map(({ entityUrn }) => entityUrn as Urn);
}

/** An apply, what others wrote meanwhile, and what there is afterwards. */
interface Raced {
  readonly ran: Ran;
  readonly edits: readonly Edit[];
  readonly found: Read;
}

async function race(
  seed: number,
  writes: "graphql" | "conditional",
  mode: "merge" | "authoritative",
): Promise<Raced> {
  const only = ["Apply", "Meanwhile"];
  const faults = [{ fault: "lost_update", milliseconds: 2, rate: 1, only } as const];
  const catalog = await startTestCatalog({ faults: { seed, faults } });
  const cwd = temporaryDirectory();
  await catalog.load(metadataFile(cwd, world));
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog/datasets.yaml"), manifests);
  const guards = "guards: { removals: { max_percent: 100, max_count: 100000 } }";
  const settings = ["version: 1", `writes: ${writes}`, `manage: ${mode}`, guards, ""];
  writeFileSync(join(cwd, "catalog/datahub-gitops.yaml"), settings.join("\n"));
  const write = othersAt(catalog.url);
  const times = new Map<Urn, number>();
  const edits: Edit[] = [];
  const url = await inFrontOf(catalog.url, async (request, response, incoming) => {
    const drawn = [...new Set(writtenBy(request, incoming.url))].flatMap((urn) => {
      const time = (times.get(urn) ?? 0) + 1;
      times.set(urn, time);
      return editOf(seed, urn, time) ?? [];
    });
    const at = (moment: Moment): readonly Edit[] => drawn.filter((edit) => edit.moment === moment);
    edits.push(...drawn);
    await write(at("before"), "Before");
    const meanwhile = write(at("meanwhile"), "Meanwhile");
    await incoming.passTo(catalog.url, response, async () => {
      await meanwhile;
      await write(at("after"), "After");
    });
  });
  const ran = await runCli(["apply", "--auto-approve", "--format", "json", "--server", url], { cwd });
  const rows = catalog
    .aspects()
    .filter(({ aspect, version }) => aspect === "structuredProperties" && version === 0);
  const found = new Map(
    rows.map(({ urn, value }) => [
      urn,
      (value as unknown as { readonly properties: readonly Entry[] }).properties,
    ]),
  );
  return { ran, edits, found };
}

interface Outcome {
  readonly status: "applied" | "failed" | "skipped" | "stale";
  readonly urn: string;
  readonly column?: string;
  readonly paths?: readonly (readonly string[])[];
}

/** What was lost in one apply: of others, and of ours what the report says and what it does not. */
function lossesOf({ ran, edits, found }: Raced) {
  const entryAt = (urn: string, property: string): Entry | undefined =>
    found.get(urn)?.find(({ propertyUrn }) => propertyUrn === property);
  const has = (urn: string, property: string, value: string): boolean =>
    entryAt(urn, property)?.values.some(({ string }) => string === value) === true;
  const isKept = ({ urn, property, value, way }: Edit): boolean =>
    has(urn, property, value) &&
    (way === "GraphQL" ||
      property === several ||
      entryAt(urn, property)?.attribution?.["source"] === byOthers);
  const { outcomes } = JSON.parse(ran.stdout) as { readonly outcomes: readonly Outcome[] };
  const statuses = new Map<string, Set<Outcome["status"]>>();
  for (const { urn, column, paths = [], status } of outcomes) {
    const owner = column === undefined ? urn : schemaFieldUrn(urn as Urn, column);
    for (const key of paths.map((path) => `${owner} ${path.at(-1)}`))
      statuses.set(key, (statuses.get(key) ?? new Set()).add(status));
  }
  const statusesAt = ({ urn, property }: { readonly urn: string; readonly property: string }) =>
    statuses.get(`${urn} ${property}`);
  const ours = owners.flatMap((urn) => [single, several].map((property) => ({ urn, property })));
  const lost = ours.filter(({ urn, property }) => !has(urn, property, "ours"));
  const isStale = (place: (typeof ours)[number]): boolean => statusesAt(place)?.has("stale") === true;
  const overwritten = lost.filter((place) => !isStale(place));
  const isFound = (place: (typeof ours)[number]): boolean => statusesAt(place)?.has("failed") === true;
  return {
    ours: ours.length,
    found: overwritten.filter(isFound),
    unfound: overwritten.filter((place) => !isFound(place)),
    edits: edits.length,
    theirs: edits.filter((edit) => !isKept(edit)),
    stale: ours.filter(isStale).length,
  };
}

/** What was lost in all applies of a row of the table in docs/ownership.md. */
interface Row {
  edits: number;
  theirs: number;
  ours: number;
  overwritten: number;
  stale: number;
}

const rows = new Map<string, Row>();
const heads = [
  "setting, mode",
  "others write with",
  "edits of others lost",
  "values of ours overwritten, exit 7",
  "stale, exit 6",
];

afterAll(() => {
  const cells = [...rows].map(
    ([row, { edits, theirs, ours, overwritten, stale }]) =>
      `| ${row} | ${theirs} of ${edits} | ${overwritten} of ${ours} | ${stale} |`,
  );
  console.log([`| ${heads.join(" | ")} |`, `|${" --- |".repeat(heads.length)}`, ...cells].join("\n"));
});

const cases = (["graphql", "conditional"] as const).flatMap((writes) =>
  (["merge", "authoritative"] as const).flatMap((mode) =>
    (mode === "merge" ? seeds : seeds.slice(0, 2)).map((seed) => [writes, mode, seed] as const),
  ),
);

test.each(cases)(
  "properties that are written by %s under %s beside others: what is lost of ours is found, and of others nothing is lost by conditional writes (seed %i)",
  async (writes, mode, seed) => {
    const raced = await race(seed, writes, mode);

    const { ours, found, unfound, edits, theirs, stale } = lossesOf(raced);
    const name = `\`writes: ${writes}\`, \`${mode}\` | ${wayOf(seed)}`;
    const row = rows.get(name) ?? { edits: 0, theirs: 0, ours: 0, overwritten: 0, stale: 0 };
    row.edits += edits;
    row.theirs += theirs.length;
    row.ours += ours;
    row.overwritten += found.length;
    row.stale += stale;
    rows.set(name, row);
    expect(edits).toBeGreaterThan(0);
    expect(unfound).toEqual([]);
    expect(raced.ran.code).toBe(found.length > 0 ? 7 : stale > 0 ? 6 : 0);
    if (writes === "conditional") expect(theirs).toEqual([]);
  },
);
