import fc from "fast-check";
import { expect, test } from "vitest";
import type { Facet } from "../../src/facets/facet.ts";
import { facetsOf, plannedFacets } from "../../src/facets/index.ts";
import { joined, type Path, placedLeaves, placeKey, valueFrom } from "../../src/model/place.ts";
import type { Plan } from "../../src/model/plan.ts";
import {
  type Entity,
  type FacetValue,
  type Leaf,
  type Member,
  type Scalar,
  scalarOf,
  setOf,
  type State,
} from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { compareStates } from "../support/compare-states.ts";
import { pendingIn, heldBackIn } from "../../src/model/held-back.ts";
import { defaultPolicy, type Policy } from "../../src/plan/base/policy.ts";
import { addDeclaration } from "../../src/plan/base/declared-before.ts";
import { applied, datasetNamed, entityOf, header, liveOf, stateOf } from "../support/states.ts";
import { elementsOf, pathsOf, scalarsOf, shapeAt, valuesOf } from "../support/values.ts";
import { forAll } from "./law.ts";
import { makePlan } from "./saved.ts";
import { counted } from "../support/runs.ts";
import { valuesOf as declaredValues, valueKey } from "../../src/model/values.ts";

const urns = ["a", "b"].map(datasetNamed);

/** The facets that a manifest of a dataset can declare. */
const facets = facetsOf("Dataset").filter((facet) => facet.schema && plannedFacets.includes(facet));

/** What a commit declares of each dataset; nothing where it is left out. */
const commits: fc.Arbitrary<State> = fc
  .tuple(
    ...urns.map((of) =>
      fc
        .record(Object.fromEntries(facets.map((facet) => [facet.name, valuesOf(facet, "desired")])), {
          requiredKeys: [],
        })
        .map((drawn) => entityOf("Dataset", of, drawn as Readonly<Record<string, FacetValue>>)),
    ),
    fc.subarray(urns, { minLength: 1 }),
  )
  .map((drawn) => {
    const kept = drawn.at(-1) as readonly Urn[];
    return stateOf(...(drawn.slice(0, -1) as readonly Entity[]).filter(({ urn }) => kept.includes(urn)));
  });

/** The datasets before anything is applied: their columns have no values. */
const untouched = stateOf(
  ...urns.map((of) =>
    entityOf("Dataset", of, Object.fromEntries(facets.map((facet) => [facet.name, unset(facet)]))),
  ),
);

function unset(facet: Facet): FacetValue {
  const blank = (path: Path): Leaf => (shapeAt(facet, path) === "set" ? setOf([]) : scalarOf(null));
  return valueFrom(pathsOf(facet).map((path) => [path, blank(path)]));
}

/** What others put at one place of a facet; no manifest ever declares it. */
const theirs: ReadonlyMap<string, Leaf> = new Map(
  facets.map((facet): [string, Leaf] => {
    const [path = []] = pathsOf(facet);
    if (shapeAt(facet, path) === "set")
      return [facet.name, setOf(elementsOf(facet).slice(0, 1).map(byOthers))];
    return [facet.name, scalarOf(byOthers(scalarsOf(facet).find((value) => value !== null) ?? ""))];
  }),
);

function byOthers(value: Member | Scalar): Member {
  if (typeof value !== "object" || value === null) return String(value).replace(/[^:]*$/, "theirs");
  const [[key, text] = ["", ""]] = Object.entries(value);
  return { ...value, [key]: byOthers(text) as string };
}

type Step =
  | { readonly type: "commit"; readonly state: State }
  | { readonly type: "revert"; readonly to: number }
  | { readonly type: "edit"; readonly of: Urn; readonly facet: Facet }
  | { readonly type: "apply"; readonly only: readonly boolean[]; readonly part: readonly Urn[] };

/** An apply that came to its end, one that was interrupted or failed in part, or one of a part. */
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("commit" as const), state: commits }),
    fc.record({ type: fc.constant("revert" as const), to: fc.nat(5) }),
    fc.record({
      type: fc.constant("edit" as const),
      of: fc.constantFrom(...urns),
      facet: fc.constantFrom(...facets),
    }),
    fc.record({
      type: fc.constant("apply" as const),
      only: fc.oneof(fc.constant([]), fc.array(fc.boolean(), { minLength: 1, maxLength: 4 })),
      part: fc.oneof(fc.constant([]), fc.subarray(urns, { minLength: 1 })),
    }),
  ),
  { maxLength: 12 },
);

