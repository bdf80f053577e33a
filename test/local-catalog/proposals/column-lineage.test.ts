import { describe, expect, test } from "vitest";
import { catalogWith, missing, orders } from "../support.ts";
import { change, ingest } from "../rest.ts";
import { asciiJson } from "../../support/ascii-json.ts";

const column = (dataset: string, name: string): string => `urn:li:schemaField:(${dataset},${name})`;
const [total, net, tax] = [column(orders, "total"), column(missing, "net"), column(missing, "tax")];
const query = "urn:li:query:q1";
const job = "urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,prod),load)";
const path = (operation: string, by: string, upstream: string): string =>
  `/fineGrainedLineages/${[operation, total, by, upstream].join("/")}`;

/** A lineage as the template makes it. */
const lineage = (upstreams: readonly string[], more: object = {}): object => ({
  upstreams,
  downstreams: [total],
  upstreamType: "FIELD_SET",
  downstreamType: "FIELD",
  confidenceScore: 1,
  transformOperation: "NONE",
  ...more,
});

describe("a patch of the lineage of columns names operation, downstream, query and upstream", () => {
  test.each([
    [
      "on nothing",
      undefined,
      [{ op: "add", path: path("NONE", "NONE", net), value: { confidenceScore: 0.5 } }],
      [lineage([net], { confidenceScore: 0.5 })],
    ],
    [
      "one more upstream",
      [lineage([net])],
      [{ op: "add", path: path("NONE", "NONE", tax), value: { confidenceScore: 0.2 } }],
      [lineage([net, tax], { confidenceScore: 0.2 })],
    ],
    [
      "another query and operation",
      [lineage([net], { confidenceScore: 0.9 })],
      [{ op: "add", path: path("COPY", query, net), value: { confidenceScore: 1, upstreamType: "DATASET" } }],
      [
        lineage([net], { confidenceScore: 0.9 }),
        lineage([net], { query, transformOperation: "COPY", upstreamType: "DATASET" }),
      ],
    ],
    ["the last upstream", [lineage([net])], [{ op: "remove", path: path("NONE", "NONE", net) }], []],
    [
      "one of several",
      [lineage([net, tax], { query })],
      [{ op: "remove", path: path("NONE", query, net) }],
      [lineage([tax], { query })],
    ],
  ])("%s", async (_name, before, patch, after) => {
    for (const [urn, aspect] of [
      [orders, "upstreamLineage"],
      [job, "dataJobInputOutput"],
    ] as const) {
      const catalog = await catalogWith();
      const lists =
        aspect === "upstreamLineage" ? { upstreams: [] } : { inputDatasets: [], outputDatasets: [] };
      if (before) await ingest(catalog, change(urn, aspect, { ...lists, fineGrainedLineages: before }));
      const sent = { value: asciiJson(patch), contentType: "application/json-patch+json" };
      const answer = await ingest(catalog, change(urn, aspect, {}, { changeType: "PATCH", aspect: sent }));
      expect(answer.status).toBe(200);
      expect(catalog.stored(urn, aspect)).toMatchObject({ fineGrainedLineages: after });
    }
  });
});

test("a lineage with several downstreams is not patched", async () => {
  const catalog = await catalogWith();
  const several = { ...lineage([net]), downstreams: [total, tax] };
  await ingest(catalog, change(orders, "upstreamLineage", { upstreams: [], fineGrainedLineages: [several] }));
  const sent = { value: asciiJson([]), contentType: "application/json-patch+json" };
  const answer = await ingest(
    catalog,
    change(orders, "upstreamLineage", {}, { changeType: "PATCH", aspect: sent }),
  );
  expect(answer.body.message).toContain("not exactly one downstream");
});
