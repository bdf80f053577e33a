import { afterAll, expect, test } from "vitest";
import { draw } from "../../src/local-catalog/draw.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { entityTypeOf, schemaFieldUrn, type Urn } from "../../src/model/urn.ts";
import type { MadeAspect } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { datasetNamed } from "../support/states.ts";
import {
  type Edit,
  entities,
  momentOf,
  type Outcome,
  outcomesOf,
  patchAll,
  type Post,
  race,
  type Raced,
  seeds,
  wayOf,
} from "./in-the-middle.ts";
import { counted } from "../support/runs.ts";

// Others write structured properties of the same entities in the middle of an apply: before, while or after it writes them.

const datasets = Array.from({ length: entities / 2 }, (_, index) => datasetNamed(`d${index}`));
const owners: readonly Urn[] = datasets.flatMap((urn) => [urn, schemaFieldUrn(urn, "email")]);

const aspect = "structuredProperties";
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

/** An edit of others: a value of a property, and beside it those that they read. */
interface PropertyEdit extends Edit {
  readonly property: string;
  readonly value: string;
  readonly way: ReturnType<typeof wayOf>;
}

function editOf(seed: number, urn: Urn, time: number): PropertyEdit | undefined {
  const moment = momentOf(seed, urn, time);
  if (!moment) return undefined;
  // Each of theirs is written once, so that no edit of others overwrites another one.
  const properties = [several, ...others.slice(2 * time - 2, 2 * time)];
  const property = properties[Math.floor(draw(seed, urn, time, "what") * properties.length)] ?? several;
  return { urn, property, value: `theirs ${time}`, way: wayOf(seed), moment };
}

/** What a reading of the catalog answers: the properties of entities. */
type Read = ReadonlyMap<string, readonly Entry[]>;

async function read(post: Post, urns: readonly Urn[]): Promise<Read> {
  const all = ["dataset", "schemaField"].map(async (type) => {
    const asked = urns.filter((urn) => entityTypeOf(urn) === type);
    if (asked.length === 0) return [];
    const wanted = asked.map((urn) => ({ urn, structuredProperties: {} }));
    return (await post(`/openapi/v3/entity/${type}/batchGet`, wanted)) as unknown as readonly Answered[];
  });
  const found = (await Promise.all(all)).flat();
  return new Map(found.map((each) => [each.urn, each.structuredProperties?.value.properties ?? []]));
}

async function write(post: Post, edits: readonly PropertyEdit[], operation: string): Promise<void> {
  const known = await read(
    post,
    edits.filter(({ property }) => property === several).map(({ urn }) => urn),
  );
  const entries = edits.map((edit) => {
    const own = known.get(edit.urn)?.find(({ propertyUrn }) => propertyUrn === edit.property);
    const before = edit.property === several ? (own?.values ?? []).map(({ string }) => string) : [];
    return { ...edit, ...entryOf(edit.property, ...before, edit.value) };
  });
  if (entries[0]?.way === "PATCH") {
    const attribution = { time: 1, actor: "urn:li:corpuser:datahub", source: byOthers };
    const patches = entries.map(({ urn, propertyUrn, values }) => {
      const value = { propertyUrn, values, attribution };
      return { urn, patch: [{ op: "add", path: `/properties/${propertyUrn}`, value }] };
    });
    expect(await patchAll(post, aspect, patches)).toBe("success");
    return;
  }
  const fields = entries.map(({ urn, propertyUrn, values }, index) => {
    const texts = values.map(({ string }) => `{ stringValue: "${string}" }`).join(", ");
    const params = `structuredPropertyInputParams: [{ structuredPropertyUrn: "${propertyUrn}", values: [${texts}] }]`;
    return `e${index}: upsertStructuredProperties(input: { assetUrn: "${urn}", ${params} }) { __typename }`;
  });
  const { errors } = await post("/api/graphql", { query: `mutation ${operation} { ${fields.join(" ")} }` });
  expect(errors).toBeUndefined();
}

interface Answered {
  readonly urn: string;
  readonly structuredProperties?: { readonly value: { readonly properties: readonly Entry[] } };
}

/** What was lost in one apply: of others, and of ours what the report says and what it does not. */
function lossesOf({ ran, edits, found }: Raced<PropertyEdit>) {
  const entriesOf = (urn: string) => (found.get(urn)?.["properties"] ?? []) as unknown as readonly Entry[];
  const entryAt = (urn: string, property: string): Entry | undefined =>
    entriesOf(urn).find(({ propertyUrn }) => propertyUrn === property);
  const has = (urn: string, property: string, value: string): boolean =>
    entryAt(urn, property)?.values.some(({ string }) => string === value) === true;
  const isKept = ({ urn, property, value, way }: PropertyEdit): boolean =>
    has(urn, property, value) &&
    (way === "GraphQL" ||
      property === several ||
      entryAt(urn, property)?.attribution?.["source"] === byOthers);
  const outcomes = outcomesOf(ran);
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

/** What was lost in all applies of a row of the table in docs/internals/ownership.md. */
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
  "other writers use",
  "other writers' edits lost",
  "declared values overwritten, exit 7",
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
  counted,
  async (writes, mode, seed) => {
    const raced = await race({ aspect, world, manifests, editOf, write }, { seed, writes, mode });

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
