import { describe, expect, test } from "vitest";
import { alice, catalogWith, orders, pii, proposal, shop, type TestCatalog } from "../support.ts";
import { chart, finances, glossary, margin, revenue, sampleAssets, samples } from "../samples.ts";
import { call, change, ingest, ingestBatch, type RestAnswer } from "../rest.ts";
import { asciiJson } from "../../support/ascii-json.ts";

const world = [...shop, ...samples, ...glossary];
const now = 1_700_000_000_000;
const auditStamp = { time: now, actor: "urn:li:corpuser:__datahub_system" };
const earlier = { time: 1, actor: alice };
const bySource = "attribution\u241Fsource";

const add = (path: string, value: unknown) => ({ op: "add", path, value });
const remove = (path: string) => ({ op: "remove", path });

function patchOf(urn: string, aspect: string, sent: unknown): object {
  const value = { value: asciiJson(sent), contentType: "application/json-patch+json" };
  return { ...change(urn, aspect, {}), changeType: "PATCH", aspect: value };
}

function patch(catalog: TestCatalog, urn: string, aspect: string, sent: unknown): Promise<RestAnswer> {
  return ingest(catalog, patchOf(urn, aspect, sent));
}

const column = (fieldPath: string, more: object) => ({ fieldPath, ...more });
const columns = (...editableSchemaFieldInfo: readonly object[]) => ({ editableSchemaFieldInfo });
const terms = (stamp: object, ...urns: readonly string[]) => ({
  auditStamp: stamp,
  terms: urns.map((urn) => ({ urn })),
});

describe("a patch of terms", () => {
  test.each([
    [
      "adds one where there is none, and stamps it",
      "glossaryTerms",
      undefined,
      [add(`/terms/${revenue}`, { urn: revenue })],
      terms(auditStamp, revenue),
    ],
    [
      "adds one beside others, whose stamp it keeps",
      "glossaryTerms",
      terms(earlier, margin),
      [add(`/terms/${revenue}`, { urn: revenue })],
      terms(earlier, margin, revenue),
    ],
    [
      "removes one",
      "glossaryTerms",
      terms(earlier, margin, revenue),
      [remove(`/terms/${margin}`)],
      terms(earlier, revenue),
    ],
    [
      "that is absent removes nothing",
      "glossaryTerms",
      terms(earlier, revenue),
      [remove(`/terms/${margin}`)],
      terms(earlier, revenue),
    ],
    [
      "with the keys of the official client keeps terms of other sources",
      "glossaryTerms",
      undefined,
      {
        patch: [
          add(`/terms/${revenue}/`, { urn: revenue }),
          add(`/terms/${revenue}/urn:li:dataPlatform:dbt`, {
            urn: revenue,
            attribution: { time: 1, actor: alice, source: "urn:li:dataPlatform:dbt" },
          }),
        ],
        arrayPrimaryKeys: { terms: ["urn", bySource] },
      },
      {
        auditStamp,
        terms: [
          { urn: revenue },
          {
            urn: revenue,
            attribution: { time: 1, actor: alice, source: "urn:li:dataPlatform:dbt" },
          },
        ],
      },
    ],
    [
      "of a column makes its entry and stamp",
      "editableSchemaMetadata",
      undefined,
      [
        add(`/editableSchemaFieldInfo/id/glossaryTerms/terms/${revenue}`, { urn: revenue }),
        add(`/editableSchemaFieldInfo/c~1d/glossaryTerms/terms/${revenue}`, { urn: revenue }),
      ],
      {
        created: auditStamp,
        lastModified: auditStamp,
        ...columns(
          column("id", { glossaryTerms: terms(auditStamp, revenue) }),
          column("c/d", { glossaryTerms: terms(auditStamp, revenue) }),
        ),
      },
    ],
    [
      "of a column keeps its other edits, and those of other columns",
      "editableSchemaMetadata",
      columns(
        column("a", { description: "A." }),
        column("id", { description: "Key.", globalTags: { tags: [{ tag: pii }] } }),
      ),
      [add(`/editableSchemaFieldInfo/id/glossaryTerms/terms/${revenue}`, { urn: revenue })],
      columns(
        column("a", { description: "A." }),
        column("id", {
          description: "Key.",
          globalTags: { tags: [{ tag: pii }] },
          glossaryTerms: terms(auditStamp, revenue),
        }),
      ),
    ],
    [
      "of a column that never had terms removes nothing",
      "editableSchemaMetadata",
      columns(column("id", { description: "Key." })),
      [remove(`/editableSchemaFieldInfo/id/glossaryTerms/terms/${revenue}`)],
      columns(column("id", { description: "Key.", glossaryTerms: terms(auditStamp) })),
    ],
    [
      "and of a description of a column",
      "editableSchemaMetadata",
      columns(column("id", { glossaryTerms: terms(earlier, revenue), description: "Old." })),
      [
        add("/editableSchemaFieldInfo/id/description", "Key."),
        add("/editableSchemaFieldInfo/other/description", "Other."),
      ],
      columns(
        column("id", { glossaryTerms: terms(earlier, revenue), description: "Key." }),
        column("other", { description: "Other." }),
      ),
    ],
    [
      "beside the removal of a description of a column",
      "editableSchemaMetadata",
      columns(column("id", { glossaryTerms: terms(earlier, revenue), description: "Old." })),
      [remove("/editableSchemaFieldInfo/id/description")],
      columns(column("id", { glossaryTerms: terms(earlier, revenue) })),
    ],
  ])("%s", async (_title, aspect, before, sent, after) => {
    const catalog = await catalogWith(before ? [...world, proposal(orders, aspect, before)] : world, {
      now: () => now,
    });
    expect(await patch(catalog, orders, aspect, sent)).toMatchObject({ status: 200 });
    expect(catalog.stored(orders, aspect)).toEqual(after);
  });

  test("several in a batch are all applied", async () => {
    const catalog = await catalogWith(world);
    const adding = (urn: string) => patchOf(chart, "glossaryTerms", [add(`/terms/${urn}`, { urn })]);
    expect((await ingestBatch(catalog, adding(revenue), adding(margin))).status).toBe(200);
    expect(catalog.stored(chart, "glossaryTerms")).toMatchObject({
      terms: [{ urn: revenue }, { urn: margin }],
    });
  });

  test("several at the same time are all kept", async () => {
    const catalog = await catalogWith(world);
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    await Promise.all(
      names.map((name) =>
        patch(catalog, orders, "editableSchemaMetadata", [
          add(`/editableSchemaFieldInfo/${name}/glossaryTerms/terms/${revenue}`, { urn: revenue }),
        ]),
      ),
    );
    const { editableSchemaFieldInfo } = catalog.stored(orders, "editableSchemaMetadata") as {
      editableSchemaFieldInfo: readonly { fieldPath: string }[];
    };
    expect(editableSchemaFieldInfo.map(({ fieldPath }) => fieldPath).toSorted()).toEqual(names);
  });
});

