import fc from "fast-check";
import { expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import {
  type Entity,
  type FacetValue,
  type Member,
  type Scalar,
  scalarOf,
  setOf,
  type State,
} from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { compareStates } from "../../src/plan/compare.ts";
import { valueKey } from "../../src/plan/diff/values.ts";
import { partitionConflicts } from "../../src/plan/diff/conflicts.ts";
import { defaultPolicy, type Policy } from "../../src/plan/policy.ts";
import { addDeclared } from "../../src/plan/sides/declared-before.ts";
import { applied, datasetNamed, entityOf, header, liveOf, stateOf } from "../support/states.ts";
import { forAll, patience } from "./law.ts";
import { makePlan } from "./saved.ts";

const urns = ["a", "b"].map(datasetNamed);
const tags = ["1", "2", "3"].map((id) => `urn:li:tag:${id}`);
const domains = ["1", "2"].map((id) => `urn:li:domain:${id}`);
/** What others put there; no manifest ever declares it. */
const theirs = { tag: "urn:li:tag:theirs", domain: "urn:li:domain:theirs" };

/** What a commit declares of each dataset; nothing where it is left out. */
const commits: fc.Arbitrary<State> = fc
  .tuple(
    ...urns.map((of) =>
      fc
        .record(
          {
            tags: fc.subarray(tags).map((members) => setOf(members)),
            domain: fc.constantFrom(null, ...domains).map((value) => scalarOf(value)),
          },
          { requiredKeys: [] },
        )
        .map((facets) => entityOf("Dataset", of, facets as Readonly<Record<string, FacetValue>>)),
    ),
    fc.subarray(urns, { minLength: 1 }),
  )
  .map((drawn) => {
    const kept = drawn.at(-1) as readonly Urn[];
    return stateOf(...(drawn.slice(0, -1) as readonly Entity[]).filter(({ urn }) => kept.includes(urn)));
  });

type Step =
  | { readonly type: "commit"; readonly state: State }
  | { readonly type: "revert"; readonly to: number }
  | { readonly type: "edit"; readonly of: Urn; readonly what: "tag" | "domain" }
  | { readonly type: "apply"; readonly only: readonly boolean[]; readonly part: readonly Urn[] };

/** An apply that came to its end, one that was interrupted or failed in part, or one of a part. */
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("commit" as const), state: commits }),
    fc.record({ type: fc.constant("revert" as const), to: fc.nat(5) }),
    fc.record({
      type: fc.constant("edit" as const),
      of: fc.constantFrom(...urns),
      what: fc.constantFrom("tag" as const, "domain" as const),
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
    for (const entity of commit.values()) addDeclared(declared, entity);
  return declared;
}

const merge: Policy = { ...defaultPolicy, modes: { tags: "merge", domain: "merge" } };

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
  if (step.type === "edit") return { ...history, live: edited(live, step.of, step.what) };
  const plan = planOf(history, step.part);
  const { pending, skipped } = partitionConflicts(plan);
  const written = pending.filter((_, index) => step.only[index % step.only.length] ?? true);
  const isComplete = step.part.length === 0 && written.length === pending.length && skipped.length === 0;
  const now = applied(live, written);
  if (isComplete) expect(forgotten(history, now, plan)).toEqual([]);
  expect(theirsIn(live).filter((value) => !theirsIn(now).includes(value))).toEqual([]);
  return { ...history, live: now, anchor: isComplete ? all.length - 1 : history.anchor };
}

function edited(live: State, of: Urn, what: "tag" | "domain"): State {
  const entity = live.get(of) ?? entityOf("Dataset", of, {});
  const facets = new Map(entity.facets);
  const own = facets.get("tags");
  if (what === "domain") facets.set("domain", scalarOf(theirs.domain));
  else facets.set("tags", setOf([...(own?.shape === "set" ? own.members : []), theirs.tag]));
  return new Map([...live, [of, { ...entity, facets }]]);
}

function valuesIn(state: State | undefined): readonly string[] {
  return [...(state?.values() ?? [])].flatMap(({ urn, facets }) =>
    [...facets].flatMap(([facet, value]) => {
      const values: readonly (Member | Scalar)[] =
        value.shape === "set" ? value.members : value.shape === "scalar" ? [value.value] : [];
      return values.filter((each) => each !== null).map((each) => `${urn} ${facet} ${valueKey(each)}`);
    }),
  );
}

function theirsIn(live: State): readonly string[] {
  return valuesIn(live).filter((value) => value.endsWith(":theirs"));
}

/** The live values that a commit since the anchor declared, that none declares now, and that the plan does not list. */
function forgotten({ commits: all, anchor }: History, live: State, { unmanaged }: Plan): readonly string[] {
  const ever = new Set(all.slice(anchor).flatMap(valuesIn));
  const now = new Set(valuesIn(all.at(-1)));
  const listed = new Set(
    unmanaged.map(({ urn, facet, value }) => `${urn} ${facet} ${valueKey(value ?? null)}`),
  );
  return valuesIn(live).filter((value) => ever.has(value) && !now.has(value) && !listed.has(value));
}

test(
  "whatever went before, a complete apply forgets no value of ours and takes away none of others",
  () => {
    forAll(fc.tuple(commits, steps), ([first, drawn]) => {
      const live = stateOf(
        ...urns.map((of) => entityOf("Dataset", of, { tags: setOf([]), domain: scalarOf(null) })),
      );
      const start: History = { commits: [first], anchor: 0, live: applied(live, []) };
      let history = after({ ...start }, { type: "apply", only: [], part: [] });
      for (const step of drawn) history = after(history, step);
      after(history, { type: "apply", only: [], part: [] });
    });
  },
  patience,
);
