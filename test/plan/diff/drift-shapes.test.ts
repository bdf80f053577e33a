import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import { type FacetValue, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import { driftClass } from "../../../src/plan/notes/drift.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";

const a = datasetNamed("a");
const declaring = (value: FacetValue): State => stateOf(entityOf("Dataset", a, { domain: value }));

test("a value is somebody else's, though it was an element while its facet was a set", () => {
  const change: Change = {
    action: "update",
    shape: "scalar",
    kind: "Dataset",
    urn: a,
    facet: "domain",
    before: "theirs",
    after: "ours",
    fingerprint: "",
  };
  const before = { applied: declaring(scalarOf("ours")), since: declaring(setOf(["theirs"])) };

  expect(driftClass.of(change, before)).toEqual({ class: "changed" });
});
