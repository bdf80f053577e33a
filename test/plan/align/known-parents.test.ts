import { expect, test } from "vitest";
import type { Live } from "../../../src/model/live.ts";
import { type Entity, scalarOf } from "../../../src/model/state.ts";
import { type Urn } from "../../../src/model/urn.ts";
import { withKnownParents } from "../../../src/plan/base/parents.ts";
import { entityOf, stateOf, urn } from "../../support/states.ts";

const [a, b, c, d] = ["a", "b", "c", "d"].map((id) => urn(`urn:li:domain:${id}`)) as [Urn, Urn, Urn, Urn];
const origin = { file: "catalog/domains.yaml", line: 3, column: 1 };

function below(domain: Urn, parent: Urn | null): Entity {
  return entityOf("Domain", domain, { parent_domain: scalarOf(parent, origin), name: scalarOf("x") });
}

function liveWith(
  entities: readonly Entity[],
  unreadable: readonly Urn[],
  above: readonly Entity[] = [],
): Live {
  return {
    state: stateOf(...entities),
    missing: new Map(),
    unreadable: new Map(unreadable.map((each) => [each, `no answer for ${each}`])),
    unmanaged: [],
    above: stateOf(...above),
  };
}

const readFailed = (of: Urn) => ({
  code: "read-failed",
  severity: "error",
  args: { kind: "Domain", urn: of, error: `no answer for ${of}` },
  origin,
});

test("where everything could be read, desired state is as it was", () => {
  const desired = stateOf(below(a, b));
  expect(withKnownParents(desired, liveWith([below(a, null)], []))).toEqual({ state: desired, problems: [] });
  expect(withKnownParents(desired, liveWith([], [])).state).toBe(desired);
});

test("a move below a domain that could not be read is taken back, its other facets are not, and one problem says why", () => {
  const { state, problems } = withKnownParents(
    stateOf(below(a, c), below(b, c)),
    liveWith([below(a, null), below(b, null)], [c]),
  );
  expect([...state.values()].map(({ facets }) => [...facets.keys()])).toEqual([["name"], ["name"]]);
  expect(problems).toEqual([readFailed(c)]);
});

test("a move is taken back also where live state does not say where the domain was", () => {
  const { state, problems } = withKnownParents(
    stateOf(below(a, c)),
    liveWith([entityOf("Domain", a, {})], [c]),
  );
  expect(state.get(a)?.facets.has("parent_domain")).toBe(false);
  expect(problems).toEqual([readFailed(c)]);
});

test("what could not be read may be further up, in live state above what is declared", () => {
  const { state, problems } = withKnownParents(
    stateOf(below(a, b)),
    liveWith([below(a, null)], [d], [below(b, c), below(c, d)]),
  );
  expect(state.get(a)?.facets.has("parent_domain")).toBe(false);
  expect(problems).toEqual([readFailed(d)]);
});

test.each<readonly [string, readonly Entity[], Live]>([
  ["that is where it was", [below(a, c)], liveWith([below(a, c)], [c])],
  ["that is new", [below(a, c)], liveWith([], [c])],
  ["whose way up could be read", [below(a, b)], liveWith([below(a, null), below(b, null)], [c])],
  ["that declares no parent", [entityOf("Domain", a, {})], liveWith([below(a, null)], [c])],
])("a domain %s stays as it is declared", (_, desired, live) => {
  expect(withKnownParents(stateOf(...desired), live)).toEqual({ state: stateOf(...desired), problems: [] });
});

test("a domain that is declared and could not be read has a problem of its own already", () => {
  const { state, problems } = withKnownParents(
    stateOf(below(a, c), below(c, null)),
    liveWith([below(a, null)], [c]),
  );
  expect(state.get(a)?.facets.has("parent_domain")).toBe(false);
  expect(problems).toEqual([]);
});
