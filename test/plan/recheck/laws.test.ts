import fc from "fast-check";
import { expect } from "vitest";
import { joined, leafIn, valueFrom } from "../../../src/model/place.ts";
import { facetNamed, plannedFacets } from "../../../src/facets/index.ts";
import { type Change, isFacetChange, isSetChange } from "../../../src/model/change.ts";
import type { Live } from "../../../src/model/live.ts";
import type { Mode } from "../../../src/model/settings.ts";
import { type Member, setOf, type State, without } from "../../../src/model/state.ts";
import { ignoring } from "../../../src/plan/base/ignore.ts";
import { compareStates } from "../../support/compare-states.ts";
import { coveredIn } from "../../../src/plan/notes/fingerprint.ts";
import { textsIn } from "../../../src/plan/base/values.ts";
import { placedBy } from "../../../src/plan/base/ancestors.ts";
import { defaultPolicy } from "../../../src/plan/base/policy.ts";
import { type CatalogNow, verdictOn, dependenciesOf } from "../../../src/plan/recheck/verdict.ts";
import { matcherOf } from "../../../src/model/text/pattern.ts";
import { lawsOf } from "../../laws/law.ts";
import { ignoreRules } from "../../laws/worlds.ts";
import { applied, desiredStates, liveOf, liveStates, membershipsIn } from "../../support/states.ts";
import { elementsOf } from "../../support/values.ts";

interface Planned {
  readonly live: State;
  readonly changes: readonly Change[];
}

const ofSets = plannedFacets.filter(({ shape }) => shape !== "scalar");

/** Changes as a saved plan has them, under any mode, with any base and rules. */
const plans: fc.Arbitrary<Planned> = fc
  .tuple(
    desiredStates,
    liveStates,
    fc.option(desiredStates),
    fc.constantFrom<Mode>("authoritative", "merge", "additive"),
    fc.array(ignoreRules, { maxLength: 2 }),
  )
  .map(([desired, live, base, mode, rules]) => {
    const modes = Object.fromEntries(ofSets.map(({ name }) => [name, mode]));
    const before = base ? { base } : {};
    const policy = { ...defaultPolicy, ...before, modes, ignored: ignoring(rules) };
    const known = liveOf(live, new Map([...(base ?? []), ...desired]));
    const { changes } = compareStates(desired, known, policy, membershipsIn(live));
    return { live, changes: JSON.parse(JSON.stringify(changes)) as readonly Change[] };
  });

function nowOf(state: State, changes: readonly Change[]): CatalogNow {
  const live: Live = { state, missing: new Map(), unreadable: new Map(), unmanaged: [] };
  return { live: withReferences(live, changes), created: new Set(), moved: placedBy(changes) };
}

// What is referred to, and neither drawn nor created, is there.
function withReferences(live: Live, changes: readonly Change[]): Live {
  const state = new Map(live.state);
  const placed = placedBy(changes);
  for (const urn of changes.flatMap((change) => dependenciesOf(change, undefined))) {
    if (!state.has(urn) && !placed.has(urn)) state.set(urn, { urn, kind: "Domain", facets: new Map() });
  }
  return { ...live, state };
}

const drawn = fc.record({
  of: plans,
  draw: fc.infiniteStream(fc.boolean()),
  toggled: fc.nat(),
  rules: fc.array(ignoreRules, { maxLength: 3 }),
});

const law = lawsOf(drawn, 80);

law("what has not changed is as planned, as far as the plan alone tells", ({ of: { live, changes } }) => {
  const now = nowOf(live, changes);
  expect(changes.map((change) => verdictOn(change, now))).toEqual(
    changes.map(() => ({ status: "as-planned" })),
  );
});

law(
  "what was carried out is done, and what was carried out in part is not stale",
  ({ of: { live, changes }, draw }) => {
    const updates = changes.filter(({ action }) => action === "update");
    const after = nowOf(applied(live, updates), changes);
    expect(updates.map((change) => verdictOn(change, after))).toEqual(
      updates.map(() => ({ status: "done" })),
    );
    const half = updates.map((change) =>
      isSetChange(change)
        ? {
            ...change,
            add: change.add.filter(() => draw.next().value),
            remove: change.remove.filter(() => draw.next().value),
          }
        : change,
    );
    const between = nowOf(applied(live, half), changes);
    expect(updates.filter((change) => verdictOn(change, between).status === "stale")).toEqual([]);
  },
);

law(
  "a set is stale as soon as another element that the plan counts has come or gone",
  ({ of: { live, changes }, toggled }) => {
    for (const change of changes) {
      if (!isSetChange(change) || change.action !== "update") continue;
      const others = without(elementsOf(facetNamed(change.facet)), [...change.add, ...change.remove]);
      const other = others[toggled % others.length];
      if (other === undefined) continue;
      const before = leafIn(live.get(change.urn), change);
      if (before?.shape !== "set") continue;
      const fewer = without(before.members, [other]);
      const members = fewer.length < before.members.length ? fewer : [...fewer, other];
      const verdict = verdictOn(change, nowOf(withPart(live, change, members), changes));
      const isCovered = coveredIn([other], change).length > 0;
      expect(verdict.status).toBe(isCovered ? "stale" : "as-planned");
    }
  },
);

law(
  "the patterns of what is ignored cover the elements that the rules cover, and no others",
  ({ of: { live }, rules }) => {
    const ignored = ignoring(rules);
    const wrong = [...live.values()].flatMap(({ urn, facets }) =>
      [...facets].filter(([facet, value]) => {
        if (value.shape !== "set") return false;
        const patterns = ignored.patterns(urn, facet).map(matcherOf);
        return value.members.some((member) => {
          const isCovered = textsIn(member).some((text) => patterns.some((matches) => matches(text)));
          return isCovered !== (ignored.value(urn, facet, member) !== undefined);
        });
      }),
    );
    expect(wrong).toEqual([]);
  },
);

function withPart(live: State, change: Change, members: readonly Member[]): State {
  const entity = live.get(change.urn);
  if (!entity || !isFacetChange(change)) return live;
  const value = setOf(members);
  const changed = valueFrom([[change.path ?? [], value]]);
  const whole = joined(entity.facets.get(change.facet), changed, (_, leaf) => leaf);
  return new Map([
    ...live,
    [change.urn, { ...entity, facets: new Map([...entity.facets, [change.facet, whole]]) }],
  ]);
}