interface History {
  readonly commits: readonly State[];
  /** The last commit that was applied completely. */
  readonly anchor: number;
  readonly live: State;
}

/** All that was declared since the anchor. */
function before({ commits: all, anchor }: History): State {
  const declared = new Map(all[anchor]);
  for (const commit of all.slice(anchor + 1))
    for (const entity of commit.values()) addDeclaration(declared, entity);
  return declared;
}

const merge: Policy = {
  ...defaultPolicy,
  modes: Object.fromEntries(facets.map(({ name }) => [name, "merge"])),
};

function planOf(history: History, part: readonly Urn[]): Plan {
  const desired = history.commits.at(-1) ?? new Map();
  const policy = { ...merge, base: before(history), ...(part.length > 0 && { part: new Set(part) }) };
  return makePlan(header, compareStates(desired, liveOf(history.live, desired), policy), policy);
}

function after(history: History, step: Step): History {
  const { commits: all, live } = history;
  if (step.type === "commit") return { ...history, commits: [...all, step.state] };
  if (step.type === "revert") {
    return { ...history, commits: [...all, all[Math.max(0, all.length - 1 - step.to)] ?? new Map()] };
  }
  if (step.type === "edit") return { ...history, live: edited(live, step.of, step.facet) };
  const plan = planOf(history, step.part);
  const pending = pendingIn(plan.changes);
  const skipped = heldBackIn(plan.changes);
  const written = pending.filter((_, index) => step.only[index % step.only.length] ?? true);
  const isComplete = step.part.length === 0 && written.length === pending.length && skipped.length === 0;
  const now = applied(live, written);
  if (isComplete) expect(forgotten(history, now, plan)).toEqual([]);
  expect(theirsIn(live).filter((value) => !theirsIn(now).includes(value))).toEqual([]);
  return { ...history, live: now, anchor: isComplete ? all.length - 1 : history.anchor };
}

function edited(live: State, of: Urn, facet: Facet): State {
  const { name } = facet;
  const entity = live.get(of) ?? entityOf("Dataset", of, {});
  const [path = []] = pathsOf(facet);
  const value = joined(entity.facets.get(name), valueFrom([[path, theirs.get(name) ?? setOf([])]]), together);
  return new Map([...live, [of, { ...entity, facets: new Map([...entity.facets, [name, value]]) }]]);
}

function together(own: Leaf | undefined, other: Leaf): Leaf {
  return own?.shape === "set" && other.shape === "set" ? setOf([...own.members, ...other.members]) : other;
}

function valuesIn(state: State | undefined): readonly string[] {
  return [...(state?.values() ?? [])].flatMap(({ urn, facets: all }) =>
    placedLeaves(all).flatMap(({ place, leaf }) =>
      declaredValues(leaf).map((value) => `${urn} ${placeKey(place)} ${valueKey(value)}`),
    ),
  );
}

function theirsIn(live: State): readonly string[] {
  return valuesIn(live).filter((value) => value.includes("theirs"));
}

/** The live values that a commit since the anchor declared, that none declares now, and that the plan does not list. */
function forgotten({ commits: all, anchor }: History, live: State, { unmanaged }: Plan): readonly string[] {
  const ever = new Set(all.slice(anchor).flatMap(valuesIn));
  const now = new Set(valuesIn(all.at(-1)));
  const listed = new Set(
    unmanaged.map(
      ({ urn, facet = "", path, value }) =>
        `${urn} ${placeKey({ facet, ...(path && { path }) })} ${valueKey(value ?? null)}`,
    ),
  );
  return valuesIn(live).filter((value) => ever.has(value) && !now.has(value) && !listed.has(value));
}

test(
  "whatever went before, a complete apply forgets no value of ours and takes away none of others",
  counted,
  () => {
    forAll(fc.tuple(commits, steps), 60, ([first, drawn]) => {
      const start: History = { commits: [first], anchor: 0, live: untouched };
      let history = after(start, { type: "apply", only: [], part: [] });
      for (const step of drawn) history = after(history, step);
      after(history, { type: "apply", only: [], part: [] });
    });
  },
);
