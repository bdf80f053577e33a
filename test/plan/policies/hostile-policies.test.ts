import fc from "fast-check";
import { expect, test } from "vitest";
import { matcherOf } from "../../../src/model/text/pattern.ts";
import { expressionsOver, objectTypeOf } from "../../../src/plan/policies/expression.ts";
import { maxSteps, maxText } from "../../../src/plan/policies/meter.ts";
import { wildcardsOf } from "../../../src/plan/policies/wildcards.ts";
import { counted, isInFull, runsOf } from "../../support/runs.ts";
import { hostileExpression, hostilePattern } from "./hostile-expressions.ts";

const owner = objectTypeOf("Owner", { id: "string", active: "bool", groups: "list<string>" });
const asset = objectTypeOf("Asset", {
  name: "string",
  owners: "list<Owner>",
  tags: "list<string>",
  structured_properties: "map<string, list<string>>",
});

/** An entity with as much as an expression can look at, of which much looks alike. */
const entity = asset.make({
  name: "a".repeat(maxText),
  owners: [owner.make({ id: "alice", active: true, groups: ["finance"] })],
  tags: Array.from({ length: 3000 }, (_, index) => `${"a".repeat(50)}${index}`),
  structured_properties: new Map([["retention", ["90"]]]),
});

/** What took longest, and how long in milliseconds of the processor. No test asserts it: it depends on the machine. */
interface Slowest {
  took: number;
  what: string;
}

function timed<Result>(slowest: Slowest, what: string, run: () => Result): Result {
  const started = process.cpuUsage();
  const result = run();
  const took = process.cpuUsage(started).user / 1000;
  if (took > slowest.took) Object.assign(slowest, { took, what });
  return result;
}

function print(of: string, runs: number, { took, what }: Slowest): void {
  if (!isInFull) return;
  process.stdout.write(`Slowest of ${runs} ${of}: ${took.toFixed(1)} ms: ${what.slice(0, 300)}\n`);
}

// `RUNS=10` tries 20,000 of each, and prints the slowest.
const runs = runsOf(2000);

test("every expression ends within its steps, whatever it is", counted, () => {
  const slowest = { took: 0, what: "" };
  fc.assert(
    fc.property(hostileExpression, (text) => {
      const outcome = timed(slowest, text, () => {
        const expression = expressionsOver({ asset, below: [owner] })(text);
        return "reason" in expression ? { steps: 0 } : expression.evaluate(entity);
      });
      expect(outcome.steps).toBeLessThanOrEqual(maxSteps);
    }),
    { numRuns: runs },
  );
  print("expressions", runs, slowest);
});

test("every pattern ends, on texts in which nearly all of it is again and again", counted, () => {
  const slowest = { took: 0, what: "" };
  const texts = ["a", "ab", "aab"].flatMap((part) =>
    [1, 2, 8].map((size) => part.repeat(Math.ceil((size * maxText) / part.length))),
  );
  fc.assert(
    fc.property(hostilePattern, fc.constantFrom(...texts), (pattern, text) => {
      const matches = timed(slowest, pattern, () => wildcardsOf(pattern)(text));
      if (!pattern.includes("?")) expect(matcherOf(pattern)(text)).toBe(matches);
    }),
    { numRuns: runs },
  );
  print("patterns", runs, slowest);
});