const generic = (...operations: readonly object[]) => ({
  patch: operations,
  arrayPrimaryKeys: {},
  forceGenericPatch: true,
});
const described = [
  ...sampleAssets.map(([, , urn, , , edited]) => [urn, edited, { description: "Edited." }, {}] as const),
  [
    finances,
    "glossaryNodeInfo",
    { definition: "", parentNode: "urn:li:glossaryNode:x", name: "F" },
    { definition: "", name: "F" },
  ],
  [
    revenue,
    "glossaryTermInfo",
    { definition: "", termSource: "EXTERNAL", sourceRef: "GAAP" },
    { definition: "", termSource: "EXTERNAL" },
  ],
] as const;

describe("a generic patch, without keys of lists,", () => {
  test.each(described)("removes a field of %s and keeps the others", async (urn, aspect, before, after) => {
    const removed = Object.keys(before).find((field) => !(field in after));
    const catalog = await catalogWith([...world, proposal(urn, aspect, before)]);
    const removal = generic(remove(`/${removed}`));
    expect(await patch(catalog, urn, aspect, removal)).toMatchObject({ status: 200 });
    // Removing what is absent is no error.
    expect(await patch(catalog, urn, aspect, removal)).toMatchObject({ status: 200 });
    expect(catalog.stored(urn, aspect)).toEqual(after);
  });

  test.each(sampleAssets)("removes nothing from a %s that nobody edited", async (...asset) => {
    const [, , urn, , , edited] = asset;
    const catalog = await catalogWith(world);
    expect(await patch(catalog, urn, edited, generic(remove("/description")))).toMatchObject({ status: 200 });
    expect(catalog.stored(urn, edited)).toEqual({});
  });

  test("works over OpenAPI, too", async () => {
    const edits = { description: "Edited.", created: earlier };
    const catalog = await catalogWith([...world, proposal(chart, "editableChartProperties", edits)]);
    const path = `/openapi/v3/entity/chart/${encodeURIComponent(chart)}/editableChartProperties`;
    expect(await call(catalog, "PATCH", path, generic(remove("/description")))).toMatchObject({
      status: 200,
    });
    expect(catalog.stored(chart, "editableChartProperties")).toEqual({ created: earlier });
  });
});

test.each([
  [chart, "chartInfo"],
  ["urn:li:dashboard:(looker,new)", "dashboardInfo"],
])("a patch of %s that has no description yet starts without a title", async (urn, aspect) => {
  const catalog = await catalogWith(glossary, { now: () => now });
  expect(await patch(catalog, urn, aspect, [add("/customProperties/team", "a")])).toMatchObject({
    status: 200,
  });
  expect(catalog.stored(urn, aspect)).toMatchObject({
    title: "",
    description: "",
    lastModified: { created: auditStamp, lastModified: auditStamp },
    customProperties: { team: "a" },
  });
});
