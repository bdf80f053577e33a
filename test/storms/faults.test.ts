import { expect, test } from "vitest";
import type { Fault } from "../../src/local-catalog/faults/settings.ts";
import {
  expectDeclared,
  expectNothingElse,
  expectTrue,
  heldIn,
  outcomesOf,
  seeds,
  stormOf,
} from "./world.ts";
import { counted, isInFull } from "../support/runs.ts";

const window: Fault = { fault: "lost_update", milliseconds: 2, rate: 1 };

test.each(seeds)(
  "no two writes of one entity overlap, and nothing is lost where overlapping ones would lose it (seed %i)",
  counted,
  async (seed) => {
    const storm = await stormOf({ seed, faults: [window] });

    const ran = await storm.apply();

    expect(ran.code, ran.stderr).toBe(0);
    expect(await storm.counts()).toMatchObject({ overlapping_writes: { greatest: 1 }, lost_updates: 0 });
    expectDeclared(storm.catalog.aspects());
  },
);

/** Each fault by itself, as often as a fifth of the requests. */
const every: readonly (readonly [string, Fault])[] = [
  ["latency", { fault: "latency", milliseconds: 20, rate: 0.2 }],
  ["HTTP 429", { fault: "status", status: 429, rate: 0.2 }],
  ["HTTP 502 before the write", { fault: "status", status: 502, rate: 0.2 }],
  ["HTTP 503 after the write", { fault: "status", status: 503, when: "after", rate: 0.2 }],
  ["a reset before the write", { fault: "reset", rate: 0.2 }],
  ["a reset after the write", { fault: "reset", when: "after", rate: 0.2 }],
  ["no answer, before the write", { fault: "hang", rate: 0.2 }],
  ["no answer, after the write", { fault: "hang", when: "after", rate: 0.2 }],
  ["a body that is cut off", { fault: "truncated_body", rate: 0.2 }],
  ["GraphQL errors", { fault: "graphql_errors", rate: 0.2 }],
  ["GraphQL errors of a busy server", { fault: "graphql_errors", code: 503, rate: 0.2 }],
  ["one failed alias", { fault: "failed_alias", rate: 0.2 }],
  ["one failed alias of a busy server", { fault: "failed_alias", code: 503, rate: 0.2 }],
  ["one failed entity", { fault: "failed_entity", rate: 0.2 }],
];

const alone = every.filter(([, { fault }]) => isInFull || fault !== "hang");

/** All of them together, three in ten requests. */
const mix: readonly Fault[] = alone.map(([, fault]) => ({ ...fault, rate: 0.3 / alone.length }));

// Each by itself is tried where storms are large.
const faultCases = [
  ...alone.filter(() => isInFull).map(([name, fault]) => [name, [fault]] as const),
  ["all faults together", mix] as const,
];
const cases = faultCases.flatMap(([name, faults]) =>
  (["graphql", "conditional"] as const).flatMap((writes) =>
    seeds.map((seed) => [name, writes, seed, faults] as const),
  ),
);

/**
 * How long an answer is waited for, in seconds: long where all requests are answered. A write that is given up may still be
 * carried out after its entity was read again, which nothing can prevent; a slow machine must not look like that.
 */
function timeoutWith(faults: readonly Fault[]): string {
  return faults.some(({ fault }) => fault === "hang") ? "3" : "60";
}

test.each(cases)(
  "with %s and `writes: %s` the catalog is as declared within three runs, and each report is true (seed %i)",
  counted,
  async (_, writes, seed, faults) => {
    const storm = await stormOf({ seed, faults: [...faults, window] }, `writes: ${writes}`);
    let code = -1;
    for (let run = 0; run < 3 && code !== 0; run += 1) {
      const before = heldIn(storm.catalog.aspects());
      const ran = await storm.apply("--timeout", timeoutWith(faults));
      code = ran.code;
      expect([0, 1, 7], ran.stderr).toContain(code);
      expectTrue(outcomesOf(ran), before, heldIn(storm.catalog.aspects()));
    }

    expectDeclared(storm.catalog.aspects());
    expectNothingElse(storm.catalog.aspects());
    const { overlapping_writes: overlapping, lost_updates: lost, faults: injections } = await storm.counts();
    expect({ overlapping: overlapping.greatest, lost }).toEqual({ overlapping: 1, lost: 0 });
    expect(injections.reduce((sum, { injected }) => sum + injected, 0)).toBeGreaterThan(0);
  },
);
