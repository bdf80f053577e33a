import fc from "fast-check";
import { expect, test } from "vitest";
import { createReader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { entityTypeOfUrn } from "../../../src/local-catalog/registry/entity-types.ts";
import { isAssetType } from "../../../src/kinds/index.ts";
import { notViewable } from "../../../src/model/restricted.ts";
import { entityTypeOf, type Urn } from "../../../src/model/urn.ts";
import { withAllFacets } from "../../../src/sync/read/entities-to-read.ts";
import { readLive } from "../../../src/sync/read/live-state.ts";
import {
  type MadeAspect,
  metadataFile,
  startTestCatalog,
  temporaryDirectory,
} from "../../support/catalog.ts";
import { counted, runsOf } from "../../support/runs.ts";
import { urn } from "../../support/states.ts";

const flow = "urn:li:dataFlow:(airflow,daily,prod)";

/** An entity of each kind that a token may not view, with the aspect that says what it is called. */
const samples: readonly (readonly [urn: Urn, named: string, value: object])[] = (
  [
    ["urn:li:dataset:(urn:li:dataPlatform:snowflake,orders,PROD)", "datasetProperties", { name: "n" }],
    ["urn:li:container:shop", "containerProperties", { name: "n" }],
    ["urn:li:chart:(looker,sales)", "embed", { renderUrl: "https://a.b" }],
    ["urn:li:dashboard:(looker,board)", "embed", { renderUrl: "https://a.b" }],
    [flow, "dataFlowInfo", { name: "n" }],
    [`urn:li:dataJob:(${flow},load)`, "dataJobInfo", { name: "n", type: { string: "COMMAND" } }],
    ["urn:li:mlModel:(urn:li:dataPlatform:mlflow,churn,PROD)", "mlModelProperties", { name: "n" }],
    ["urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,churn,PROD)", "mlModelGroupProperties", { name: "n" }],
    ["urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,users)", "mlFeatureTableProperties", {}],
    ["urn:li:domain:finance", "domainProperties", { name: "n" }],
    ["urn:li:glossaryNode:money", "glossaryNodeInfo", { definition: "" }],
    ["urn:li:glossaryTerm:revenue", "glossaryTermInfo", { definition: "", termSource: "INTERNAL" }],
    ["urn:li:dataProduct:billing", "dataProductProperties", {}],
  ] as const
).map(([text, named, value]) => [urn(text), named, value]);

const auditStamp = { time: 0, actor: "urn:li:corpuser:bob" };

/** What people put on entities of any of these kinds. */
const others: Readonly<Record<string, object>> = {
  status: { removed: false },
  ownership: { owners: [{ owner: "urn:li:corpuser:bob", type: "NONE" }] },
  institutionalMemory: {
    elements: [{ url: "https://a.b", description: "d", createStamp: auditStamp }],
  },
};

interface World {
  readonly aspects: readonly MadeAspect[];
  readonly hidden: ReadonlySet<Urn>;
}

/** Entities with more or fewer aspects, perhaps none, of which the token may view some. */
const worlds: fc.Arbitrary<World> = fc
  .tuple(
    ...samples.map(([of, named, value]) =>
      fc.record({
        isHidden: fc.boolean(),
        // DataHub makes no definition without its own aspect.
        aspects: fc
          .subarray([named, ...Object.keys(others)].filter((name) => entityTypeOfUrn(of)?.aspects.has(name)))
          .filter((names) => names.length === 0 || names.includes(named) || isAssetType(entityTypeOf(of)))
          .map((names) => names.map((name): MadeAspect => [of, name, others[name] ?? value])),
      }),
    ),
  )
  .map((drawn) => ({
    aspects: drawn.flatMap(({ aspects }) => aspects),
    hidden: new Set(drawn.flatMap(({ isHidden }, index) => (isHidden ? (samples[index]?.[0] ?? []) : []))),
  }));

test.each([
  ["GraphQL", "graphql", false],
  ["GraphQL where stored aspects are hidden, too", "graphql", true],
  ["OpenAPI", "openapi", false],
] as const)(
  "what exists and the token may not view is unreadable, and all else is read as if it might view everything, by %s",
  counted,
  async (_, reads, hidesAspects) => {
    const restrict = new Set<string>();
    await fc.assert(
      fc.asyncProperty(worlds, async ({ aspects, hidden }) => {
        restrict.clear();
        const catalog = await startTestCatalog({ restrict, hidesAspects });
        await catalog.load(metadataFile(temporaryDirectory(), aspects));
        const reader = { ...createReader(connectionTo(catalog.url)), reads };
        const wanted = withAllFacets(samples.map(([of]) => of));
        const all = await readLive(reader, wanted);
        expect(all.unreadable).toEqual(new Map());

        for (const of of hidden) restrict.add(of);
        const { state, missing, unreadable } = await readLive(reader, wanted);
        const unread = [...hidden].filter((of) => all.state.has(of));
        // OpenAPI does not say whether what it denies exists.
        const denied = reads === "openapi" ? [...hidden].filter((of) => !all.state.has(of)) : [];
        for (const of of unread) expect(unreadable.get(of), of).toBe(notViewable);
        expect([...unreadable.keys()].filter((of) => !denied.includes(of)).toSorted()).toEqual(
          unread.toSorted(),
        );
        expect(state).toEqual(new Map([...all.state].filter(([of]) => !hidden.has(of))));
        for (const of of missing.keys()) expect(all.missing.has(of), of).toBe(true);
      }),
      { numRuns: runsOf(10) },
    );
  },
);
