import { expect, test } from "vitest";
import { domain } from "../../src/facets/domain.ts";
import { owners } from "../../src/facets/owners.ts";
import type { ScalarChange, SetChange } from "../../src/model/change.ts";
import { datasetNamed, requestsFor } from "../support/states.ts";

const about = { action: "update", kind: "Dataset", urn: datasetNamed("a"), fingerprint: "" } as const;
const scalar: ScalarChange = {
  ...about,
  shape: "scalar",
  facet: domain.name,
  before: null,
  after: "urn:li:domain:b",
};
const set: SetChange = {
  ...about,
  shape: "set",
  facet: owners.name,
  add: [{ owner: "urn:li:corpuser:a", type: "urn:li:ownershipType:t" }],
  remove: [],
};

test("a facet takes only changes of its own shape: others do not compile", () => {
  const wrong = [
    // @ts-expect-error -- a set has no value before and after
    () => owners.set.add?.(scalar, scalar.after),
    // @ts-expect-error -- a single value gains and loses no members
    () => domain.scalar.requests(set),
  ];
  const right = [domain.scalar.requests(scalar), owners.set.add?.(set, set.add) ?? []];
  expect(right.map(({ length }) => length)).toEqual([1, 1]);
  expect(wrong).toHaveLength(2);
});

test("a change needs the tag of its shape: one without does not compile", () => {
  const { shape: _, ...untagged } = set;
  // @ts-expect-error -- the tag is missing
  const change: SetChange = untagged;
  expect(change.add).toEqual(set.add);
});

test("a change that has not the shape of its facet is refused, as a saved plan might hold one", () => {
  expect(() => requestsFor({ ...scalar, facet: owners.name })).toThrow(
    "unexpected shape of a change to owners: scalar",
  );
  expect(() => requestsFor({ ...set, facet: domain.name })).toThrow(
    "unexpected shape of a change to domain: set",
  );
});
