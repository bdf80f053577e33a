import { expect, test } from "vitest";
import type { Plan } from "../../../src/model/plan.ts";
import { setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { fingerprintOf } from "../../../src/plan/notes/fingerprint.ts";
import { staleOutcomes } from "../../../src/sync/write/stale.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { catalogOf, tagged } from "./asked-catalog.ts";

const [pii, old] = ["pii", "old"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn];

/** A plan that took away all tags of datasets that had only `pii`. */
function untagging(...datasets: readonly string[]): Pick<Plan, "changes" | "writes"> {
  const changes = datasets.map((name) => {
    const change = { action: "update", kind: "Dataset", urn: datasetNamed(name) } as const;
    const removing = { ...change, shape: "set", facet: "tags", add: [], remove: [pii] } as const;
    return { ...removing, fingerprint: fingerprintOf(setOf([pii]), removing) };
  });
  return { changes };
}

test("what was changed since a plan was made is stale; what is as it was, or as it will be, is not", async () => {
  const { writer } = await catalogOf([
    [pii, "tagProperties", { name: "pii" }],
    tagged("same", pii),
    tagged("done"),
    tagged("more", pii, old),
  ]);
  const outcomes = await staleOutcomes(writer, untagging("same", "done", "more"));
  expect(outcomes).toMatchObject([
    {
      status: "stale",
      because: "its values were changed after the plan was made",
      operation: { changes: [{ urn: datasetNamed("more") }] },
    },
  ]);
  expect(outcomes).toHaveLength(1);
});

test("of a plan without changes nothing is stale", async () => {
  const { writer, asked } = await catalogOf([tagged("same", pii)]);
  expect(await staleOutcomes(writer, untagging())).toEqual([]);
  expect(asked).toEqual([]);
});
