import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Scalar } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { isMove, parentsAfter, placedBy, aboveNewParent } from "../../../src/plan/base/ancestors.ts";
import { urn } from "../../support/states.ts";

const domain = (id: string): Urn => urn(`urn:li:domain:${id}`);
const [top, middle, low, other] = [domain("top"), domain("middle"), domain("low"), domain("other")];
const live = new Map([
  [middle, top],
  [low, middle],
]);
const liveParentOf = (of: Urn): Urn | undefined => live.get(of);

function placing(of: Urn, after: Scalar, action: "create" | "update" = "update"): Change {
  const about = { action, shape: "scalar", kind: "Domain", urn: of } as const;
  return { ...about, facet: "parent_domain", before: null, after, fingerprint: "" };
}

function described(of: Urn, action: "create" | "update" = "update"): Change {
  const about = { action, shape: "scalar", kind: "Domain", urn: of } as const;
  return { ...about, facet: "description", before: null, after: middle, fingerprint: "" };
}

function whole(kind: "Domain" | "Tag", of: Urn, action: "create" | "delete"): Change {
  return { action, shape: "entity", kind, urn: of, fingerprint: "" };
}

test.each<readonly [string, Change, readonly Urn[] | undefined]>([
  ["of a move those above its new parent", placing(other, low), [middle, top]],
  ["of a new entity those above its parent", placing(other, low, "create"), [middle, top]],
  ["of a move below what is at the top none", placing(other, top), undefined],
  ["of a move to the top none", placing(low, null), undefined],
  ["of another facet none", described(low), undefined],
  ["of a new entity without a parent none", whole("Domain", low, "create"), undefined],
])("a change knows the live entities that its place depends on: %s", (_, change, above) => {
  expect(aboveNewParent(change, liveParentOf)).toEqual(above ?? []);
});

test("the parents after changes are those that they give, whatever stands above in the catalog", () => {
  const parentOf = parentsAfter([
    { ...placing(other, low), above: [middle, top] },
    placing(middle, null),
    described(top),
    { ...whole("Domain", domain("gone"), "delete"), above: [other] },
  ]);

  expect([other, low, middle, top, domain("gone")].map(parentOf)).toEqual([
    low,
    middle,
    undefined,
    undefined,
    undefined,
  ]);
});

test("a move is a change of what its kind has as parent", () => {
  expect([placing(low, top), placing(low, null), described(low)].map(isMove)).toEqual([true, true, false]);
});

test("nothing moves where a kind forms no tree", () => {
  expect(isMove(whole("Tag", urn("urn:li:tag:t"), "delete"))).toBe(false);
});

test("what is created or moved has a place that the plan gives", () => {
  const changes = [
    placing(low, top),
    whole("Tag", urn("urn:li:tag:new"), "create"),
    described(other, "create"),
    described(middle),
    whole("Domain", top, "delete"),
  ];

  expect([...placedBy(changes)]).toEqual([low, "urn:li:tag:new", other]);
});
