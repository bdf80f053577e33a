import { expect, test } from "vitest";
import type { EntityChange } from "../../../src/model/change.ts";
import type { IgnoreRule } from "../../../src/model/settings.ts";
import { type Entity, type KindName, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { ignoring } from "../../../src/plan/base/ignore.ts";
import { deletionsFor } from "../../../src/plan/align/prune.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const origin = { file: "catalog/a.yaml", line: 4, column: 1 };
const all = new Set<KindName>(["Domain", "Tag", "User", "Group", "Dataset", "Container"]);

const tag = (id: string): Entity => entityOf("Tag", urn(`urn:li:tag:${id}`), {});
const domain = (id: string, parent: string | null = null): Entity =>
  entityOf("Domain", urn(`urn:li:domain:${id}`), {
    parent_domain: scalarOf(parent === null ? null : `urn:li:domain:${parent}`),
  });

interface Case {
  readonly base: readonly Entity[];
  readonly desired?: readonly Entity[];
  readonly live?: readonly Entity[];
  readonly kinds?: ReadonlySet<KindName>;
  readonly ignore?: readonly IgnoreRule[];
}

function deletions({ base, desired = [], live = base, kinds = all, ignore = [] }: Case): readonly Urn[] {
  return deletionsOf(stateOf(...desired), stateOf(...live), stateOf(...base), kinds, ignore).map(
    (change) => change.urn,
  );
}

function deletionsOf(
  desired: State,
  live: State,
  base: State,
  prune: ReadonlySet<KindName> = all,
  ignore: readonly IgnoreRule[] = [],
): readonly EntityChange[] {
  const ignored = ignoring(ignore);
  return deletionsFor(desired, live, { base, prune, ignored }, { state: live });
}

test("what base declares and nobody declares any more is deleted, at its place in base", () => {
  const before = { ...tag("old"), origin };
  const [change, ...more] = deletionsOf(new Map(), stateOf(tag("old")), stateOf(before));

  expect(more).toEqual([]);
  expect(change).toEqual({
    action: "delete",
    shape: "entity",
    kind: "Tag",
    urn: "urn:li:tag:old",
    source: { ...origin, base: true },
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    values: [],
  });
  const [placeless] = deletionsOf(new Map(), stateOf(tag("old")), stateOf(tag("old")));
  expect(placeless).not.toHaveProperty("source");
});

test("deletions of different entities differ in their fingerprint", () => {
  const base = stateOf(tag("a"), tag("b"));
  const fingerprints = deletionsOf(new Map(), base, base).map((change) => change.fingerprint);

  expect(new Set(fingerprints).size).toBe(2);
});

test.each<readonly [string, Case]>([
  ["what is still declared", { base: [tag("a")], desired: [tag("a")] }],
  ["what is not there", { base: [tag("a")], live: [] }],
  ["what base does not declare", { base: [], live: [tag("a")] }],
  ["what is of another kind", { base: [tag("a")], kinds: new Set(["Domain", "Group", "User"]) }],
  ["an asset, even if its kind is named", { base: [entityOf("Dataset", datasetNamed("a"), {})] }],
  ["what is ignored as a whole", { base: [tag("a")], ignore: [{ urn: "urn:li:tag:*", reason: "r" }] }],
])("%s is not deleted", (_, given) => {
  expect(deletions(given)).toEqual([]);
});

test("an entity of which only values are ignored is deleted", () => {
  const ignore = [{ urn: "urn:li:tag:*", facet: "description", reason: "r" }];

  expect(deletions({ base: [tag("a")], ignore })).toEqual(["urn:li:tag:a"]);
});

test("what others refer to goes last: groups, users, tags, then domains, each by its URN", () => {
  const base = [
    domain("d"),
    tag("b"),
    tag("a"),
    entityOf("User", urn("urn:li:corpuser:u"), {}),
    entityOf("Group", urn("urn:li:corpGroup:g"), {}),
  ];

  expect(deletions({ base })).toEqual([
    "urn:li:corpGroup:g",
    "urn:li:corpuser:u",
    "urn:li:tag:a",
    "urn:li:tag:b",
    "urn:li:domain:d",
  ]);
});

test("a domain goes after all that are below it in the catalog, whatever base says", () => {
  const live = [domain("z-top"), domain("m-middle", "z-top"), domain("a-top"), domain("b-below", "m-middle")];
  const base = live.map(({ urn: of }) => entityOf("Domain", of, {}));

  expect(deletions({ base, live })).toEqual([
    "urn:li:domain:b-below",
    "urn:li:domain:m-middle",
    "urn:li:domain:a-top",
    "urn:li:domain:z-top",
  ]);
});

test("domains in a circle, and those whose parent cannot be read, have an end too", () => {
  const odd = entityOf("Domain", urn("urn:li:domain:odd"), { parent_domain: setOf(["urn:li:domain:a"]) });
  const live = [domain("a", "b"), domain("b", "a"), odd, domain("lost", "nowhere"), domain("a-top")];

  expect(deletions({ base: live, live })).toEqual([
    "urn:li:domain:a",
    "urn:li:domain:b",
    "urn:li:domain:lost",
    "urn:li:domain:a-top",
    "urn:li:domain:odd",
  ]);
});

test("the order of base changes nothing", () => {
  const base = [tag("b"), domain("x"), tag("a"), domain("y", "x")];
  const states: readonly State[] = [stateOf(...base), stateOf(...base.toReversed())];

  const [one, other] = states.map((state) => deletionsOf(new Map(), state, state));
  expect(one).toEqual(other);
});

test("a deletion knows its live parent, as far as its kind has one", () => {
  const [top, child] = [domain("top"), domain("child", "top")];
  const base = stateOf(child, top, tag("a"));
  const found = deletionsOf(new Map(), base, base).map(({ urn: of, above }) => [of, above] as const);

  expect(new Map<Urn, unknown>(found)).toEqual(
    new Map([
      [tag("a").urn, undefined],
      [top.urn, undefined],
      [child.urn, [top.urn]],
    ]),
  );
});
