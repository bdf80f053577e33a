import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import { pendingIn } from "../../../src/model/held-back.ts";
import { scalarOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { parentsWithChildren } from "../../../src/plan/checks/deletions.ts";
import { entityOf, stateOf, urn } from "../../support/states.ts";

const [top, a, b, c] = ["top", "a", "b", "c"].map((id) => urn(`urn:li:domain:${id}`)) as [Urn, Urn, Urn, Urn];
const tag = urn("urn:li:tag:old");

/** Domains of the catalog, each below `top`. */
const below = (...urns: readonly Urn[]): State =>
  stateOf(
    entityOf("Domain", top, { parent_domain: scalarOf(null) }),
    ...urns.map((each) => entityOf("Domain", each, { parent_domain: scalarOf(top) })),
  );
const about = { shape: "entity", fingerprint: "" } as const;
const deleting = (of: Urn, kind = "Domain"): Change => ({ ...about, action: "delete", kind, urn: of });
const setting = (of: Urn, facet: string, more: object = {}): Change => ({
  action: "update",
  shape: "scalar",
  kind: "Domain",
  urn: of,
  facet,
  before: top,
  after: null,
  fingerprint: "",
  ...more,
});

const needed = (
  changes: readonly Change[],
  live: Parameters<typeof parentsWithChildren>[1],
  isReported: (child: Urn, parent: Urn) => boolean = () => false,
): ReturnType<typeof parentsWithChildren> => parentsWithChildren(pendingIn(changes), live, isReported);

test("a deleted entity that others stay below is one problem that names them all, sorted", () => {
  const live = { state: below(b), below: new Map([[top, [c, a]]]) };

  expect(needed([deleting(top)], live)).toStrictEqual([
    { code: "deleted-parent", severity: "error", args: { urn: top, below: [a, b, c] } },
  ]);
});

const held = { conflict: { base: null, live: top, desired: null, winner: "live" } };

test.each<readonly [string, readonly Change[], readonly Urn[]]>([
  ["that are deleted as well", [deleting(a)], [b]],
  ["that move", [setting(a, "parent_domain")], [b]],
  ["but counts those of which something else changes", [setting(a, "description")], [a, b]],
  ["but counts those of which the move is held back", [setting(a, "parent_domain", held)], [a, b]],
])("it does not count those %s", (_, changes, staying) => {
  const [problem] = needed([deleting(top), ...changes], { state: below(a, b) });

  expect(problem?.args).toEqual({ urn: top, below: staying });
});

test("it does not count those of which another problem says it", () => {
  const reported =
    (...pairs: readonly string[]) =>
    (child: Urn, parent: Urn): boolean =>
      pairs.includes(`${child} ${parent}`);
  const live = { state: below(a, b) };

  expect(needed([deleting(top)], live, reported(`${a} ${top}`))[0]?.args).toEqual({ urn: top, below: [b] });
  expect(needed([deleting(top)], live, reported(`${a} ${top}`, `${b} ${top}`))).toEqual([]);
});

test.each<readonly [string, readonly Change[], State]>([
  ["a deletion with nothing below", [deleting(a)], below(a, b)],
  ["a deletion with all that is below", [deleting(top), deleting(a)], below(a)],
  ["an entity that is created", [{ ...about, action: "create", kind: "Domain", urn: top }], below(a)],
  ["a kind that forms no tree", [deleting(tag, "Tag")], below(a)],
  ["no change", [], below(a)],
])("%s is no problem", (_, changes, state) => {
  expect(needed(changes, { state, below: new Map([[tag, [a]]]) })).toEqual([]);
});
